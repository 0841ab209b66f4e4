#include "heapcheck/recover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "api/guard.hpp"
#include "api/output.hpp"
#include "api/state.hpp"
#include "heapcheck/validate.hpp"
#include "recover/recover.hpp"
#include "recover/summary.hpp"

namespace heapcheck {
namespace {

/// Errors: unsupported if a dump in that format cannot be recovered to the requested target.
Result<void> check_request(Format format, const RecoverOptions& options) {
  const std::vector<Target> targets = recovery::find_targets(format);
  if (!options.target || std::ranges::find(targets, *options.target) != targets.end()) return {};
  return std::unexpected(
      Error{ErrorKind::unsupported, fmt::format("is a {}, which cannot be recovered as {}; omit --to",
                                                title_of(format), name_of(*options.target))});
}

Result<Recovery> write(Dump::State& state, const RecoverOptions& options, const std::string& output) {
  auto out = api::create_output(state, output, options.keeps_times);
  if (!out) return std::unexpected(std::move(out.error()));
  // This is checked before anything is written, because output to a pipe cannot be taken back if it turns out
  // to be unsound.
  if (auto readable = out->open_written(); !readable) return std::unexpected(std::move(readable.error()));
  auto recovery = recovery::recover({.source = *state.source,
                                     .content = *state.content,
                                     .report = *state.report,
                                     .limits = state.options.limits},
                                    {.target = options.target,
                                     .allow_loss = options.allow_loss,
                                     .placeholder_names = options.placeholder_names,
                                     .level = options.level},
                                    *out);
  if (!recovery) return recovery;
  if (!recovery->is_written) return recovery;
  if (auto checked = api::check_written(*out, state.options.limits); !checked)
    return std::unexpected(std::move(checked.error()));
  if (auto done = out->commit(); !done) return std::unexpected(std::move(done.error()));
  return recovery;
}

Result<Recovery> recover_dump(const Dump& dump, const std::string& output, const RecoverOptions& options) {
  Dump::State& state = dump.state();
  if (auto fits = api::check_output(state, output, options.is_in_place); !fits)
    return std::unexpected(fits.error());
  if (!state.report) (void)validate(dump);
  if (!state.report->format) return std::unexpected(api::explain_unread(*state.report));
  if (auto fits = check_request(*state.report->format, options); !fits)
    return std::unexpected(std::move(fits.error()));
  return write(state, options, output);
}

}  // namespace

Result<Recovery> recover(const Dump& dump, const std::string& output, const RecoverOptions& options) {
  return api::guard([&] { return recover_dump(dump, output, options); });
}

Result<Recovery> recover(const std::string& input, const std::string& output, const RecoverOptions& options) {
  auto dump = open(input, options.read);
  if (!dump) return std::unexpected(std::move(dump.error()));
  return recover(*dump, output, options);
}

std::string make_text(const Recovery& recovery, std::string_view output) {
  return recovery::make_text(recovery, output);
}

std::string make_json(const Recovery& recovery, std::string_view input, std::string_view output) {
  return recovery::make_json(recovery, {.version = version(), .input = input, .output = output});
}

}  // namespace heapcheck
