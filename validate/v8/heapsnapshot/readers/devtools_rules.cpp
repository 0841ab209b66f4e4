#include "validate/v8/heapsnapshot/readers/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::readers {
namespace {

using format::index_of;

/// The columns that DevTools looks up by name.
constexpr format::ColumnName known_columns[] = {
    {Section::nodes, "trace_node_id"},
    {Section::trace_function_infos, "name"},
    {Section::trace_function_infos, "script_name"},
    {Section::trace_function_infos, "script_id"},
    {Section::trace_function_infos, "line"},
    {Section::trace_function_infos, "column"},
    {Section::trace_tree, "id"},
    {Section::trace_tree, "count"},
    {Section::trace_tree, "size"},
    {Section::samples, "timestamp_us"},
    {Section::samples, "last_assigned_id"},
    {Section::locations, "object_index"},
    {Section::locations, "script_id"},
    {Section::locations, "line"},
    {Section::locations, "column"},
    {Section::scopes, "script_node_index"},
    {Section::scopes, "scope_id"},
    {Section::scopes, "scope_context_vars_count"},
    {Section::scopes, "scope_uses_count"},
    {Section::scope_context_vars, "name"},
    {Section::scope_uses, "declaring_scope_id"},
    {Section::scope_uses, "slot_index"},
};

/// Whether the section's columns matter only if the header counts functions.
bool is_about_calls(Section section) {
  return section == Section::nodes || section == Section::trace_function_infos ||
         section == Section::trace_tree;
}

constexpr std::string_view known_types[] = {
    "array",         "hidden",   "object",   "native",    "string",   "concatenated string",
    "sliced string", "code",     "closure",  "synthetic", "regexp",   "number",
    "element",       "internal", "shortcut", "weak",      "property",
};

constexpr format::ColumnName function_numbers[] = {
    {Section::trace_function_infos, "script_id"},
    {Section::trace_function_infos, "line"},
    {Section::trace_function_infos, "column"},
};

constexpr format::ColumnName double_columns[] = {
    {Section::samples, "timestamp_us"}, {Section::samples, "last_assigned_id"},
    {Section::locations, "script_id"},  {Section::locations, "line"},
    {Section::locations, "column"},
};
constexpr std::uint64_t largest_double = std::uint64_t{1} << 53;

bool has_rows(const Snapshot& snapshot, Section section) {
  if (section == Section::trace_tree) return !snapshot.trace_tree.id.empty();
  return snapshot.table(section).row_count() != 0;
}

bool counts_functions(const Snapshot& snapshot) {
  const auto& count = snapshot.header.trace_function_count;
  return count && count->value != 0;
}

/// For each type, whether DevTools finds an earlier type when it looks up the name.
std::vector<bool> find_repeated_types(const std::vector<std::string>& names) {
  std::vector<bool> is_repeated(names.size());
  for (const std::string_view known : known_types) {
    const auto first = std::ranges::find(names, known);
    for (auto name = first; name != names.end(); ++name)
      is_repeated[static_cast<std::size_t>(name - names.begin())] = name != first && *name == known;
  }
  return is_repeated;
}

/// Reports nodes or edges of a type that DevTools confuses with an earlier type with the same name.
void check_type_names(const Snapshot& snapshot, Section section, core::FindingSink& sink) {
  const auto* const names = snapshot.schema.find_type_names(section, "type");
  const Field types(snapshot, section, "type");
  if (names == nullptr || !types) return;
  const std::vector<bool> is_wrong = find_repeated_types(*names);
  if (std::ranges::find(is_wrong, true) == is_wrong.end()) return;
  Cases cases(rules::devtools_type_name, sink);
  for_each_value(*types.column, [&](std::uint64_t row, std::uint64_t type) {
    if (type >= is_wrong.size() || !is_wrong[static_cast<std::size_t>(type)]) return;
    cases.add(types, row, [&] {
      return fmt::format("type is {}, but an earlier type is also called `{}`", type,
                         core::make_excerpt((*names)[static_cast<std::size_t>(type)]));
    });
  });
  cases.report();
}

/// Reports one finding for all negative numbers in scopes, because every V8 snapshot with scopes contains
/// some.
void check_negative_scopes(const Snapshot& snapshot, core::FindingSink& sink) {
  std::uint64_t count = 0;
  std::int64_t first = 0;
  for (const Section section : {Section::scopes, Section::scope_context_vars, Section::scope_uses}) {
    const auto found = find_negative(snapshot, section);
    if (!found) continue;
    if (count == 0) first = found->value;
    count += found->count;
  }
  if (count == 0) return;
  sink.report({&rules::devtools_negative,
               {snapshot.table(Section::scopes).span, std::nullopt, "/scopes"},
               fmt::format("found {} (the first is {}), expected none",
                           core::counted(count, "negative number"), first)});
}

void check_tree_numbers(const Snapshot& snapshot, core::FindingSink& sink) {
  const format::TraceTree& tree = snapshot.trace_tree;
  if (!tree.is_whole()) return;
  for (const auto& [name, column] : {std::pair{"count", &tree.count}, {"size", &tree.size}}) {
    for (std::size_t node = 0; node < column->size(); ++node) {
      if ((*column)[node] <= largest_double) continue;
      core::report_or_count(
          sink, {&rules::devtools_precision,
                 {{tree.offsets[node], 0}, std::nullopt, fmt::format("/trace_tree/{}/{}", node, name)},
                 fmt::format("{} is {}, expected at most {}", name, (*column)[node], largest_double)});
    }
  }
}

}  // namespace

void check_header_for_devtools(const Snapshot& snapshot, core::FindingSink& sink) {
  const auto& root = snapshot.header.root_index;
  if (root && root->value != 0) {
    sink.report({&rules::devtools_root_index,
                 {root->span, std::nullopt, "/snapshot/root_index"},
                 fmt::format("`root_index` is {}, expected 0", root->value)});
  }
  const auto& bytes = snapshot.header.extra_native_bytes;
  if (!bytes || bytes->value <= largest_double) return;
  sink.report({&rules::devtools_precision,
               {bytes->span, std::nullopt, "/snapshot/extra_native_bytes"},
               fmt::format("`extra_native_bytes` is {}, expected at most {}", bytes->value, largest_double)});
}

void check_columns_for_devtools(const Snapshot& snapshot, core::FindingSink& sink) {
  if (!snapshot.schema.is_sound) return;
  for (const format::ColumnName& known : known_columns) {
    const auto& fields = snapshot.schema.fields[index_of(known.section)];
    if (!fields || !has_rows(snapshot, known.section)) continue;
    if (is_about_calls(known.section) && !counts_functions(snapshot)) continue;
    if (snapshot.schema.find_field(known.section, known.field)) continue;
    const std::string_view name = format::sections[index_of(known.section)].fields;
    core::report_or_count(sink, {&rules::devtools_column,
                                 {snapshot.schema.span, std::nullopt, fmt::format("/snapshot/meta/{}", name)},
                                 fmt::format("`{}` has no `{}`", name, known.field)});
  }
  // DevTools reads two numbers for each sample, whatever `meta` says.
  const auto& samples = snapshot.schema.fields[index_of(Section::samples)];
  if (samples && samples->size() != 2 && has_rows(snapshot, Section::samples)) {
    sink.report(
        {&rules::devtools_sample_fields,
         {snapshot.schema.span, std::nullopt, "/snapshot/meta/sample_fields"},
         fmt::format("`sample_fields` names {}, expected 2", core::counted(samples->size(), "column"))});
  }
  check_type_names(snapshot, Section::nodes, sink);
  check_type_names(snapshot, Section::edges, sink);
}

void check_numbers_for_devtools(const Snapshot& snapshot, core::FindingSink& sink) {
  check_widths(snapshot, graph_numbers, largest_unsigned, rules::devtools_wrap, sink);
  check_widths(snapshot, function_numbers, largest_unsigned, rules::devtools_wrap, sink);
  check_widths(snapshot, double_columns, largest_double, rules::devtools_precision, sink);
  check_tree_numbers(snapshot, sink);
  check_dropped_signs(snapshot, signed_sections, "DevTools", rules::devtools_negative, sink);
  check_negative_scopes(snapshot, sink);
  const Field states(snapshot, Section::nodes, "detachedness");
  if (!states) return;
  Cases cases(rules::devtools_detachedness, sink);
  for_each_above(*states.column, 3, [&](std::uint64_t row, std::uint64_t state) {
    cases.add(states, row, [&] { return fmt::format("detachedness is {}, expected at most 3", state); });
  });
  cases.report();
}

}  // namespace heapcheck::validation::v8::heapsnapshot::readers
