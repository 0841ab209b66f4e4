// Shared by the tests of V8 sampling heap profiles: seeds of the corpus, and functions to read and write
// profiles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/v8/heapprofile/reader.hpp"
#include "formats/v8/heapprofile/writer.hpp"
#include "tests/support/v8_files.hpp"

namespace heapcheck::tests {

inline std::string read_profile_seed(const std::string& name) {
  return read_corpus("v8/heapprofile/seed/" + name);
}

struct ProfileReading : v8::heapprofile::Reading {
  std::vector<Finding> findings;
};

inline ProfileReading read_profile(std::string_view text, const Limits& limits = {}) {
  auto [reading, findings] = read_text(
      text, core::Window::default_capacity,
      [&limits](auto& window, auto& sink) { return v8::heapprofile::read_profile(window, limits, sink); });
  return {std::move(reading), std::move(findings)};
}

inline std::string write_profile(const v8::heapprofile::Profile& profile) {
  return write_text(profile, v8::heapprofile::write_profile);
}

}  // namespace heapcheck::tests
