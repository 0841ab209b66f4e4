// The tables of a MoarVM dump, generated from choices. They grow, and no row occurs twice. Names contain
// characters that formats must escape, but nothing that the rules forbid. Owns the tables.
#pragma once

#include <array>
#include <set>
#include <string>
#include <tuple>

#include "formats/core/text/utf8.hpp"
#include "formats/mvmheap/model.hpp"
#include "fuzz/support/choices.hpp"

namespace heapcheck::fuzz {

/// A number less than `bound`, which must not be 0. It is either a small number or a number close to the
/// limit of a width.
inline std::uint64_t choose_number(Choices& choices, std::uint64_t bound) {
  return (choices.below(2) == 0 ? choices.below(256) : choose_edge(choices)) % bound;
}

class MadeTables {
 public:
  [[nodiscard]] const mvmheap::Tables& tables() const { return tables_; }

  /// Adds rows that do not exist yet.
  void add_rows(Choices& choices) {
    for (std::size_t count = choices.below(6); count != 0; --count) {
      if (const std::string name = choose_name(choices); names_.insert(name).second)
        tables_.strings.add(name);
    }
    const std::uint64_t strings = tables_.strings.count();
    for (std::size_t count = choices.below(4); count != 0 && strings != 0; --count) {
      const std::tuple type{choose_number(choices, strings), choose_number(choices, strings)};
      if (!types_.insert(type).second) continue;
      tables_.types.repr_name.push_back(std::get<0>(type));
      tables_.types.type_name.push_back(std::get<1>(type));
    }
    for (std::size_t count = choices.below(4); count != 0 && strings != 0; --count) {
      const std::tuple frame{choose_number(choices, strings), choose_number(choices, strings),
                             choose_number(choices, UINT32_MAX), choose_number(choices, strings)};
      if (!frames_.insert(frame).second) continue;
      tables_.static_frames.name.push_back(std::get<0>(frame));
      tables_.static_frames.cuid.push_back(std::get<1>(frame));
      tables_.static_frames.line.push_back(std::get<2>(frame));
      tables_.static_frames.file.push_back(std::get<3>(frame));
    }
  }

 private:
  static std::string choose_name(Choices& choices) {
    constexpr std::array<std::string_view, 12> pieces{
        "a", "\"", "\\", ",", "\",\"", "\"]\n", "\n", "\r\n", "]", "\xC3\xBC", "\xEF\xBF\xBD", "strings: ["};
    std::string name;
    for (std::size_t count = choices.below(5); count != 0; --count)
      name += pieces[choices.below(pieces.size())];
    const std::string bytes(choices.take(choices.below(8)));
    const bool is_text =
        bytes.find('\0') == std::string::npos && !core::find_invalid_utf8(core::as_bytes(bytes));
    return is_text ? name + bytes : name;
  }

  mvmheap::Tables tables_;
  std::set<std::string> names_;
  std::set<std::tuple<std::uint64_t, std::uint64_t>> types_;
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>> frames_;
};

}  // namespace heapcheck::fuzz
