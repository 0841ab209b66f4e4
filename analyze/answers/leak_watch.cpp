#include "analyze/answers/leak_watch.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "analyze/answers/rows.hpp"
#include "analyze/answers/suspect_rows.hpp"
#include "analyze/rising_leaks.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::analyze::answers {
namespace {

void show_leak(const Heap& heap, const Suspect& leak, GrowingLeak& growing) {
  growing.fingerprint = leak.fingerprint;
  growing.reason = make_reason(heap.graph(), leak, true, SuspectForm::leak);
  growing.shown_path = show_path_to(heap.graph(), leak.path, heap.suspect_sizes());
  growing.path = make_steps(heap.graph(), leak.path, heap.suspect_sizes());
  growing.path.key = "path";
}

}  // namespace

void LeakWatch::add_step(const AskedHeap& last, const AskedHeap& next, bool share_ids) {
  ++step_count_;
  const double least = resolve(amount_, static_cast<double>(next.heap->total().size));
  if (!share_ids && !since_) {
    since_ = last;
    history_.add(*last.heap);
  }
  if (since_) {
    history_.add(*next.heap);
    least_.push_back(least);
    last_ = next;
    return;
  }
  for (const RisingLeak& found : find_rising_leaks(*last.heap, *next.heap, least)) {
    GrowingLeak& growing = by_id_[found.leak.fingerprint];
    ++growing.step_count;
    // Other things may have grown in the same holder.
    growing.growth = core::saturating_add(growing.growth, std::min(found.growth, found.leak.retained));
    show_leak(*next.heap, found.leak, growing);  // as in the last step in which it grows
  }
}

/// A leak in the last snapshot, if it also grew in enough of the steps. Snapshots without ids are not taken
/// when the user asks for them, but when the runtime collects garbage. Some of them come too early for a leak
/// to grow, and the first ones may come while the program starts. Therefore, a leak must grow in half of the
/// steps, and make at least a quarter of all its gains in those of them that are in the later half. What only
/// changes its place from time to time loses about as much as it gains.
std::optional<GrowingLeak> LeakWatch::find_estimated(const Suspect& leak) const {
  const std::vector<double> growth = history_.find_growth(leak);
  const std::size_t later = growth.size() / 2;
  const auto before = by_id_.find(leak.fingerprint);
  std::size_t all = before == by_id_.end() ? 0 : before->second.step_count;
  double gained = 0;
  double gained_late = 0;
  double lost = 0;
  for (std::size_t step = 0; step < growth.size(); ++step) {
    const bool grows = growth[step] > 0 && growth[step] >= least_[step];
    all += grows ? 1 : 0;
    gained_late += grows && step >= later ? growth[step] : 0;
    (growth[step] > 0 ? gained : lost) += std::abs(growth[step]);
  }
  const std::size_t needed = std::max(std::min<std::size_t>(step_count_, 2), (step_count_ + 1) / 2);
  if (all < needed || gained_late < gained / 4 || lost >= gained / 2) return std::nullopt;
  GrowingLeak growing{.step_count = all, .growth = leak.retained};
  show_leak(*last_->heap, leak, growing);
  return growing;
}

std::vector<GrowingLeak> LeakWatch::find() const {
  std::vector<GrowingLeak> found;
  if (since_) {
    constexpr double least_share = 0.01;  // as in the answer to `leaks`
    for (const Suspect& leak :
         last_->heap->leaks_since(*since_->heap, nullptr, {.least_share = least_share}).leaks) {
      if (leak.owner == SuspectOwner::runtime) continue;
      if (auto growing = find_estimated(leak)) found.push_back(std::move(*growing));
    }
  } else {
    for (const auto& [fingerprint, growing] : by_id_) {
      if (growing.step_count == step_count_) found.push_back(growing);
    }
  }
  std::ranges::sort(found, [](const GrowingLeak& a, const GrowingLeak& b) {
    return std::tie(b.growth, a.fingerprint) < std::tie(a.growth, b.fingerprint);
  });
  return found;
}

}  // namespace heapcheck::analyze::answers
