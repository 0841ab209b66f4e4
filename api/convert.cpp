#include "heapcheck/convert.hpp"

#include <utility>

#include "api/guard.hpp"
#include "api/output.hpp"
#include "api/state.hpp"
#include "convert/plan.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck {
namespace {

conversion::Request make_request(Target target, const ConvertOptions& options, const Limits& limits) {
  return {.target = target,
          .level = options.level,
          .keep_trace = options.keep_trace,
          .threshold = options.threshold,
          .share = options.share,
          .limits = limits};
}

Result<void> write(const Dump::State& state, const conversion::Plan& plan, const std::string& output,
                   bool keeps_times) {
  auto out = api::create_output(state, output, keeps_times);
  if (!out) return std::unexpected(out.error());
  if (auto wrote = plan.write(*out); !wrote) return wrote;
  if (out->open_written()) {  // output to a pipe cannot be read back
    if (auto checked = api::check_written(*out, state.options.limits); !checked) return checked;
  }
  return out->commit();
}

Result<Conversion> convert_dump(const Dump& dump, const std::string& output, Target target,
                                const ConvertOptions& options) {
  Dump::State& state = dump.state();
  if (auto fits = api::check_output(state, output, options.is_in_place); !fits)
    return std::unexpected(fits.error());
  if (!state.report) (void)validate(dump);
  Conversion conversion;
  conversion.report = *state.report;
  conversion.target = target;
  if (!conversion.report.format) return std::unexpected(api::explain_unread(conversion.report));
  // A conversion is not a recovery. The meaning of a damaged dump is unknown, so nothing is written.
  if (conversion.report.verdict != Verdict::valid) return conversion;
  auto plan = conversion::make_plan(*state.source, *conversion.report.format, *state.content,
                                    make_request(target, options, state.options.limits));
  if (!plan) return std::unexpected(std::move(plan.error()));
  conversion.amounts = std::move(plan->amounts);
  conversion.losses = std::move(plan->losses);
  conversion.asked_for = std::move(plan->asked_for);
  if (!conversion.losses.empty() && !options.allow_loss) return conversion;
  if (auto wrote = write(state, *plan, output, options.keeps_times); !wrote)
    return std::unexpected(std::move(wrote.error()));
  conversion.is_written = true;
  return conversion;
}

}  // namespace

Result<Conversion> convert(const Dump& dump, const std::string& output, Target target,
                           const ConvertOptions& options) {
  return api::guard([&] { return convert_dump(dump, output, target, options); });
}

Result<Conversion> convert(const std::string& input, const std::string& output, Target target,
                           const ConvertOptions& options) {
  auto dump = open(input, options.read);
  if (!dump) return std::unexpected(std::move(dump.error()));
  return convert(*dump, output, target, options);
}

}  // namespace heapcheck
