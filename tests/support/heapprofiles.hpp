// V8 sampling heap profiles for tests: the corpus's seeds, and what reading and writing them gives.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "formats/core/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "formats/v8/heapprofile/writer.hpp"
#include "tests/support/catch.hpp"
#include "validate/collector.hpp"

namespace heapcheck::tests {

/// A file below corpus/v8/heapprofile/seed.
inline std::string read_profile_seed(const std::string& name) {
  std::ifstream file(HEAPCHECK_SOURCE_DIR "/corpus/v8/heapprofile/seed/" + name, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct ProfileReading : v8::heapprofile::Reading {
  std::vector<Finding> findings;
};

inline ProfileReading read_profile(std::string_view text, const Limits& limits = {}) {
  core::MemorySource source(core::as_bytes(text));
  core::Window window(source);
  validation::Collector collector(100);
  ProfileReading reading{v8::heapprofile::read_profile(window, limits, collector), {}};
  reading.findings = collector.take_findings();
  return reading;
}

inline std::string write_profile(const v8::heapprofile::Profile& profile) {
  core::MemorySink out;
  REQUIRE(v8::heapprofile::write_profile(profile, out));
  return std::string(core::as_text(out.bytes()));
}

}  // namespace heapcheck::tests
