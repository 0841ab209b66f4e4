#include "validate/v8/heapsnapshot/check.hpp"

#include <atomic>

#include "formats/core/held_sink.hpp"
#include "formats/v8/heapsnapshot/reader.hpp"
#include "validate/side_by_side.hpp"
#include "validate/v8/heapsnapshot/consistency/consistency_rules.hpp"
#include "validate/v8/heapsnapshot/consistency/meta_order.hpp"
#include "validate/v8/heapsnapshot/readers/rules.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"
#include "validate/v8/heapsnapshot/trace_rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

/// What the counts say about the graph.
struct GraphCounts {
  GraphSoundness soundness;
  bool match_header = false;
};

/// Checks references to nodes from rows other than edges, if all nodes were read.
GraphCounts check_counts(const Snapshot& snapshot, core::FindingSink& sink) {
  core::Tally counts(sink);
  const GraphSoundness soundness = check_graph_counts(snapshot, counts);
  if (soundness.nodes) check_other_places(snapshot, sink);
  return {.soundness = soundness, .match_header = counts.clean()};
}

/// Follows the edges from the root if the counts show to which nodes they belong. Returns whether all edges
/// are known to lead to nodes.
bool follow_edges(const Snapshot& snapshot, const GraphCounts& counts, core::FindingSink& sink) {
  if (!counts.soundness.nodes) return false;
  if (counts.soundness.graph && counts.match_header && check_reachability(snapshot, sink)) return true;
  core::Tally tally(sink);
  check_targets_of_edges(snapshot, tally);
  return tally.clean();
}

/// Checks the strings and the references to them. Returns whether all references can be trusted.
bool check_names(const Snapshot& snapshot, core::FindingSink& sink) {
  if (!snapshot.strings.is_sound()) {
    sink.skip({"/strings", "not all strings are known"});
    return false;
  }
  core::Tally tally(sink);
  check_strings(snapshot, tally);
  check_string_indices(snapshot, tally);
  return tally.clean();
}

/// Checks the header's count of the functions that allocated memory. If DevTools fails because of the count,
/// reports only that.
void check_function_count(const Snapshot& snapshot, const ReaderProfile& reader, core::FindingSink& sink) {
  if (reader.which == Reader::devtools && readers::check_dropped_functions(snapshot, sink)) return;
  check_trace_function_count(snapshot, sink);
}

void check_for_reader(const Snapshot& snapshot, const ReaderProfile& reader, core::FindingSink& sink) {
  if (reader.which == Reader::memlab) readers::check_for_memlab(snapshot, reader, sink);
  if (reader.which != Reader::devtools) return;
  readers::check_text_for_devtools(snapshot, reader, sink);
  readers::check_header_for_devtools(snapshot, sink);
  readers::check_columns_for_devtools(snapshot, sink);
  readers::check_numbers_for_devtools(snapshot, sink);
  readers::check_trace_for_devtools(snapshot, reader, sink);
  readers::check_scopes_for_devtools(snapshot, sink);
}

/// The sections in which negative numbers only lead to a note, because the reader does not drop their signs.
std::span<const Section> find_noted_sections(Reader reader) {
  static constexpr std::array parsed_by_memlab{Section::trace_function_infos};
  if (reader == Reader::devtools) return {};
  if (reader == Reader::memlab) return parsed_by_memlab;
  return signed_sections;
}

/// Checks the rows, the graph and the names, on several threads.
void check_graph(const Snapshot& snapshot, const ReaderProfile& reader, unsigned threads,
                 core::FindingSink& sink) {
  GraphCounts counts;
  bool has_names = false;
  const SideCheck parts[] = {
      [&](core::FindingSink& held) {
        check_signed(snapshot, find_noted_sections(reader.which), held);
        check_nodes(snapshot, held);
        check_edges(snapshot, held);
      },
      [&](core::FindingSink& held) { counts = check_counts(snapshot, held); },
      [&](core::FindingSink& held) { has_names = check_names(snapshot, held); },
  };
  check_side_by_side(threads, parts, sink);
  // If edges lead to wrong places, the rows may be misaligned, and the findings about consistency are
  // dropped.
  core::HeldSink consistency(sink);
  std::atomic<bool> are_edges_right = true;
  const SideCheck searches[] = {
      [&](core::FindingSink& held) { are_edges_right = follow_edges(snapshot, counts, held); },
      [&](core::FindingSink&) {
        if (are_edges_right && counts.soundness.graph && snapshot.strings.is_sound())
          consistency::check_consistency(snapshot, has_names, consistency);
      },
  };
  check_side_by_side(threads, searches, sink);
  if (are_edges_right) consistency.flush();
}

/// Runs all checks that were not already made during reading.
void check_content(const Snapshot& snapshot, const ReaderProfile& reader, unsigned threads,
                   core::FindingSink& sink) {
  check_lengths(snapshot, sink);
  check_graph(snapshot, reader, threads, sink);
  check_repeated_locations(snapshot, sink);
  check_function_count(snapshot, reader, sink);
  check_trace_tree(snapshot, sink);
  check_samples(snapshot, sink);
  check_scope_counts(snapshot, sink);
  check_for_reader(snapshot, reader, sink);
}

constexpr const char* rows_are_unknown = "it is unknown which columns and types the rows have";

/// Checks a snapshot whose columns or types are not in V8's order. If rows contradict that order, this is
/// reported instead of the errors in the rows.
void check_other_order(const Snapshot& snapshot, const consistency::MetaOrder& order,
                       const ReaderProfile& reader, unsigned threads, core::FindingSink& sink) {
  consistency::FindingCounts others;
  check_content(snapshot, {}, threads, others);
  if (!consistency::report_order(snapshot, order, others, sink))
    return check_content(snapshot, reader, threads, sink);
  consistency::OtherFindings rest(sink);
  check_content(snapshot, {}, threads, rest);
  sink.skip({"/nodes", rows_are_unknown});
}

}  // namespace

Snapshot check(core::Window& window, const Limits& limits, core::FindingSink& sink,
               const ReaderProfile& reader) {
  const bool with_text = reader.which != Reader::none;
  Snapshot snapshot = format::read_snapshot(window, limits, sink, with_text);
  const auto order = consistency::find_other_order(snapshot.schema);
  if (!order) {
    check_content(snapshot, reader, limits.max_threads, sink);
  } else if (snapshot.is_sound(Section::nodes) && snapshot.is_sound(Section::edges)) {
    check_other_order(snapshot, *order, reader, limits.max_threads, sink);
  } else {
    sink.skip({"/nodes", rows_are_unknown});
  }
  return snapshot;
}

bool contradicts_meta(const Snapshot& snapshot) {
  consistency::FindingCounts counts;
  check_content(snapshot, {}, 1, counts);
  return consistency::is_contradicted(snapshot, counts);
}

}  // namespace heapcheck::validation::v8::heapsnapshot
