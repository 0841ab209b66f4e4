#include "formats/chrome/process_maps.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "formats/core/json/context.hpp"
#include "formats/core/text/parse_number.hpp"

namespace heapcheck::chrome {
namespace {

using core::JsonToken;

// In percent of the regions next to the heaps. spec: chrome/trace.md#processes
constexpr std::uint64_t least_share = 98;
constexpr std::uint64_t most_of_next = 97;

/// The bytes that an entry of the table of regions takes up.
constexpr std::uint64_t region_bytes = 64;

/// Enters the next value if it is an object; otherwise, skips it.
bool enter_map(core::JsonReader& json) {
  const JsonToken token = json.next();
  if (token == JsonToken::array_begin) json.skip_rest();
  return token == JsonToken::object_begin;
}

/// Reads an address or a size: a hexadecimal number in a string, with or without `0x`, or a JSON number.
std::optional<std::uint64_t> read_address(core::JsonReader& json) {
  const JsonToken token = json.next();
  if (token == JsonToken::number) return json.as_unsigned();
  core::skip_nested(json);
  if (token != JsonToken::string) return std::nullopt;
  std::string_view text = json.text();
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  return core::parse_number(text, 16);
}

}  // namespace

bool ProcessMaps::take_memory(std::uint64_t byte_count) {
  if (!memory_.fits(byte_count)) return false;
  memory_.take(byte_count);
  return true;
}

void ProcessMaps::read(Payload payload, core::JsonReader& json, const core::JsonPlace& /*place*/,
                       core::FindingSink& /*sink*/) {
  if (payload == Payload::process_totals) {
    has_totals_ = json.skip_value() == JsonToken::object_begin;
    return;
  }
  if (!enter_map(json)) return;
  bool has_regions = false;
  while (json.next() == JsonToken::key) {
    // The first member counts, as with payloads.
    if (json.text() == "vm_regions" && !std::exchange(has_regions, true)) {
      read_regions(json);
    } else {
      json.skip_value();
    }
  }
}

void ProcessMaps::read_regions(core::JsonReader& json) {
  if (json.next() != JsonToken::array_begin) return core::skip_nested(json);
  for (JsonToken token = json.next(); token != JsonToken::array_end && token != JsonToken::error;
       token = json.next()) {
    if (token == JsonToken::object_begin) {
      read_region(json);
    } else {
      core::skip_nested(json);
    }
  }
}

void ProcessMaps::read_region(core::JsonReader& json) {
  std::optional<std::uint64_t> start;
  std::optional<std::uint64_t> size;
  while (json.next() == JsonToken::key) {
    const std::string_view key = json.text();
    if (key == "sa") {
      start = read_address(json);
    } else if (key == "sz") {
      size = read_address(json);
    } else {
      json.skip_value();
    }
  }
  if (start && size) add({*start, *size});
}

void ProcessMaps::add(const MapRegion& region) {
  ++read_count_;
  if (!take_memory(sizeof(RegionIndex))) return;
  const auto known = regions_.find(region);
  if (known != regions_.end()) return current_.push_back(known->second);
  if (!take_memory(region_bytes)) return;
  const auto index = static_cast<RegionIndex>(regions_.size());
  regions_.emplace(region, index);
  current_.push_back(index);
}

void ProcessMaps::forget(Payload payload) {
  if (payload == Payload::process_totals) has_totals_ = false;
  if (payload == Payload::process_mmaps) {
    memory_.give_back(current_.size() * sizeof(RegionIndex));
    current_.clear();
  }
}

void ProcessMaps::finish_event(const EventHead& head, bool is_kept, core::FindingSink& /*sink*/) {
  memory_.give_back(last_.size() * sizeof(RegionIndex));
  last_.clear();
  if (!is_kept) forget(Payload::process_mmaps);
  const std::size_t count = current_.size();
  std::ranges::sort(current_);
  const auto equal = std::ranges::unique(current_);
  current_.erase(equal.begin(), equal.end());
  memory_.give_back((count - current_.size()) * sizeof(RegionIndex));
  last_.swap(current_);
  if (is_kept && has_totals_ && head.pid && !last_.empty()) add_totals(*head.pid);
  has_totals_ = false;
}

void ProcessMaps::add_totals(std::int64_t pid) {
  const auto [place, is_new] = processes_.emplace(pid, static_cast<ProcessIndex>(pids_.size()));
  if (is_new) {
    pids_.push_back(pid);
    totals_.emplace_back();
  }
  extend(totals_[place->second], place->second);
}

/// Adds the event whose regions are in `last_`. Each step takes time linear in the number of regions in this
/// event and the one before it.
void ProcessMaps::extend(Totals& totals, ProcessIndex process) {
  const std::uint32_t event = totals.event_count++;
  std::vector<Run> open;
  auto old = totals.open.begin();
  for (const RegionIndex region : last_) {
    for (; old != totals.open.end() && old->region < region; ++old) runs_.push_back(*old);
    const bool goes_on = old != totals.open.end() && old->region == region;
    if (!goes_on && !take_memory(sizeof(Run))) return;
    open.push_back(goes_on ? *old++ : Run{region, process, event, event});
    open.back().end = event + 1;
  }
  runs_.insert(runs_.end(), old, totals.open.end());
  totals.open = std::move(open);
}

void ProcessMaps::keep_heaps(std::uint64_t event) {
  if (last_.empty()) return;
  if (take_memory(last_.size() * sizeof(RegionIndex))) heaps_.emplace(event, last_);
}

/// Decides whose heaps an event carries. The steps for all events together are limited, so that their number
/// is linear in the number of regions in the trace.
class ProcessMaps::Decision {
 public:
  explicit Decision(const ProcessMaps& maps)
      : maps_(maps),
        first_(maps.regions_.size() + 1),
        counts_(maps.pids_.size()),
        steps_left_(maps.read_count_ * steps_per_region) {
    events_.push_back(0);
    for (const Totals& totals : maps.totals_) events_.push_back(events_.back() + totals.event_count + 1);
    changes_.resize(events_.back());
    std::size_t run = 0;
    for (std::size_t region = 0; region < first_.size(); ++region) {
      while (run < maps.runs_.size() && maps.runs_[run].region < region) ++run;
      first_[region] = run;
    }
  }

  std::optional<ProcessIndex> decide(const std::vector<RegionIndex>& regions) {
    std::uint64_t steps = 0;
    for (const RegionIndex region : regions) steps += first_[region + 1] - first_[region];
    if (steps > steps_left_) return std::nullopt;
    steps_left_ -= steps;
    const auto whole = std::uint64_t{regions.size()};
    std::uint64_t best = 0;
    std::uint64_t next = 0;
    std::optional<ProcessIndex> process;
    for (const auto& [one, count] : find_counts(regions)) {
      if (count > best) process = one;
      next = std::max(next, std::min(best, count));
      best = std::max(best, count);
    }
    const bool is_decided = best * 100 >= least_share * whole && next * 100 <= most_of_next * whole;
    return is_decided ? process : std::nullopt;
  }

 private:
  /// In real traces, about five steps are taken for each region.
  static constexpr std::uint64_t steps_per_region = 64;

  template <class Visit>
  void visit_runs(const std::vector<RegionIndex>& regions, const Visit& visit) const {
    for (const RegionIndex region : regions) {
      for (std::size_t run = first_[region]; run < first_[region + 1]; ++run)
        visit(maps_.runs_[run],
              run == first_[region] || maps_.runs_[run - 1].process != maps_.runs_[run].process);
    }
  }

  /// For each process that may matter: the largest number of these regions that it has in one event.
  std::vector<std::pair<ProcessIndex, std::uint64_t>> find_counts(const std::vector<RegionIndex>& regions) {
    // A process that does not have enough regions in all events together does not have them in one event.
    std::vector<ProcessIndex> seen;
    visit_runs(regions, [&](const Run& run, bool is_first) {
      if (is_first && counts_[run.process]++ == 0) seen.push_back(run.process);
    });
    visit_runs(regions, [&](const Run& run, bool) {
      if (!may_matter(run.process, regions.size())) return;
      ++changes_[events_[run.process] + run.begin];
      --changes_[events_[run.process] + run.end];
    });
    std::vector<std::pair<ProcessIndex, std::uint64_t>> counts;
    for (const ProcessIndex process : seen) {
      if (may_matter(process, regions.size())) counts.emplace_back(process, find_most(process));
      counts_[process] = 0;
    }
    return counts;
  }

  [[nodiscard]] bool may_matter(ProcessIndex process, std::size_t region_count) const {
    return counts_[process] * 100 > most_of_next * region_count;
  }

  /// Adds up the changes in the number of common regions from one event of a process to the next, and resets
  /// them. Returns the largest sum.
  std::uint64_t find_most(ProcessIndex process) {
    std::int64_t count = 0;
    std::int64_t most = 0;
    for (std::size_t i = events_[process]; i < events_[process + std::size_t{1}]; ++i) {
      count += std::exchange(changes_[i], 0);
      most = std::max(most, count);
      steps_left_ -= std::min<std::uint64_t>(steps_left_, 1);
    }
    return static_cast<std::uint64_t>(most);
  }

  const ProcessMaps& maps_;
  std::vector<std::size_t> first_;     // the first run of each region, as an index into `runs_`
  std::vector<std::uint64_t> counts_;  // by process; 0 between decisions
  std::vector<std::size_t> events_;    // the first change of each process, as an index into `changes_`
  std::vector<std::int32_t> changes_;  // by process and event; 0 between decisions
  std::uint64_t steps_left_ = 0;
};

std::map<std::uint64_t, std::int64_t> ProcessMaps::find_processes() {
  std::map<std::uint64_t, std::int64_t> processes;
  if (memory_.is_spent()) return processes;
  for (Totals& totals : totals_) {
    runs_.insert(runs_.end(), totals.open.begin(), totals.open.end());
    totals.open.clear();
  }
  std::ranges::sort(runs_, {}, [](const Run& run) { return std::tuple(run.region, run.process, run.begin); });
  Decision decision(*this);
  for (const auto& [event, regions] : heaps_) {
    if (const auto process = decision.decide(regions)) processes.emplace(event, pids_[*process]);
  }
  return processes;
}

}  // namespace heapcheck::chrome
