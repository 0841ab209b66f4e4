// Makes one change to the values or the structure of a JSON document. The format of the document does not
// matter, because columns that belong together, rows of numbers and their counts are recognised by their
// shape.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/support/choices.hpp"
#include "fuzz/support/mutators/json_items.hpp"

namespace heapcheck::fuzz {

class JsonMutation {
 public:
  /// Owns a copy of the text.
  JsonMutation(std::string_view text, RandomChoices& choices) : choices_(&choices), text_(text) {}

  /// Makes a change, if there is a value to change.
  void apply();
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  using Index = std::uint32_t;
  struct Edit {
    std::size_t begin;
    std::size_t end;
    std::string text;
  };

  // Find values.
  [[nodiscard]] std::string_view value_of(const JsonItem& item) const;
  [[nodiscard]] std::string_view key_of(const JsonItem& item) const;
  [[nodiscard]] std::vector<Index> list_children(Index container) const;
  [[nodiscard]] std::vector<std::size_t> list_widths(std::size_t count) const;
  Index choose_item();
  std::string choose_key();

  // Record edits.
  void change_tail();
  void change_item(Index item);
  void change_value(const JsonItem& item);
  void change_key(const JsonItem& item);
  void wrap(const JsonItem& item);
  void move(Index item);
  void insert(Index place, const JsonItem& item);
  void change_rows(Index item);
  void change_row(Index array, std::size_t width);
  void change_columns(Index array, std::size_t row);
  void adjust_counts(std::size_t before, std::size_t after);
  void remove(const std::vector<Index>& siblings, std::size_t from, std::size_t to);
  void copy(const std::vector<Index>& siblings, std::size_t from, std::size_t to, std::size_t target);
  void replace(std::size_t begin, std::size_t end, std::string text);
  void perform_edits();

  // Make new values.
  std::string make_other_value();
  std::string make_scalar(std::string_view old);
  std::string make_odd_number(std::string_view old);
  std::string make_string(std::string_view old);
  std::string make_escaped(std::string content);
  std::size_t below(std::size_t count) { return choices_->below(count); }

  RandomChoices* choices_;
  std::string text_;
  std::vector<JsonItem> items_;
  std::vector<Edit> edits_;  ///< positions refer to the text before any edit
};

}  // namespace heapcheck::fuzz
