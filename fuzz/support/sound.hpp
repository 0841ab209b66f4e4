// The property shared by the targets for generated models: a sound model is written as a file without
// findings, reading that file produces an equal model, and writing it again produces the same bytes.
#pragma once

#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/detect.hpp"
#include "fuzz/support/check.hpp"

namespace heapcheck::fuzz {

/// Requires `bytes` to be a valid file of that format without any findings, including notes.
inline void require_sound(const std::vector<std::uint8_t>& bytes, Format format) {
  const Report report = check(bytes, {});
  print_findings(report);
  require(report.format == format, "the written file has the expected format");
  require(report.verdict == Verdict::valid, "the written file is valid");
  require(report.findings.empty() && report.more.empty(), "the written file has no findings");
}

/// `write` takes a model and a sink for bytes; `read` takes a window and a sink for findings.
template <class Model, class Write, class Read>
void require_sound_model(const Model& model, Format format, Write&& write, Read&& read) {
  core::MemorySink written;
  require(write(model, written).has_value(), "writing to memory succeeds");
  require_sound(written.bytes(), format);
  core::MemorySource source(written.bytes());
  core::Window window(source);
  core::SilentSink silent;
  const Model again = read(window, silent);
  require(again == model, "reading the written file produces an equal model");
  core::MemorySink rewritten;
  require(write(again, rewritten).has_value(), "writing to memory succeeds again");
  require(rewritten.bytes() == written.bytes(), "writing it again produces the same bytes");
}

}  // namespace heapcheck::fuzz
