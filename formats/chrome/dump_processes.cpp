#include "formats/chrome/dump_processes.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace heapcheck::chrome {
namespace {

std::int64_t pid_of(const DumpEvent& dump) { return dump.head->pid.value_or(0); }

/// Decides about the dumps whose maps show nothing. Each of their events has an id of a process, which is
/// that of the dump unless the browser collected the dumps of other processes.
class OwnIds {
 public:
  OwnIds(std::span<const DumpEvent> dumps, const ProcessEvidence& evidence) : evidence_(evidence) {
    std::set<std::pair<std::int64_t, std::string_view>> ids;
    for (const DumpEvent& dump : dumps) {
      const auto shown = evidence.by_maps.find(dump.head->index);
      is_collected_ = is_collected_ || (shown != evidence.by_maps.end() && shown->second != pid_of(dump));
      pids_.insert(pid_of(dump));
      if (!dump.is_legacy && !ids.emplace(pid_of(dump), dump.head->id).second) shared_.insert(pid_of(dump));
    }
  }

  /// Whether the id of the event is that of the process that the dump describes.
  [[nodiscard]] bool are_right_for(const DumpEvent& dump) const {
    if (dump.is_legacy) return true;
    const std::int64_t pid = pid_of(dump);
    if (is_collected_ || shared_.contains(pid)) return false;
    return pids_.size() > 1 || is_other_than_browser(pid) || is_only_process(pid);
  }

 private:
  [[nodiscard]] bool is_other_than_browser(std::int64_t pid) const {
    const auto name = evidence_.names.find(pid);
    return name != evidence_.names.end() && name->second.find("Browser") == std::string::npos;
  }

  [[nodiscard]] bool is_only_process(std::int64_t pid) const {
    return std::ranges::none_of(evidence_.names, [pid](const auto& name) { return name.first != pid; }) &&
           std::ranges::none_of(evidence_.with_memory_dumps,
                                [pid](std::int64_t other) { return other != pid; });
  }

  const ProcessEvidence& evidence_;
  bool is_collected_ =
      false;  // whether maps show that a dump describes a process other than that of its event
  std::set<std::int64_t> pids_;    // of events with heaps
  std::set<std::int64_t> shared_;  // those of them with several dumps of one id
};

}  // namespace

std::map<std::uint64_t, std::int64_t> decide_processes(std::span<const DumpEvent> dumps,
                                                       const ProcessEvidence& evidence) {
  std::map<std::uint64_t, std::int64_t> processes;
  const OwnIds own(dumps, evidence);
  for (const DumpEvent& dump : dumps) {
    const std::uint64_t event = dump.head->index;
    const auto shown = evidence.by_maps.find(event);
    if (shown != evidence.by_maps.end()) {
      processes.emplace(event, shown->second);
    } else if (own.are_right_for(dump)) {
      processes.emplace(event, pid_of(dump));
    }
  }
  return processes;
}

}  // namespace heapcheck::chrome
