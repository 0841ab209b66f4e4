#include "validate/v8/heapsnapshot/trace_rules.hpp"

#include <fmt/format.h>

#include "formats/core/checked.hpp"
#include "formats/core/finding_groups.hpp"
#include "formats/v8/heapsnapshot/context.hpp"
#include "formats/v8/heapsnapshot/quirks.hpp"
#include "validate/v8/heapsnapshot/distinct.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

using format::TraceTree;

Location locate(const TraceTree& tree, std::size_t node, std::string_view field) {
  return {{tree.offsets[node], 0}, std::nullopt, fmt::format("/trace_tree/{}/{}", node, field)};
}

/// The reason why no functions are known to which calls could refer; empty if functions are known, or if
/// another finding states the reason.
std::string find_missing_functions(const Snapshot& snapshot) {
  constexpr auto functions = Section::trace_function_infos;
  if (!snapshot.schema.is_sound || !snapshot.trace_tree.is_whole() || snapshot.trace_tree.id.empty())
    return {};
  if (!snapshot.has(functions) && !format::is_announced(functions, snapshot))
    return fmt::format("there are calls, but no `{}`", format::name_of(functions));
  const auto& fields = snapshot.schema.fields[format::index_of(functions)];
  if (!snapshot.has(functions) || fields) return {};
  return fmt::format("there are calls, but `meta` has no `{}`",
                     format::sections[format::index_of(functions)].fields);
}

void check_functions(const Snapshot& snapshot, core::FindingSink& sink) {
  const format::Table& functions = snapshot.table(Section::trace_function_infos);
  if (std::string missing = find_missing_functions(snapshot); !missing.empty()) {
    sink.report({&rules::trace_tree_function,
                 {snapshot.trace_tree.span, std::nullopt, "/trace_tree"},
                 std::move(missing)});
    return;
  }
  if (!snapshot.is_sound(Section::trace_function_infos))
    return sink.skip({"/trace_tree", "not all functions are known"});
  const TraceTree& tree = snapshot.trace_tree;
  const bool has_late = format::has_late_functions(snapshot);
  const Rule& rule = has_late ? rules::trace_tree_late_function : rules::trace_tree_function;
  core::FindingGroups findings(sink, rule);
  for (std::size_t node = 0; node < tree.id.size(); ++node) {
    const std::uint64_t index = tree.function_info_index[node];
    if (index < functions.row_count()) continue;
    findings.add([&] {
      return Finding{
          &rule, locate(tree, node, "function_info_index"),
          fmt::format("function_info_index is {}, expected less than {}{}", index, functions.row_count(),
                      has_late ? " because V8 had already written the functions" : "")};
    });
  }
  findings.report();
}

void check_tree_ids(const TraceTree& tree, core::FindingSink& sink) {
  core::FindingGroups findings(sink, rules::trace_tree_id);
  for (const Repeated& id : find_repeated(tree.id)) {
    findings.add([&] {
      return Finding{&rules::trace_tree_id, locate(tree, static_cast<std::size_t>(id.row), "id"),
                     fmt::format("id is {}, the same as that of an earlier call", id.value)};
    });
  }
  findings.report();
}

void check_roots(const TraceTree& tree, core::FindingSink& sink) {
  for (std::size_t node = 0; node < tree.id.size(); ++node) {
    if (tree.parent[node] != TraceTree::no_parent) continue;
    if (node == 0 && tree.id[0] == 1) continue;
    std::string message = node == 0 ? fmt::format("the root has id {}, expected 1", tree.id[0])
                                    : "found an additional root, expected only one";
    core::report_or_count(sink, {&rules::trace_tree_root, locate(tree, node, "id"), std::move(message)});
  }
}

/// Checks that the values of a column do not decrease.
void check_rising(const Field& field, core::FindingSink& sink) {
  if (!field) return;
  Cases cases(rules::samples_order, sink);
  std::uint64_t before = 0;
  for_each_value(*field.column, [&](std::uint64_t row, std::uint64_t value) {
    if (value < before)
      cases.add(field, row,
                [&] { return fmt::format("{} is {}, expected at least {}", field.name, value, before); });
    before = value;
  });
  cases.report();
}

std::uint64_t sum(const Field& field) {
  std::uint64_t total = 0;
  for_each_value(*field.column,
                 [&](std::uint64_t, std::uint64_t value) { total = core::saturating_add(total, value); });
  return total;
}

void check_scope_count(const Snapshot& snapshot, std::string_view count, Section of,
                       core::FindingSink& sink) {
  const Field counts(snapshot, Section::scopes, count);
  const format::Table& rows = snapshot.table(of);
  if (!counts || !snapshot.is_sound(of) || rows.columns.empty()) return;
  const std::uint64_t said = sum(counts);
  if (said == rows.row_count()) return;
  sink.report({&rules::scopes_counts,
               {snapshot.table(Section::scopes).span, std::nullopt, "/scopes"},
               fmt::format("the `{}` values add up to {}, but the number of rows in `{}` is {}", count, said,
                           name_of(of), rows.row_count())});
}

}  // namespace

void check_trace_tree(const Snapshot& snapshot, core::FindingSink& sink) {
  const TraceTree& tree = snapshot.trace_tree;
  if (!tree.is_whole()) return;
  check_functions(snapshot, sink);
  check_tree_ids(tree, sink);
  check_roots(tree, sink);
}

void check_samples(const Snapshot& snapshot, core::FindingSink& sink) {
  const Field times(snapshot, Section::samples, "timestamp_us");
  check_rising(times, sink);
  check_rising(Field(snapshot, Section::samples, "last_assigned_id"), sink);
  if (!times || times.column->count() == 0 || (*times.column)[0] == 0) return;
  Cases cases(rules::samples_start, sink);
  cases.add(times, 0,
            [&] { return fmt::format("the first sample has a time of {}, expected 0", (*times.column)[0]); });
  cases.report();
}

void check_scope_counts(const Snapshot& snapshot, core::FindingSink& sink) {
  check_scope_count(snapshot, "scope_context_vars_count", Section::scope_context_vars, sink);
  check_scope_count(snapshot, "scope_uses_count", Section::scope_uses, sink);
}

}  // namespace heapcheck::validation::v8::heapsnapshot
