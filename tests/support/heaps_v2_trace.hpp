// Shared by the tests of heaps_v2: sample files, and functions to make, read and write traces.
#pragma once

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "convert/chrome/heaps_v2/profile.hpp"
#include "formats/chrome/heaps_v2/reader.hpp"
#include "formats/chrome/heaps_v2/writer.hpp"
#include "formats/chrome/walker.hpp"
#include "formats/core/source.hpp"
#include "tests/support/files.hpp"

namespace heapcheck::tests::heaps_v2 {

using namespace heapcheck::chrome::heaps_v2;

inline const std::vector<std::string> samples{"chrome-120-small.json", "chrome-62-style.json",
                                              "in-process.json", "other-tools.json", "proposal.json"};

inline std::string read_sample(const std::string& name) {
  return read_corpus("chrome/heaps_v2/seed/" + name);
}

/// Makes a trace with a dump event for each object. All events belong to process 1 and have their own ids.
inline std::string make_trace(const std::vector<std::string>& objects) {
  std::string text = "[";
  for (std::size_t i = 0; i < objects.size(); ++i) {
    fmt::format_to(std::back_inserter(text), R"({}{{"ph":"v","pid":1,"ts":{},"id":"{}",)", i == 0 ? "" : ",",
                   i, i);
    fmt::format_to(std::back_inserter(text), R"("args":{{"dumps":{{"heaps_v2":{}}}}}}})", objects[i]);
  }
  return text + "]";
}

/// Keeps the findings.
class Found final : public core::FindingSink {
 public:
  void report(Finding finding) override { findings.push_back(std::move(finding)); }
  void skip(Skip skip) override { skips.push_back(std::move(skip)); }
  void report_more(const Rule& rule, std::uint64_t count) override { more[rule.id] += count; }
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override {
    return findings.size() < 50 ? 50 - findings.size() : 0;
  }
  [[nodiscard]] std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const Finding& finding : findings) all.emplace_back(finding.rule->id);
    return all;
  }

  std::vector<Finding> findings;
  std::vector<Skip> skips;
  std::map<std::string_view, std::uint64_t> more;
};

/// Everything that a reader returns for a trace.
struct Reading {
  Model model;
  Found found;
  std::uint64_t ahead = 0;  // dumps that were read ahead
};

/// Reads a trace through a source that returns `chunk` bytes at a time.
inline Reading read_trace(std::string_view text, std::size_t chunk = SIZE_MAX, const Limits& limits = {}) {
  Reading reading;
  core::MemorySource source(core::as_bytes(text), chunk);
  core::Window window(source, chunk == SIZE_MAX ? core::Window::default_capacity : 64);
  HeapsV2Reader reader(limits);
  const std::array<chrome::PayloadReader*, 1> readers{&reader};
  chrome::Walker walker(window, limits, readers, reading.found);
  while (walker.read_event()) {
  }
  reading.model = reader.take_model();
  reading.ahead = reader.count_ahead();
  return reading;
}

inline Reading read_object(const std::string& object) { return read_trace(make_trace({object})); }

/// Writes the dump events of a model as a trace.
inline std::string write_trace(const Model& model) {
  std::string text = "[";
  for (const Dump& dump : model.dumps) {
    if (text.size() > 1) text += ',';
    append_event(model, dump, text);
  }
  return text + "]";
}

using Ids = std::vector<std::string>;
using Numbers = std::vector<std::uint64_t>;

}  // namespace heapcheck::tests::heaps_v2
