// heapcheck convert: the heap dumps of a Chrome trace in the other format, or in a plain form of their own.
#include <fmt/format.h>

#include <cmath>

#include "cli/commands.hpp"
#include "cli/convert.hpp"
#include "cli/output.hpp"
#include "convert/chrome/trace_writer.hpp"
#include "formats/core/excerpt.hpp"

namespace heapcheck::cli {
namespace {

Result<formats::Trace> read(core::SeekableSource& source, const Limits& limits) {
  auto input = core::unwrap(std::make_unique<core::RangeSource>(source, 0), limits);
  if (!input) return std::unexpected(input.error());
  core::Window window(*input->source);
  core::SilentSink sink;
  formats::Trace trace = formats::read_trace(window, limits, sink);
  if (window.error()) return std::unexpected(*window.error());
  return trace;
}

conversion::chrome::legacy::CutOff make_cut_off(const ConvertSettings& settings) {
  conversion::chrome::legacy::CutOff cut_off;
  cut_off.threshold_bytes = settings.threshold.value_or(0);
  cut_off.share_permille = static_cast<std::uint32_t>(std::lround(settings.share.value_or(0) * 10));
  return cut_off;
}

/// A cut-off that was asked for is no reason to stop.
bool is_asked_for(const ConvertSettings& settings) {
  return settings.threshold.value_or(0) != 0 || settings.share.value_or(0) != 0;
}

/// What is to be written, and what of the trace it does not hold.
struct Plan {
  std::unique_ptr<conversion::chrome::TraceWriter> writer;
  std::vector<Loss> losses;     ///< that stand in the way
  std::vector<Loss> asked_for;  ///< that a cut-off brings
  std::string words;            ///< how much it is
};

std::string count(const conversion::chrome::Profile& profile) {
  std::uint64_t dumps = 0;
  std::uint64_t frames = 0;
  std::uint64_t types = 0;
  for (const conversion::chrome::Process& process : profile.processes) {
    dumps += process.dumps.size();
    frames += process.frames.count();
    types += process.types.size();
  }
  return fmt::format("processes: {}, dumps: {}, stack frames: {}, types: {}", profile.processes.size(), dumps,
                     frames, types);
}

std::string count(const chrome::legacy::Model& model) {
  std::uint64_t dumps = 0;
  std::uint64_t frames = 0;
  std::uint64_t types = 0;
  for (const chrome::legacy::Process& process : model.processes) {
    dumps += process.dumps.size();
    frames += process.frames.count();
    types += process.types.count();
  }
  return fmt::format("processes: {}, dumps: {}, stack frames: {}, types: {}", model.processes.size(), dumps,
                     frames, types);
}

Result<Plan> make_plan(const ConvertSettings& settings, formats::Trace trace) {
  const Format target = settings.to == "heaps-v2" ? Format::heaps_v2 : Format::chrome_legacy;
  Plan plan;
  if (target == Format::chrome_legacy && trace.format() == target && !is_asked_for(settings)) {
    plan.words = count(trace.legacy);
    plan.writer = conversion::chrome::make_trace_writer(std::move(trace.legacy), trace.process_names);
    return plan;
  }
  auto [profile, losses] = conversion::chrome::make_profile(trace);
  plan.words = count(profile);
  plan.losses = std::move(losses);
  auto writer =
      conversion::chrome::make_trace_writer(target, profile, make_cut_off(settings), settings.limits);
  if (!writer) return std::unexpected(writer.error());
  plan.writer = std::move(*writer);
  auto more = plan.writer->losses();
  auto& to = is_asked_for(settings) ? plan.asked_for : plan.losses;
  to.insert(to.end(), more.begin(), more.end());
  return plan;
}

}  // namespace

int convert_trace(const ConvertSettings& settings, core::SeekableSource& source, Format format) {
  if (format == Format::chrome_trace) {
    print_error(settings.input + ": holds no heap dump, or dumps of both formats; one format is required");
    return usage;
  }
  const Limits limits = settings.limits;
  auto trace = read(source, limits);
  if (!trace) return report_error(settings.input, trace.error());
  const auto plan = make_plan(settings, std::move(*trace));
  if (!plan) return report_error(settings.input, plan.error());
  if (stops_at(settings, plan->losses)) return usage;
  const conversion::chrome::TraceWriter& writer = *plan->writer;
  const auto wrote = write_checked(settings, [&](core::ByteSink& out) {
    return settings.keep_trace
               ? conversion::chrome::keep_trace(source, limits, writer.make_replacement(), out)
               : conversion::chrome::write_trace(writer, out);
  });
  if (!wrote) return report_write_error(settings, wrote.error());
  print_summary(settings, fmt::format("{}: {} from {}\n  {}\n{}{}",
                                      core::make_excerpt(settings.target_path(), SIZE_MAX), settings.to,
                                      slug_of(format), plan->words, describe_losses(plan->losses),
                                      describe_losses(plan->asked_for)));
  return plan->losses.empty() && plan->asked_for.empty() ? sound : lossy;
}

}  // namespace heapcheck::cli
