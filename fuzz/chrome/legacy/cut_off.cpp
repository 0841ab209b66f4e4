// Property: whatever a cut-off drops of legacy dumps is counted, and they are valid and hold as much as
// without one. The last byte says which cut-off; all bytes make the profile.
#include <numeric>

#include "formats/chrome/legacy/to_profile.hpp"
#include "formats/registry_trace_writer.hpp"
#include "fuzz/chrome/legacy/small_profile.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using namespace heapcheck::chrome;
using fuzz::require;

namespace {

legacy::CutOff make_cut_off(std::uint8_t control) {
  if (control % 2 == 0) return {.threshold_bytes = control / 2U};
  return {.share_permille = control * 2U};
}

const legacy::Entries& entries_of(const legacy::FromProfile& written) {
  return written.model.processes.at(0).dumps.at(0).heaps.at(0).entries;
}

/// Bytes and objects.
std::pair<std::uint64_t, std::uint64_t> sum_up(const legacy::FromProfile& written) {
  const Profile read = legacy::to_profile(written.model).profile;
  const Heap& heap = read.processes.at(0).dumps.at(0).heaps.at(0);
  return {std::accumulate(heap.size.begin(), heap.size.end(), std::uint64_t{0}),
          std::accumulate(heap.count.begin(), heap.count.end(), std::uint64_t{0})};
}

std::uint64_t count_losses(const legacy::FromProfile& written, std::string_view what) {
  std::uint64_t count = 0;
  for (const core::Loss& loss : written.losses) count += loss.what == what ? loss.count : 0;
  return count;
}

bool is_valid(const Profile& profile, const legacy::CutOff& cut_off) {
  const auto writer = formats::make_trace_writer(formats::Format::chrome_legacy, profile, cut_off, {});
  core::MemorySink out;
  require(formats::write_trace(**writer, out).has_value(), "memory takes what is written");
  const auto report = validate::check_source(std::make_unique<core::MemorySource>(out.bytes()), {});
  return report.verdict == validate::Verdict::valid && report.count(core::Severity::warning) == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Profile profile = fuzz::make_small_profile({data, std::min<std::size_t>(size, 150)});
  const legacy::CutOff cut_off = make_cut_off(size == 0 ? 0 : data[size - 1]);
  const auto whole = legacy::from_profile(profile, {}, fuzz::make_limits());
  const auto cut = legacy::from_profile(profile, cut_off, fuzz::make_limits());
  require(whole && cut, "a small profile fits");
  require(entries_of(*cut).row_count() + count_losses(*cut, "entries") == entries_of(*whole).row_count(),
          "every entry is kept or counted");
  require(sum_up(*cut) == sum_up(*whole), "what is left holds as much");
  require(is_valid(profile, cut_off), "and is valid");
  return 0;
}
