#include "validate/v8/heapsnapshot/readers/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/text/counted.hpp"
#include "formats/v8/heapsnapshot/context.hpp"

namespace heapcheck::validation::v8::heapsnapshot::readers {
namespace {

using format::index_of;

/// Sections that memlab cuts out of the text.
constexpr Section cut_sections[] = {Section::nodes, Section::edges, Section::locations};

constexpr format::ColumnName location_numbers[] = {
    {Section::locations, "script_id"},
    {Section::locations, "line"},
    {Section::locations, "column"},
};

void check_name(const Snapshot& snapshot, Section section, core::FindingSink& sink) {
  if (!snapshot.has(section)) return;
  const format::Key& key = snapshot.text.keys[index_of(section)];
  const std::string_view name = name_of(section);
  const auto earlier = std::ranges::find_if(snapshot.text.marks, [&](const format::TextMark& mark) {
    return mark.is_key && mark.text == name && mark.offset < key.span.offset;
  });
  std::string found;
  if (!key.is_plain) {
    found = "the key is spelled with escapes, expected none";
  } else if (!key.is_tight) {
    found = "white space follows the key, expected a colon";
  } else if (earlier != snapshot.text.marks.end()) {
    found = fmt::format("the same key also occurs earlier, at byte {}", earlier->offset);
  }
  if (found.empty()) return;
  sink.report({&rules::memlab_section_name, {key.span, std::nullopt, fmt::format("/{}", name)}, found});
}

/// Checks that only a comma separates the header from the nodes.
void check_nodes_first(const Snapshot& snapshot, core::FindingSink& sink) {
  if (!snapshot.header.is_present || !snapshot.has(Section::nodes)) return;
  const format::Key& header = snapshot.text.header;
  const std::uint64_t nodes = snapshot.text.keys[index_of(Section::nodes)].span.offset;
  std::string found;
  if (!header.is_plain || !header.is_tight)
    found = "the key of the header is spelled differently, expected `\"snapshot\":`";
  if (const Section first = snapshot.order.front();
      first != Section::nodes && !format::is_announced(first, snapshot))
    found = fmt::format("`{}` comes between the header and the nodes, expected no section", name_of(first));
  for (const Span& other : snapshot.text.others) {
    if (other.offset > header.span.offset && other.offset < nodes)
      found = "found an unknown member between the header and the nodes, expected none";
  }
  if (found.empty()) return;
  sink.report({&rules::memlab_nodes_first, {header.span, std::nullopt, "/snapshot"}, found});
}

void check_length(const Snapshot& snapshot, const ReaderProfile& reader, core::FindingSink& sink) {
  const Span strings = snapshot.strings.span;
  std::uint64_t length = strings.end();
  for (const Section section : cut_sections) {
    if (const Span span = snapshot.table(section).span; span.offset < strings.offset)
      length -= std::min(length, span.length);
  }
  if (length <= reader.max_text) return;
  sink.report({&rules::memlab_text_length,
               {strings, std::nullopt, "/strings"},
               fmt::format("there are {} characters outside nodes, edges and locations, expected at most {}",
                           length, reader.max_text)});
}

void check_locations(const Snapshot& snapshot, core::FindingSink& sink) {
  const auto& fields = snapshot.schema.fields[index_of(Section::locations)];
  const format::Table& locations = snapshot.table(Section::locations);
  if (!snapshot.schema.is_sound || locations.value_count == 0 || fields) return;
  sink.report({&rules::memlab_locations,
               {locations.span, std::nullopt, "/locations"},
               fmt::format("`locations` contains {}, but `meta` has no `location_fields`",
                           core::counted(locations.value_count, "number"))});
}

}  // namespace

void check_for_memlab(const Snapshot& snapshot, const ReaderProfile& reader, core::FindingSink& sink) {
  if (!snapshot.is_whole) return;
  for (const Section section : cut_sections) check_name(snapshot, section, sink);
  check_nodes_first(snapshot, sink);
  check_length(snapshot, reader, sink);
  check_locations(snapshot, sink);
  if (const auto& root = snapshot.header.root_index; root && root->value != 0) {
    sink.report({&rules::memlab_root_index,
                 {root->span, std::nullopt, "/snapshot/root_index"},
                 fmt::format("`root_index` is {}, expected 0", root->value)});
  }
  check_dropped_signs(snapshot, cut_sections, "memlab", rules::memlab_negative, sink);
  check_widths(snapshot, graph_numbers, largest_unsigned, rules::memlab_wrap, sink);
  check_widths(snapshot, location_numbers, largest_unsigned, rules::memlab_wrap, sink);
}

}  // namespace heapcheck::validation::v8::heapsnapshot::readers
