// Functions shared by the targets for MoarVM dumps of any version. They open a dump for reading and write it
// in any version.
#pragma once

#include <vector>

#include "convert/mvmheap/convert.hpp"
#include "formats/open.hpp"
#include "fuzz/support/check.hpp"

namespace heapcheck::fuzz {

using Bytes = std::vector<std::uint8_t>;

/// Opens the dump and calls `use` with its reader.
template <class Use>
auto with_reader(core::ByteSpan bytes, Use&& use) {
  core::MemorySource source(bytes);
  const Limits limits;
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

/// Returns no bytes if the target cannot represent the dump that `survey` describes.
inline Bytes convert(mvmheap::DumpReader& reader, const conversion::mvmheap::Survey& survey, Target target) {
  core::MemorySink out;
  const auto writer = conversion::mvmheap::layout_of(target).make_writer(out, survey.file_meta, {1});
  const auto done = conversion::mvmheap::convert(
      reader, survey, conversion::mvmheap::layout_of(target).capacity, {}, *writer);
  if (done) return out.bytes();
  require(!done.error().message.empty(), "a writer that cannot write a dump explains why");
  return {};
}

inline Bytes convert(core::ByteSpan bytes, const conversion::mvmheap::Survey& survey, Target target) {
  return with_reader(bytes, [&](mvmheap::DumpReader& reader) { return convert(reader, survey, target); });
}

inline bool loses(const conversion::mvmheap::Survey& survey, Target target, std::string_view what) {
  for (const Loss& loss :
       conversion::mvmheap::find_losses(survey, conversion::mvmheap::layout_of(target).capacity)) {
    if (loss.what == what) return true;
  }
  return false;
}

}  // namespace heapcheck::fuzz
