// heapcheck info for V8's files.
#include <fmt/format.h>

#include <iterator>

#include "cli/info.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::cli {
namespace {

/// The headings of a table; `width` is the width of the first column.
struct TableWords {
  std::string_view kind;
  std::string_view count;
  int width;
};
constexpr TableWords part_words{"part", "count", 13};
constexpr TableWords section_words{"section", "rows", 21};

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + core::make_excerpt(name);
  return text;
}

void append_blocks(std::string& out, const std::vector<FileBlock>& blocks, const TableWords& words) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  {:<{}} {:>12} {:>12} {:>10}\n", words.kind, words.width, "offset", "bytes",
                 words.count);
  for (const FileBlock& block : blocks)
    fmt::format_to(to, "  {:<{}} {:>12} {:>12} {:>10}\n", block.kind, words.width, block.span.offset,
                   block.span.length, block.count);
}

/// Returns a function that writes a row, whose kind and count become members with these names.
auto write_block(std::string_view kind, std::string_view count) {
  return [kind, count](core::JsonWriter& json, const FileBlock& block) {
    write_member(json, kind, block.kind);
    write_numbers(json, {{"offset", block.span.offset}, {"length", block.span.length}, {count, block.count}});
  };
}

}  // namespace

void append_text(std::string& out, const ProfileSummary& profile) {
  append_blocks(out, profile.parts, part_words);
}

void append_text(std::string& out, const SnapshotSummary& snapshot) {
  for (const auto& [section, names] : snapshot.columns)
    fmt::format_to(std::back_inserter(out), "  {}: {}\n", section, join(names));
  append_blocks(out, snapshot.sections, section_words);
}

void write_json(core::JsonWriter& json, const ProfileSummary& profile) {
  write_rows(json, "parts", profile.parts, write_block("kind", "count"));
}

void write_json(core::JsonWriter& json, const SnapshotSummary& snapshot) {
  json.key("meta");
  json.begin_object();
  for (const auto& [section, names] : snapshot.columns) {
    json.key(section);
    json.begin_array();
    for (const std::string& name : names) json.string(name);
    json.end_array();
  }
  json.end_object();
  write_rows(json, "sections", snapshot.sections, write_block("name", "rows"));
}

}  // namespace heapcheck::cli
