#include "validate/v8/heapsnapshot/readers/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "formats/core/text/counted.hpp"
#include "formats/v8/heapsnapshot/quirks.hpp"

namespace heapcheck::validation::v8::heapsnapshot::readers {
namespace {

using format::HeaderNumber;
using format::TraceTree;

/// The number of functions according to the header. If it is 0, DevTools does not read calls.
std::uint64_t counted_functions(const Snapshot& snapshot) {
  const auto& count = snapshot.header.trace_function_count;
  return count ? count->value : 0;
}

Location locate_count(const Snapshot& snapshot) {
  const auto& count = snapshot.header.trace_function_count;
  return {count ? count->span : snapshot.header.span, std::nullopt,
          count ? "/snapshot/trace_function_count" : "/snapshot"};
}

Location locate_tree(const Snapshot& snapshot) {
  return {snapshot.trace_tree.span, std::nullopt, "/trace_tree"};
}

/// A name that is missing from `meta` although DevTools needs it to read functions and calls; empty if there
/// is none. A rule of the format reports calls if the columns of functions have no names.
std::string_view missing_field(const Snapshot& snapshot) {
  for (const Section section : {Section::trace_function_infos, Section::trace_tree}) {
    const bool is_reported = section == Section::trace_function_infos && !snapshot.trace_tree.id.empty();
    const auto& info = format::sections[format::index_of(section)];
    if (!snapshot.schema.fields[format::index_of(section)] && !is_reported) return info.fields;
  }
  for (const std::string_view field : {"function_info_index", "children"}) {
    if (!snapshot.schema.find_field(Section::trace_tree, field)) return field;
  }
  return {};
}

/// The first node of the tree that is deeper than `limit`.
std::optional<std::size_t> find_deeper(const TraceTree& tree, std::uint64_t limit) {
  std::vector<std::uint32_t> depths;
  for (std::size_t node = 0; node < tree.parent.size(); ++node) {
    const std::uint32_t parent = tree.parent[node];
    depths.push_back(parent == TraceTree::no_parent ? 1 : depths[parent] + 1);
    if (depths.back() > limit) return node;
  }
  return std::nullopt;
}

/// The value as DevTools reads it, using only the digits and not the sign.
std::uint64_t without_sign(std::uint64_t value) {
  return static_cast<std::int64_t>(value) < 0 ? ~value + 1 : value;
}

void report_missing_depth(const Snapshot& snapshot, core::FindingSink& sink) {
  if (!snapshot.is_sound(Section::scopes) || snapshot.table(Section::scopes).row_count() == 0 ||
      snapshot.schema.find_field(Section::scopes, "depth"))
    return;
  sink.report({&rules::devtools_scope_depth,
               {snapshot.schema.span, std::nullopt, "/snapshot/meta/scope_fields"},
               "`scope_fields` has no `depth`"});
}

}  // namespace

bool check_dropped_functions(const Snapshot& snapshot, core::FindingSink& sink) {
  const TraceTree& tree = snapshot.trace_tree;
  if (!snapshot.is_whole || !tree.is_whole() || tree.id.empty() ||
      !snapshot.is_sound(Section::trace_function_infos))
    return false;
  const std::uint64_t counted = counted_functions(snapshot);
  const std::uint64_t there = snapshot.table(Section::trace_function_infos).row_count();
  if (counted == 0) {
    sink.report({&rules::devtools_trace_ignored, locate_count(snapshot),
                 fmt::format("`trace_function_count` is 0 or missing, but there {} {}",
                             tree.id.size() == 1 ? "is" : "are", core::counted(tree.id.size(), "call"))});
    return true;
  }
  // A rule of the format reports other calls of functions that are not in the file at all.
  const bool has_late = format::has_late_functions(snapshot);
  const auto dropped = std::ranges::find_if(tree.function_info_index, [&](std::uint64_t index) {
    return index >= counted && (index < there || has_late);
  });
  if (dropped == tree.function_info_index.end()) return false;
  sink.report({&rules::devtools_trace_functions, locate_count(snapshot),
               fmt::format("`trace_function_count` is {}, but a call refers to function {}, counted from 0",
                           counted, *dropped)});
  return true;
}

void check_trace_for_devtools(const Snapshot& snapshot, const ReaderProfile& reader,
                              core::FindingSink& sink) {
  const TraceTree& tree = snapshot.trace_tree;
  // DevTools reads the tree only if the header counts functions. spec: v8/devtools.md#allocations
  if (counted_functions(snapshot) == 0 || !snapshot.schema.is_sound || !tree.is_present()) return;
  if (const std::string_view field = missing_field(snapshot); !field.empty()) {
    sink.report({&rules::devtools_trace_fields,
                 {snapshot.schema.span, std::nullopt, "/snapshot/meta"},
                 fmt::format("`meta` lacks `{}`", field)});
    return;
  }
  if (!tree.is_whole()) return;
  if (tree.id.empty()) {
    sink.report(
        {&rules::devtools_trace_empty, locate_tree(snapshot),
         fmt::format("the tree is empty, but `trace_function_count` is {}", counted_functions(snapshot))});
  }
  if (const auto node = find_deeper(tree, reader.max_calls)) {
    sink.report({&rules::devtools_trace_depth,
                 {{tree.offsets[*node], 0}, std::nullopt, fmt::format("/trace_tree/{}", *node)},
                 fmt::format("found a call at depth {}, expected at most {}", reader.max_calls + 1,
                             reader.max_calls)});
  }
}

void check_scopes_for_devtools(const Snapshot& snapshot, core::FindingSink& sink) {
  const Field depths(snapshot, Section::scopes, "depth");
  const Field scripts(snapshot, Section::scopes, "script_node_index");
  if (!depths || !scripts) return report_missing_depth(snapshot, sink);
  const format::Table& nodes = snapshot.table(Section::nodes);
  Cases cases(rules::devtools_scope_depth, sink);
  std::uint64_t script = 0;
  std::uint64_t open = 0;  // the number of scopes that may enclose this one
  for_each_value(*depths.column, [&](std::uint64_t row, std::uint64_t value) {
    const std::uint64_t place = (*scripts.column)[row];
    if (!nodes.begins_row(place)) return;  // the rules of the format report this
    if (place != script) open = 0;
    script = place;
    const std::uint64_t depth = without_sign(value);
    if (depth > open) {
      cases.add(depths, row, [&] { return fmt::format("depth is {}, expected at most {}", depth, open); });
    }
    open = std::min(depth, open) + 1;
  });
  cases.report();
}

}  // namespace heapcheck::validation::v8::heapsnapshot::readers
