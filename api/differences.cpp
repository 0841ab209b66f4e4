#include "heapcheck/differences.hpp"

#include "analyze/differences.hpp"
#include "api/state.hpp"

namespace heapcheck {

struct Differences::State : analyze::Differences {};

Differences::Differences() : state_(std::make_shared<State>()) {}

void Differences::add(const Heap& heap, TopOf of) { state_->add(*heap.state(), of); }

void Differences::add(const AllocationProfile& profile, AllocationsOf of) { state_->add(profile, of); }

bool Differences::has_counts() const { return state_->has_counts(); }

std::vector<const Series*> Differences::find_changed(TopBy by) const { return state_->find_changed(by); }

std::vector<const Series*> Differences::sort_by_growth(TopBy by) const { return state_->sort_by_growth(by); }

std::vector<Series> Differences::find_violations(const Threshold& threshold) const {
  return state_->find_violations(threshold);
}

Result<Threshold> parse_threshold(std::string_view text) { return analyze::parse_threshold(text); }
Trend find_trend(const Series& series, TopBy by) { return analyze::find_trend(series, by); }
std::uint64_t value_of(const Totals& totals, TopBy by) { return analyze::value_of(totals, by); }

}  // namespace heapcheck
