
#include <fmt/format.h>

#include <algorithm>

#include "validate/chrome/heaps_v2/rules.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {
namespace {

using heapcheck::chrome::heaps_v2::Layout;
using heapcheck::chrome::heaps_v2::Total;

/// The profiling service omits a row only if it is below both limits. spec: chrome/heaps_v2.md#totals
constexpr std::uint64_t pruned_size = 16 * 1024;
constexpr std::uint64_t pruned_count = 1024;

const Total* find_total(const Dump& dump, std::string_view allocator) {
  const auto found = std::ranges::lower_bound(dump.totals, allocator, {}, &Total::allocator);
  return found != dump.totals.end() && found->allocator == allocator ? &*found : nullptr;
}

Location locate_total(const Dump& dump, const Total& total) {
  return dump.totals_place.locate(total.span,
                                  fmt::format("/{}/attrs/size/value", core::escape_key(total.allocator)));
}

std::uint64_t row_count(const Heap& heap) { return heap[HeapColumn::nodes].values.size(); }

/// Returns whether the heap has a row so small that a writer that leaves out small rows would have left it
/// out.
bool has_small_rows(const Heap& heap) {
  const auto& sizes = heap[HeapColumn::sizes].values;
  const auto& counts = heap[HeapColumn::counts].values;
  for (std::size_t row = 0; row < std::min(sizes.size(), counts.size()); ++row) {
    if (sizes[row] < pruned_size && counts[row] < pruned_count) return true;
  }
  return false;
}

/// Returns whether one of the figures differs from the sum even though the others confirm the sum. A total
/// that differs from both of the profiler's figures measures the memory that the allocator obtained from the
/// system.
bool is_odd_one_out(const Total& total, std::uint64_t sum) {
  if (total.size == sum) return total.objects_size && total.objects_size != sum;
  return total.objects_size == sum && total.virtual_size == sum;
}

void report_sum(const Rule& rule, const Dump& dump, const Heap& heap, const Total& total, std::uint64_t sum,
                core::FindingSink& sink) {
  Finding finding{&rule, heaps_v2::locate(dump, heap, HeapColumn::sizes),
                  fmt::format("the sizes add up to {}, expected the total of {}", sum, total.size)};
  finding.related.push_back({locate_total(dump, total), "the total"});
  core::report_or_count(sink, std::move(finding));
}

void report_lost_heaps(const Dump& dump, core::FindingSink& sink) {
  for (const Total& total : dump.totals) {
    const bool is_profiled = total.size != 0 && total.size == total.objects_size;
    if (!is_profiled || std::ranges::find(dump.heaps, total.allocator, &Heap::allocator) != dump.heaps.end())
      continue;
    core::report_or_count(sink,
                          {&rules::total_no_heap, locate_total(dump, total),
                           fmt::format("the total is {}, expected a heap of this allocator", total.size)});
  }
}

/// Whether a trace that contains totals must contain a total for this heap. A name with a slash belongs to
/// part of an allocator, and the allocator's total includes the size of that part.
bool needs_total(const Heap& heap) { return row_count(heap) != 0 && !heap.allocator.contains('/'); }

}  // namespace

bool is_confirmed(const Dump& dump, const Heap& heap, std::uint64_t sum) {
  const Total* const total = find_total(dump, heap.allocator);
  return total != nullptr && total->size == sum && total->objects_size == sum;
}

void check_total(const Dump& dump, const Heap& heap, std::uint64_t sum, core::FindingSink& sink) {
  const Total* const total = find_total(dump, heap.allocator);
  if (total == nullptr) return;
  if (is_odd_one_out(*total, sum)) {
    core::report_or_count(
        sink, {&rules::total_differs, locate_total(dump, *total),
               fmt::format("the two totals are {} and {}, expected both to be {}, the sum of the sizes",
                           total->size, *total->objects_size, sum)});
  }
  if (total->objects_size != total->size || total->size == sum) return;
  const Rule& rule = sum > total->size      ? rules::total_above
                     : has_small_rows(heap) ? rules::total_lost_rows
                                            : rules::total_below;
  report_sum(rule, dump, heap, *total, sum, sink);
}

void check_lost_heaps(const Model& model, const std::vector<std::uint32_t>& dumps, core::FindingSink& sink) {
  const bool has_all_rows = std::ranges::any_of(dumps, [&](std::uint32_t index) {
    return std::ranges::any_of(model.dumps[index].heaps, has_small_rows);
  });
  for (std::size_t i = 0; has_all_rows && i < dumps.size(); ++i) {
    const Dump& dump = model.dumps[dumps[i]];
    if (dump.is_whole) report_lost_heaps(dump, sink);
  }
}

void check_missing_totals(const Model& model, const std::vector<std::uint32_t>& dumps,
                          core::FindingSink& sink) {
  const auto has_total = [&](const Dump& dump, const Heap& heap) {
    return row_count(heap) != 0 && find_total(dump, heap.allocator) != nullptr;
  };
  const bool has_any = std::ranges::any_of(dumps, [&](std::uint32_t index) {
    const Dump& dump = model.dumps[index];
    return std::ranges::any_of(dump.heaps, [&](const Heap& heap) { return has_total(dump, heap); });
  });
  for (std::size_t i = 0; has_any && i < dumps.size(); ++i) {
    const Dump& dump = model.dumps[dumps[i]];
    const auto lost = std::ranges::find_if(dump.heaps, [&](const Heap& heap) {
      return needs_total(heap) && find_total(dump, heap.allocator) == nullptr;
    });
    if (lost == dump.heaps.end() || dump.layout != Layout::heaps_v2) continue;
    core::report_or_count(
        sink,
        {&rules::total_missing, heaps_v2::locate(dump, *lost),
         "found no total of the allocator, expected one because other dumps of the process have totals"});
  }
}

}  // namespace heapcheck::validation::chrome::heaps_v2
