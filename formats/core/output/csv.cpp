#include "formats/core/output/csv.hpp"

namespace heapcheck::core {
namespace {

bool looks_like_formula(std::string_view text) {
  constexpr std::string_view beginnings = "=+-@'\t\r\n";
  return !text.empty() && beginnings.find(text.front()) != std::string_view::npos;
}

}  // namespace

void append_csv_field(std::string_view text, std::string& out) {
  const bool is_marked = looks_like_formula(text);
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    if (is_marked) out += '\'';
    out += text;
    return;
  }
  out += is_marked ? "\"'" : "\"";
  for (const char letter : text) out.append(letter == '"' ? 2 : 1, letter);
  out += '"';
}

}  // namespace heapcheck::core
