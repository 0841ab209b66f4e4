#include "heapcheck/page.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "api/choose_process.hpp"
#include "api/guard.hpp"
#include "api/state.hpp"
#include "export/form.hpp"
#include "export/page/page.hpp"

namespace heapcheck {
namespace {

using exports::page::PageLane;

std::unexpected<Error> refuse_page(std::string why) {
  return std::unexpected(Error{ErrorKind::unsupported, std::move(why)});
}

bool has_stacks(Format format) { return exports::has_stacks(family_of(format)); }

}  // namespace

struct HeapPage::State {
  exports::page::PageData data;
  std::optional<Format> first;
  std::map<std::string, PageLane> lanes;  // by process; dumps of unknown processes have their own lanes
  std::string last;                       // the lane of the last snapshot
  bool is_last_unknown = false;           // whether its process is unknown
  std::size_t findings_left = exports::page::most_findings;  // the number of findings for which the page
                                                             // still has room

  Result<void> add_snapshot(const std::string& name, Format format, const Snapshot& snapshot) {
    // Earlier additions are folded first, so that only two graphs exist at a time, one of which is the first.
    if (!has_stacks(format)) {
      PageLane& lane = lanes[last];
      lane.fold();
      auto graph = snapshot.graph();
      if (!graph) return std::unexpected(graph.error());
      lane.add(name, snapshot.index(), analyze::Heap(std::move(*graph)));
      return {};
    }
    auto profile = snapshot.profile();
    if (!profile) return std::unexpected(profile.error());
    const DumpProcess& process = profile->process;
    const bool is_unknown = !process.name.empty() && !process.pid;
    choose_lane(is_unknown ? fmt::format("{} {} {}", process.name, name, snapshot.index()) : process.name,
                is_unknown);
    lanes[last].add(name, snapshot.index(), std::move(*profile));
    return {};
  }

  /// Frees the profile of the last snapshot, because the page shows only one. For a process that may have
  /// later dumps, the totals are kept.
  void choose_lane(std::string lane, bool is_unknown) {
    if (is_last_unknown)
      lanes.erase(last);
    else if (const auto found = lanes.find(last); found != lanes.end())
      found->second.fold();
    last = std::move(lane);
    is_last_unknown = is_unknown;
  }

  /// Adds the snapshots of one dump. Returns whether there were any.
  Result<bool> add_snapshots(const Dump& dump, const std::string& name, const HeapPageOptions& options) {
    std::optional<Snapshot> only;
    std::optional<Snapshot> empty;  // shown only if there is no other snapshot
    bool has_any = false;
    const auto choice = api::ProcessChoice::make(dump, options.process);
    if (!choice) return std::unexpected(choice.error());
    if (options.snapshot) {
      auto found = dump.snapshot(*options.snapshot);
      if (!found) return std::unexpected(found.error());
      if (auto fits = choice->check(*found); !fits) return std::unexpected(fits.error());
      only = *found;
    } else {
      for (const Snapshot& snapshot : dump.snapshots()) {
        if (!snapshot.is_whole() || !choice->accepts(snapshot)) continue;
        if (has_stacks(dump.format()) && snapshot.byte_count() == 0) {
          empty = snapshot;
          continue;
        }
        has_any = true;
        if (!options.has_all_snapshots) {
          only = snapshot;
        } else if (auto added = add_snapshot(name, dump.format(), snapshot); !added) {
          return std::unexpected(added.error());
        }
      }
    }
    if (!only && !has_any) only = empty;
    if (!only) return has_any;
    if (auto added = add_snapshot(name, dump.format(), *only); !added) return std::unexpected(added.error());
    return true;
  }

  Result<void> add(const Dump& dump, const Report& report, const std::string& name,
                   const HeapPageOptions& options) {
    if (!first) first = dump.format();
    data.least_share = options.least_share;
    if (family_of(*first) != family_of(dump.format()))
      return refuse_page(fmt::format("found a {}, expected a {}, like the first dump",
                                     title_of(dump.format()), title_of(*first)));
    const auto added = add_snapshots(dump, name, options);
    if (!added) return std::unexpected(added.error());
    if (!*added) {
      const std::string lack = find_lack(dump);
      return refuse_page(lack.empty() ? "has no intact snapshot" : lack);
    }
    if (data.files.size() < exports::page::most_files)
      data.files.push_back(exports::page::make_file_row(name, dump.format(), report, findings_left));
    else
      ++data.files_left_out;
    if (!data.files.empty() && data.files_left_out == 0) findings_left -= data.files.back().findings.size();
    return {};
  }

  Result<void> finish() {
    if (lanes.empty()) return refuse_page("there is no dump to report on");
    return lanes[last].finish(data);
  }
};

HeapPage::HeapPage() : state_(std::make_shared<State>()) {}

Result<void> HeapPage::add(const Dump& dump, const Report& report, const std::string& name,
                           const HeapPageOptions& options) {
  return api::guard([&] { return state_->add(dump, report, name, options); });
}

Result<std::string> HeapPage::make_json() {
  return api::guard([&]() -> Result<std::string> {
    if (auto done = state_->finish(); !done) return std::unexpected(done.error());
    return exports::page::make_json(state_->data, core::JsonLayout::pretty) + '\n';
  });
}

Result<std::string> HeapPage::make_page() {
  return api::guard([&]() -> Result<std::string> {
    if (auto done = state_->finish(); !done) return std::unexpected(done.error());
    return exports::page::make_page(state_->data);
  });
}

}  // namespace heapcheck
