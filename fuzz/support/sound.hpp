// The property shared by the targets for generated models: a sound model is written as a file without
// findings that reads back equal and is written as the same bytes again.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "formats/core/output_file.hpp"
#include "formats/detect.hpp"
#include "fuzz/support/check.hpp"

namespace heapcheck::fuzz {

/// Whether `bytes` are a valid file of that format without any finding, notes included.
inline void require_sound(const std::vector<std::uint8_t>& bytes, Format format) {
  const Report report = check(bytes, {});
  for (const Finding& finding : report.findings) {
    std::fprintf(stderr, "%s at %s: %s\n", std::string(finding.rule->id).c_str(),
                 finding.location.path.c_str(), finding.message.c_str());
  }
  require(report.format == format, "what is written is of its format");
  require(report.verdict == Verdict::valid, "what is written is valid");
  require(report.findings.empty() && report.more.empty(), "nothing is found in it");
}

/// `write` takes a model and a sink for bytes; `read` takes a window and a sink for findings.
template <class Model, class Write, class Read>
void require_sound_model(const Model& model, Format format, Write&& write, Read&& read) {
  core::MemorySink written;
  require(write(model, written).has_value(), "memory takes what is written");
  require_sound(written.bytes(), format);
  core::MemorySource source(written.bytes());
  core::Window window(source);
  core::SilentSink silent;
  const Model again = read(window, silent);
  require(again == model, "what is written reads equal");
  core::MemorySink rewritten;
  require(write(again, rewritten).has_value(), "memory takes it again");
  require(rewritten.bytes() == written.bytes(), "it is written as the same bytes");
}

}  // namespace heapcheck::fuzz
