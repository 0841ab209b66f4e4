#include "fuzz/support/mutators/json_items.hpp"

#include <algorithm>

namespace heapcheck::fuzz {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view ends_of_scalars = " \t\r\n,:\"[]{}";

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<JsonItem> scan() {
    while (at_ < text_.size() && !is_done_) step();
    while (!open_.empty()) close();
    return std::move(items_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '{' || c == '[') return open(c == '{' ? JsonKind::object : JsonKind::array);
    if (c == '"') return take_string();
    if (ends_of_scalars.find(c) == std::string_view::npos) {
      const std::size_t end = std::min(text_.find_first_of(ends_of_scalars, at_), text_.size());
      return add(JsonKind::scalar, end);
    }
    ++at_;
    if (c == ',') key_end_ = key_first_ = 0;
    if ((c == '}' || c == ']') && !open_.empty()) close();
  }

  void add(JsonKind kind, std::size_t end) {
    JsonItem item;
    item.kind = kind;
    item.begin = item.first = item.key_end = at_;
    if (key_end_ != key_first_) {
      item.first = key_first_;
      item.key_end = key_end_;
    }
    item.end = end;
    if (!open_.empty()) {
      item.parent = open_.back();
      ++items_[item.parent].child_count;
      if (kind == JsonKind::string) ++items_[item.parent].string_count;
    }
    items_.push_back(item);
    key_end_ = key_first_ = 0;
    at_ = end;
  }

  void open(JsonKind kind) {
    add(kind, at_ + 1);
    open_.push_back(static_cast<std::uint32_t>(items_.size() - 1));
  }

  /// Ends the innermost container.
  void close() {
    items_[open_.back()].end = at_;
    open_.pop_back();
    is_done_ = open_.empty();
    key_end_ = key_first_ = 0;
  }

  void take_string() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2U : 1U;
    end = std::min(end + 1, text_.size());
    const std::size_t next = text_.find_first_not_of(blanks, end);
    const bool is_key = !open_.empty() && items_[open_.back()].kind == JsonKind::object &&
                        next != std::string_view::npos && text_[next] == ':';
    if (!is_key) return add(JsonKind::string, end);
    key_first_ = at_;
    key_end_ = end;
    at_ = next + 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_done_ = false;
  std::size_t key_first_ = 0;  ///< the offset of the key of the next value, if it has one
  std::size_t key_end_ = 0;
  std::vector<std::uint32_t> open_;  ///< the containers that have not been closed yet, outermost first
  std::vector<JsonItem> items_;
};

}  // namespace

std::vector<JsonItem> list_json_items(std::string_view text) { return Scanner(text).scan(); }

}  // namespace heapcheck::fuzz
