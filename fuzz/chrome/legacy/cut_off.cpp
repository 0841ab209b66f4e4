// Property: everything that a cut-off drops from legacy dumps is counted. The dumps are valid, and their
// totals are the same as without a cut-off. The last byte selects the cut-off, and all bytes together make up
// the profile.
#include <numeric>

#include "convert/chrome/legacy/profile.hpp"
#include "convert/chrome/trace_writer.hpp"
#include "fuzz/chrome/legacy/small_profile.hpp"
#include "fuzz/support/check.hpp"

using namespace heapcheck;
using namespace heapcheck::chrome;
using fuzz::require;

namespace {

conversion::chrome::legacy::CutOff make_cut_off(std::uint8_t control) {
  if (control % 2 == 0) return {.threshold_bytes = control / 2U};
  return {.share_permille = control * 2U};
}

const legacy::Entries& entries_of(const conversion::chrome::legacy::FromProfile& written) {
  return written.model.processes.at(0).dumps.at(0).heaps.at(0).entries;
}

/// The sums of bytes and of objects.
std::pair<std::uint64_t, std::uint64_t> sum_up(const conversion::chrome::legacy::FromProfile& written) {
  const conversion::chrome::Profile read = conversion::chrome::legacy::to_profile(written.model).profile;
  const conversion::chrome::Heap& heap = read.processes.at(0).dumps.at(0).heaps.at(0);
  return {std::accumulate(heap.size.begin(), heap.size.end(), std::uint64_t{0}),
          std::accumulate(heap.count.begin(), heap.count.end(), std::uint64_t{0})};
}

std::uint64_t count_losses(const conversion::chrome::legacy::FromProfile& written, std::string_view what) {
  std::uint64_t count = 0;
  for (const Loss& loss : written.losses) count += loss.what == what ? loss.count : 0;
  return count;
}

bool is_valid(const conversion::chrome::Profile& profile, const conversion::chrome::legacy::CutOff& cut_off) {
  const auto writer = conversion::chrome::make_trace_writer(Format::chrome_legacy, profile, cut_off, {});
  core::MemorySink out;
  require(conversion::chrome::write_trace(**writer, out).has_value(), "writing to memory succeeds");
  const Report report = fuzz::check(out.bytes(), {});
  return report.verdict == Verdict::valid && report.count(Severity::warning) == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const conversion::chrome::Profile profile =
      fuzz::make_small_profile({data, std::min<std::size_t>(size, 150)});
  const conversion::chrome::legacy::CutOff cut_off = make_cut_off(size == 0 ? 0 : data[size - 1]);
  const auto whole = conversion::chrome::legacy::from_profile(profile, {}, fuzz::make_limits());
  const auto cut = conversion::chrome::legacy::from_profile(profile, cut_off, fuzz::make_limits());
  require(whole && cut, "a small profile fits");
  require(entries_of(*cut).row_count() + count_losses(*cut, "entries") == entries_of(*whole).row_count(),
          "every entry is kept or counted");
  require(sum_up(*cut) == sum_up(*whole), "the totals are the same");
  require(is_valid(profile, cut_off), "the written trace is valid");
  return 0;
}
