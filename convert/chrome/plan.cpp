#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "convert/chrome/trace_writer.hpp"
#include "convert/plan.hpp"
#include "formats/chrome/dump_processes.hpp"

namespace heapcheck::conversion::chrome {
namespace {

legacy::CutOff make_cut_off(const Request& request) {
  return {.threshold_bytes = request.threshold.value_or(0),
          .share_permille = static_cast<std::uint32_t>(std::lround(request.share.value_or(0) * 10))};
}

/// Returns whether the user asked for a cut-off. If so, the losses that the cut-off causes are not a reason
/// to stop.
bool is_asked_for(const Request& request) {
  return request.threshold.value_or(0) != 0 || request.share.value_or(0) != 0;
}

/// Counts the dumps, stack frames and types of all processes; `count_types` counts the types of one process.
template <class Processes, class CountTypes>
std::vector<Amount> count(const Processes& processes, CountTypes&& count_types) {
  std::vector<Amount> amounts{
      {"processes", processes.size()}, {"dumps", 0}, {"stack frames", 0}, {"types", 0}};
  for (const auto& process : processes) {
    amounts[1].count += process.dumps.size();
    amounts[2].count += process.frames.count();
    amounts[3].count += count_types(process);
  }
  return amounts;
}

/// Counts the dumps that would be attributed to another process, or to none, without the other events of the
/// trace.
std::uint64_t count_lost_processes(const formats::Trace& trace, Format target) {
  std::vector<heapcheck::chrome::DumpEvent> dumps;
  const auto add = [&](const auto& dump) { dumps.push_back({&dump.head, target == Format::chrome_legacy}); };
  for (const auto& process : trace.legacy.processes) std::ranges::for_each(process.dumps, add);
  std::ranges::for_each(trace.heaps_v2.dumps, add);
  std::set<std::int64_t> pids;
  for (const auto& dump : dumps) pids.insert(dump.head->pid.value_or(0));
  std::map<std::int64_t, std::string> names = trace.process_names;
  std::erase_if(names, [&pids](const auto& name) { return !pids.contains(name.first); });
  const std::map<std::uint64_t, std::int64_t> by_maps;
  const auto left = decide_processes(dumps, {.by_maps = by_maps, .names = names, .with_memory_dumps = pids});
  const auto is_lost = [&left](const auto& known) {
    const auto found = left.find(known.first);
    return found == left.end() || found->second != known.second;
  };
  return static_cast<std::uint64_t>(std::ranges::count_if(trace.dump_processes, is_lost));
}

/// Makes the writer, and adds amounts and losses to the plan.
Result<std::unique_ptr<TraceWriter>> fill(Plan& plan, formats::Trace trace, const Request& request) {
  const Format target = request.target.format;
  if (target == Format::chrome_legacy && trace.format() == target && !is_asked_for(request)) {
    plan.amounts = count(trace.legacy.processes, [](const auto& process) { return process.types.count(); });
    return make_trace_writer(std::move(trace.legacy), trace.process_names);
  }
  auto [profile, losses] = make_profile(trace);
  plan.amounts = count(profile.processes, [](const Process& process) { return process.types.size(); });
  plan.losses = std::move(losses);
  auto writer = make_trace_writer(target, profile, make_cut_off(request), request.limits);
  if (!writer) return writer;
  auto& to = is_asked_for(request) ? plan.asked_for : plan.losses;
  for (Loss& loss : (*writer)->losses()) to.push_back(std::move(loss));
  return writer;
}

}  // namespace

Result<Plan> make_plan(core::SeekableSource& source, formats::Content& content, const Request& request) {
  auto trace = take_model<formats::Trace>(source, content, request.limits);
  if (!trace) return std::unexpected(trace.error());
  if (trace->format() == Format::chrome_trace) {
    return std::unexpected(Error{
        ErrorKind::unsupported, trace->has_dumps()
                                    ? "contains heap dumps of both formats, expected heap dumps of one format"
                                    : trace->describe_lack()});
  }
  Plan plan;
  const std::uint64_t lost = request.keep_trace ? 0 : count_lost_processes(*trace, request.target.format);
  auto made = fill(plan, std::move(*trace), request);
  if (!made) return std::unexpected(made.error());
  if (lost != 0)
    plan.losses.push_back(
        {"processes of dumps", lost, "shown only by other events of the trace, which --keep-trace keeps"});
  const std::shared_ptr<TraceWriter> writer = std::move(*made);
  plan.write = [writer, &source, request](core::ByteSink& out) {
    return request.keep_trace ? keep_trace(source, request.limits, writer->make_replacement(), out)
                              : write_trace(*writer, out);
  };
  return plan;
}

}  // namespace heapcheck::conversion::chrome
