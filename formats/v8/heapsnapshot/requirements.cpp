#include "formats/v8/heapsnapshot/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/core/text/excerpt.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

/// The columns that readers need. All other columns may be missing.
std::span<const std::string_view> required_fields(Section section) {
  if (section == Section::edges) return edge_fields;
  return std::span(node_fields).first(common_node_fields);
}

/// Columns are looked up by name, so no two columns may have the same name.
void check_repeated_fields(Context& context, Snapshot& snapshot) {
  for (std::size_t i = 0; i < section_count; ++i) {
    if (!snapshot.schema.fields[i]) continue;
    const std::vector<std::string>& fields = *snapshot.schema.fields[i];
    std::vector<std::string_view> names(fields.begin(), fields.end());
    std::ranges::sort(names);
    const auto repeated = std::ranges::adjacent_find(names);
    if (repeated == names.end()) continue;
    snapshot.schema.is_wrong_list[i] = true;
    context.report(rules::meta_field, snapshot.schema.span,
                   fmt::format("/snapshot/meta/{}", sections[i].fields),
                   fmt::format("`{}` names the column `{}` twice, expected once", sections[i].fields,
                               core::make_excerpt(*repeated)));
  }
}

void check_fields(Context& context, Snapshot& snapshot) {
  for (const Section section : {Section::nodes, Section::edges}) {
    const auto& info = sections[index_of(section)];
    if (!snapshot.schema.fields[index_of(section)]) {
      context.report(rules::meta_field, snapshot.schema.span, "/snapshot/meta",
                     fmt::format("`meta` has no `{}`, expected the names of the columns", info.fields));
      continue;
    }
    // The type is an index into these names. Without them, nodes and edges have no kinds.
    if (snapshot.schema.find_field(section, "type") &&
        snapshot.schema.find_type_names(section, "type") == nullptr) {
      context.report(rules::meta_field, snapshot.schema.span, "/snapshot/meta",
                     fmt::format("`meta` has no names for the types of `{}`", info.name));
    }
    for (const std::string_view required : required_fields(section)) {
      if (snapshot.schema.find_field(section, required)) continue;
      snapshot.schema.is_wrong_list[index_of(section)] = true;
      context.report(rules::meta_field, snapshot.schema.span, fmt::format("/snapshot/meta/{}", info.fields),
                     fmt::format("`{}` has no `{}`, which readers need", info.fields, required));
    }
  }
}

void check_counts(Context& context, const Header& header) {
  for (const auto& [name, count] :
       {std::pair{"node_count", &header.node_count}, {"edge_count", &header.edge_count}}) {
    if (!*count)
      context.report(rules::header_count, header.span, "/snapshot",
                     fmt::format("the header has no `{}`", name));
  }
}

Span span_of(Section section, const Snapshot& snapshot) {
  if (section == Section::trace_tree) return snapshot.trace_tree.span;
  return section == Section::strings ? snapshot.strings.span : snapshot.table(section).span;
}

/// The place of a missing section: after the section that V8 writes before it, or after the header.
Span find_place(std::size_t missing, const Snapshot& snapshot) {
  while (missing-- > 0) {
    const auto section = static_cast<Section>(missing);
    if (snapshot.has(section)) return {span_of(section, snapshot).end(), 0};
  }
  return {snapshot.header.span.end(), 0};
}

/// Reports all missing sections at the place of the first one.
void check_sections(Context& context, const Snapshot& snapshot) {
  std::vector<std::string> missing;
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < section_count; ++i) {
    const auto section = static_cast<Section>(i);
    if (!is_announced(section, snapshot) || snapshot.has(section)) continue;
    first = first.value_or(i);
    missing.push_back(fmt::format("`{}`", name_of(section)));
  }
  if (!first) return;
  context.report(rules::section_missing, find_place(*first, snapshot),
                 fmt::format("/{}", sections[*first].name),
                 fmt::format("the {} {} {} missing", missing.size() == 1 ? "section" : "sections",
                             fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are"));
}

}  // namespace

bool is_announced(Section section, const Snapshot& snapshot) {
  if (section == Section::nodes || section == Section::edges || section == Section::strings) return true;
  if (section == Section::trace_function_infos || section == Section::trace_tree) {
    const auto& count = snapshot.header.trace_function_count;
    return count && count->value != 0;
  }
  return snapshot.schema.fields[index_of(section)].has_value();
}

void check_requirements(Context& context, Snapshot& snapshot) {
  const Header& header = snapshot.header;
  if (!header.is_present)
    return context.report(rules::section_missing, {}, "/snapshot", "the header `snapshot` is missing");
  if (header.is_sound) check_counts(context, header);
  if (header.is_sound && !snapshot.schema.is_present)
    context.report(rules::meta_field, header.span, "/snapshot",
                   "the header has no `meta`, expected the names of the columns");
  if (snapshot.schema.is_sound) {
    check_fields(context, snapshot);
    check_repeated_fields(context, snapshot);
  }
  check_sections(context, snapshot);
}

}  // namespace heapcheck::v8::heapsnapshot
