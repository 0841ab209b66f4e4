#include "validate/mvmheap/writer_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/core/text/counted.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

using model::CollectableKind;

struct RootCount {
  CollectableKind kind;
  std::string_view name;
  std::uint64_t found = 0;
  std::uint64_t expected = 1;
};

std::array<RootCount, 5> count_roots(const model::Summary& summary) {
  std::array<RootCount, 5> counts{{{CollectableKind::permanent_roots, "permanent roots"},
                                   {CollectableKind::instance_roots, "instance roots"},
                                   {CollectableKind::c_stack_roots, "C stack roots"},
                                   {CollectableKind::thread_roots, "thread roots"},
                                   {CollectableKind::inter_generational_roots, "inter-generational roots"}}};
  for (RootCount& count : counts) count.found = summary.count_of(count.kind);
  std::array<std::uint64_t, 3> per_thread{counts[2].found, counts[3].found, counts[4].found};
  std::ranges::sort(per_thread);
  const bool has_threads = per_thread[1] != 0;  // a single changed kind does not hide them
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const bool is_per_thread = i >= 2;
    if (has_threads && is_per_thread) counts[i].expected = per_thread[1];
    if (!has_threads)
      counts[i].expected = is_per_thread ? counts[i].found : std::min<std::uint64_t>(counts[i].found, 1);
  }
  return counts;
}

/// The wrong count: one that is too large or, failing that, one that is too small.
const RootCount* find_wrong(const std::array<RootCount, 5>& counts) {
  const auto large = std::ranges::find_if(counts, [](const auto& c) { return c.found > c.expected; });
  if (large != counts.end()) return &*large;
  const auto small = std::ranges::find_if(counts, [](const auto& c) { return c.found < c.expected; });
  return small == counts.end() ? nullptr : &*small;
}

/// The last collectable of a kind, or the root if there is none.
std::uint64_t find_last(const SnapshotView& view, CollectableKind kind) {
  const auto& kinds = view.snapshot.collectables.kind;
  for (std::uint64_t i = kinds.count(); i-- > 0;) {
    if (kinds[i] == static_cast<std::uint64_t>(kind)) return i;
  }
  return 0;
}

/// The references of a collectable to its STable.
struct StableUse {
  std::uint64_t count = 0;
  std::uint64_t target = 0;  ///< the target of the last of them
};

/// Looks for collectables that contradict their STable.
class StableSearch {
 public:
  StableSearch(const SnapshotView& view, std::uint64_t name)
      : view_(view), description_(name << kind_bits | string_reference) {}

  std::optional<Finding> run() {
    const std::uint64_t count = view_.snapshot.collectables.count();
    for (std::uint64_t i = 0; i < count; ++i) {
      if (model::is_typed_kind(rows().kind[i])) look_at(i, find_use(i));
    }
    if (wrong_ == 0) return std::nullopt;
    return wrong_ > 1 && shares_target_ ? make_shared() : make_single();
  }

 private:
  [[nodiscard]] const model::Collectables& rows() const { return view_.snapshot.collectables; }

  [[nodiscard]] StableUse find_use(std::uint64_t i) const {
    const auto& references = view_.snapshot.references;
    StableUse use;
    const std::uint64_t start = rows().refs_start[i];
    const std::uint64_t end = start + rows().num_refs[i];
    const auto look_at = [&](const auto& descriptions) {
      for (std::uint64_t r = start; r < end; ++r) {
        if (descriptions[r] != description_) continue;
        ++use.count;
        use.target = references.target[r];
      }
    };
    if (references.description.is_narrow()) {
      look_at(references.description.narrow());
    } else {
      look_at(references.description);
    }
    return use;
  }

  [[nodiscard]] bool is_wrong(std::uint64_t i, const StableUse& use) const {
    if (rows().kind[i] == stable_kind) return use.count != 0;
    return use.count != 1 || rows().kind[use.target] != stable_kind ||
           rows().type_or_frame_index[use.target] != rows().type_or_frame_index[i];
  }

  void look_at(std::uint64_t i, const StableUse& use) {
    if (!is_wrong(i, use)) return;
    if (wrong_++ == 0) {
      first_ = i;
      first_use_ = use;
    }
    shares_target_ = shares_target_ && use.count == 1 && use.target == first_use_.target;
  }

  /// The finding for several collectables that contradict one STable, in which case the STable is wrong.
  [[nodiscard]] Finding make_shared() const {
    const std::uint64_t target = first_use_.target;
    return make_finding(
        view_, rules::refs_stable,
        rows().kind[target] == stable_kind ? Field::collectable_index : Field::collectable_kind, target,
        fmt::format("collectable of kind {} and index {} is the STable of {} of type {}, "
                    "expected an STable of that type",
                    rows().kind[target], rows().type_or_frame_index[target],
                    core::counted(wrong_, "collectable"), rows().type_or_frame_index[first_]));
  }

  [[nodiscard]] Finding make_single() const {
    const std::uint64_t expected = rows().kind[first_] == stable_kind ? 0 : 1;
    std::string message =
        first_use_.count != expected
            ? fmt::format("collectable of kind {} has {} named {}, expected {}", rows().kind[first_],
                          core::counted(first_use_.count, "reference"), stable_name, expected)
            : fmt::format(
                  "collectable has type {} and refers to collectable {} of kind {} and index {} as its "
                  "STable, expected an STable of its type",
                  rows().type_or_frame_index[first_], first_use_.target, rows().kind[first_use_.target],
                  rows().type_or_frame_index[first_use_.target]);
    if (wrong_ > 1) message += fmt::format("; so do {} others", wrong_ - 1);
    return make_finding(view_, rules::refs_stable,
                        first_use_.count != expected ? Field::collectable_num_refs : Field::collectable_index,
                        first_, std::move(message));
  }

  const SnapshotView& view_;
  std::uint64_t description_;
  std::uint64_t wrong_ = 0;
  std::uint64_t first_ = 0;
  StableUse first_use_;
  bool shares_target_ = true;
};

}  // namespace

void check_root_counts(const SnapshotView& view, core::FindingSink& sink) {
  const auto counts = count_roots(view.summary);
  const RootCount* wrong = find_wrong(counts);
  if (wrong == nullptr) return;
  core::report_or_count(sink, make_finding(view, rules::collectable_root_count, Field::collectable_kind,
                                           find_last(view, wrong->kind),
                                           fmt::format("found {} collectables for {}, expected {}",
                                                       wrong->found, wrong->name, wrong->expected)));
}

std::optional<Finding> find_wrong_stable(const SnapshotView& view, std::uint64_t name) {
  if (view.facts.stable_name == name) return std::nullopt;
  return StableSearch(view, name).run();
}

void WriterRules::check(const SnapshotView& view, core::FindingSink& sink) {
  check_root_counts(view, sink);
  const std::uint64_t known = std::min(view.known.strings, tables_->strings.count());
  for (; !name_ && searched_ < known; ++searched_) {
    if (tables_->strings[model::StringIndex{searched_}] == stable_name) name_ = searched_;
  }
  const bool is_late = view.known == model::counts_unknown;
  const auto name = view.facts.stable_name ? view.facts.stable_name : guess_stable_name(view.snapshot);
  if (!name || (!is_late && name != name_)) return;
  auto finding = find_wrong_stable(view, *name);
  if (!finding) return;
  if (!is_late) return core::report_or_count(sink, std::move(*finding));
  late_.push_back({*name, std::move(*finding)});
}

void WriterRules::check_late(core::FindingSink& sink) {
  for (Late& late : late_) {
    const bool is_known = late.name < tables_->strings.count();
    if (is_known && tables_->strings[model::StringIndex{late.name}] == stable_name)
      core::report_or_count(sink, std::move(late.finding));
  }
  late_.clear();
}

}  // namespace heapcheck::validation::mvmheap
