#include "analyze/summary/trace.hpp"

#include "analyze/summary/summary.hpp"
#include "formats/read_trace.hpp"

namespace heapcheck::analyze {
namespace {

void add_container(const chrome::TraceContainer& container, Summary& summary) {
  const std::string kind = container.is_object ? "object" : "array";
  const bool is_shown_open = container.is_unclosed && !container.is_object;
  summary.facts.push_back({.key = "container",
                           .label = "container",
                           .value = kind,
                           .words = is_shown_open ? kind + ", not closed" : ""});
  summary.facts.push_back({.key = "closed", .label = "", .value = !container.is_unclosed});
  add_number(summary, "events", "events", container.event_count);
}

}  // namespace

JsonSize& ProcessTally::heap(const std::string& allocator) {
  const auto [place, is_new] = places_.emplace(allocator, heaps.size());
  if (is_new) heaps.push_back({allocator, {}});
  return heaps[place->second].size;
}

ProcessTally& TraceTally::process(std::int64_t pid) {
  const auto [place, is_new] = places_.emplace(pid, processes_.size());
  if (is_new) processes_.emplace_back().pid = pid;
  return processes_[place->second];
}

TraceSummary TraceTally::take_summary(const std::map<std::int64_t, std::string>& names) {
  TraceSummary summary{.processes = {}, .heaps = std::move(heaps_)};
  for (ProcessTally& process : processes_) {
    const auto name = names.find(process.pid);
    if (name != names.end()) process.name = name->second;
    summary.processes.push_back(std::move(process));
  }
  return summary;
}

void summarise_trace(core::Window& window, const Limits& limits, core::FindingSink& sink, Summary& summary) {
  const formats::Trace trace = formats::read_trace(window, limits, sink);
  summary.format = trace.format();
  summary.is_foreign = trace.container.is_foreign;
  summary.byte_count = window.offset();
  add_container(trace.container, summary);
  if (!trace.has_dumps())
    summary.facts.push_back({.key = "content", .label = "content", .value = trace.describe_lack()});
  TraceTally tally;
  add_legacy(trace, tally);
  add_heaps_v2(trace, tally);
  summary.content = tally.take_summary(trace.process_names);
}

}  // namespace heapcheck::analyze
