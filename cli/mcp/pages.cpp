#include "cli/mcp/pages.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "formats/core/text/excerpt.hpp"
#include "heapcheck/ask.hpp"

namespace heapcheck::cli::mcp {
namespace {

/// How much of each value is kept.
struct Room {
  std::size_t text;     ///< bytes of a string
  std::size_t numbers;  ///< numbers in a list, which are ids, or values in several snapshots
  std::size_t rows;     ///< rows of a table in a row
};

/// From the usual room to the least, with which a row always fits.
constexpr Room rooms[] = {{400, 6, 40}, {120, 4, 12}, {60, 2, 4}, {40, 2, 1}};

/// Keeps the start and the end, which say most: of a path, and of values in several snapshots.
template <class Rows>
bool cut_middle(Rows& rows, std::size_t most) {
  if (rows.size() <= most) return false;
  const auto first = static_cast<std::ptrdiff_t>(most / 2);
  const auto last = static_cast<std::ptrdiff_t>(rows.size() - (most - most / 2));
  rows.erase(rows.begin() + first, rows.begin() + last);
  return true;
}

bool shorten(std::vector<std::vector<Cell>>& rows, const Room& room);

bool shorten(std::string& text, const Room& room) {
  if (text.size() <= room.text) return false;
  text = core::make_excerpt(text, room.text);
  return true;
}

/// Shortens the value, and returns whether that was necessary.
bool shorten(Cell& cell, const Room& room) {
  if (auto* text = std::get_if<std::string>(&cell)) return shorten(*text, room);
  if (auto* place = std::get_if<Place>(&cell)) return shorten(place->file, room);
  if (auto* list = std::get_if<std::vector<std::uint64_t>>(&cell)) return cut_middle(*list, room.numbers);
  auto* tables = std::get_if<std::vector<Table>>(&cell);
  if (tables == nullptr) return false;
  const bool is_cut = cut_middle(tables->front().rows, room.rows);
  return shorten(tables->front().rows, room) || is_cut;
}

bool shorten(std::vector<std::vector<Cell>>& rows, const Room& room) {
  bool is_shortened = false;
  for (auto& row : rows) {
    for (Cell& cell : row) is_shortened = shorten(cell, room) || is_shortened;
  }
  return is_shortened;
}

/// Writes the first `count` rows.
void write(AnswerPage& page, std::size_t count, const Room& room) {
  Answer shown = page.rows;
  shown.table.rows.resize(count);
  page.is_shortened = shorten(shown.table.rows, room);
  for (auto& [key, value] : shown.facts) page.is_shortened = shorten(value, room) || page.is_shortened;
  page.json = make_compact(to_json(shown));
}

}  // namespace

AnswerPage make_page(const Answer& answer, std::size_t first, const PageSize& size,
                     const std::function<bool()>& is_stopped) {
  AnswerPage page;
  page.rows = take_rows(answer, first, size.most_rows, is_stopped);
  page.count = count_rows(answer);
  page.rows.limit = SIZE_MAX;
  std::size_t count = std::min(page.rows.table.rows.size(), size.most_rows);
  for (Room room : rooms) {
    if (room.text == rooms[0].text) room.text = size.most_text;
    write(page, count, room);
    while (page.json.size() > size.most_bytes && count > 1) {
      // Rows are about equally long, so this takes few steps.
      count = std::clamp<std::size_t>(count * size.most_bytes / page.json.size(), 1, count - 1);
      write(page, count, room);
    }
    if (page.json.size() <= size.most_bytes) break;
  }
  page.rows.table.rows.resize(count);
  page.end = std::min(first, page.count) + count;
  return page;
}

std::string make_compact(std::string_view json) {
  std::string out;
  bool is_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    const bool is_escape = is_text && c == '\\';
    if (!is_text && (c == ' ' || c == '\n')) continue;
    if (c == '"') is_text = !is_text;
    out += c;
    if (is_escape) out += json[++i];
  }
  return out;
}

}  // namespace heapcheck::cli::mcp
