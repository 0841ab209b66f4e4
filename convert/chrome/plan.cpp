#include <cmath>
#include <memory>
#include <utility>

#include "convert/chrome/trace_writer.hpp"
#include "convert/plan.hpp"

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
  auto made = fill(plan, std::move(*trace), request);
  if (!made) return std::unexpected(made.error());
  const std::shared_ptr<TraceWriter> writer = std::move(*made);
  plan.write = [writer, &source, request](core::ByteSink& out) {
    return request.keep_trace ? keep_trace(source, request.limits, writer->make_replacement(), out)
                              : write_trace(*writer, out);
  };
  return plan;
}

}  // namespace heapcheck::conversion::chrome
