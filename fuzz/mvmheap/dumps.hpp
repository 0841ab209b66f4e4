// What the targets about MoarVM dumps of any version share: opening one for a reading, and writing one as
// another version.
#pragma once

#include <vector>

#include "formats/mvmheap/convert.hpp"
#include "formats/registry_mvmheap.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/validate.hpp"

namespace heapcheck::fuzz {

using Bytes = std::vector<std::uint8_t>;

inline validate::FileReport check_dump(core::ByteSpan bytes, const core::Limits& limits) {
  return validate::check_source(std::make_unique<core::MemorySource>(bytes), {.limits = limits});
}

/// Opens the dump for one reading.
template <class Use>
auto with_reader(core::ByteSpan bytes, Use&& use) {
  core::MemorySource source(bytes);
  const core::Limits limits;
  core::SilentSink sink;
  auto dump = formats::open_mvmheap(source, limits, sink);
  require(dump.has_value(), "a valid dump can be opened");
  return use(*dump->reader);
}

inline std::vector<mvmheap::Snapshot> read_snapshots(mvmheap::DumpReader& reader) {
  std::vector<mvmheap::Snapshot> snapshots;
  while (const mvmheap::Part* part = reader.read_part()) {
    if (part->has_snapshot) snapshots.push_back(part->snapshot);
  }
  return snapshots;
}

/// Empty where the target cannot hold the dump, of which `survey` is.
inline Bytes convert(mvmheap::DumpReader& reader, const mvmheap::Survey& survey, formats::Target target) {
  core::MemorySink out;
  const auto writer = formats::make_writer(target, out, survey.file_meta, {1});
  const auto done = mvmheap::convert(reader, survey, formats::capacity_of(target), {}, *writer);
  if (done) return out.bytes();
  require(!done.error().message.empty(), "who cannot write a dump says why");
  return {};
}

inline Bytes convert(core::ByteSpan bytes, const mvmheap::Survey& survey, formats::Target target) {
  return with_reader(bytes, [&](mvmheap::DumpReader& reader) { return convert(reader, survey, target); });
}

inline bool loses(const mvmheap::Survey& survey, formats::Target target, std::string_view what) {
  for (const core::Loss& loss : mvmheap::find_losses(survey, formats::capacity_of(target))) {
    if (loss.what == what) return true;
  }
  return false;
}

}  // namespace heapcheck::fuzz
