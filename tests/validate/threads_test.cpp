#include <fmt/format.h>

#include <array>
#include <memory>

#include "formats/core/source.hpp"
#include "heapcheck/validate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

std::string make_report(const Bytes& bytes, unsigned threads,
                        std::uint64_t max_memory = Limits{}.max_memory) {
  validation::Options options;
  options.limits.max_threads = threads;
  options.limits.max_memory = max_memory;
  const Report report = validation::check_source(std::make_unique<core::MemorySource>(bytes), options);
  return make_json(std::array{NamedReport{"dump", &report}});
}

/// Four kinds of damage to the bytes at one place: one byte changed, 200 bytes zeroed, one byte removed, and
/// the rest cut off.
std::vector<Bytes> make_damaged(const Bytes& bytes, std::size_t at) {
  Bytes changed = bytes;
  changed[at] ^= 0x11U;
  Bytes zeroed = bytes;
  for (std::size_t i = at; i < std::min(at + 200, bytes.size()); ++i) zeroed[i] = 0;
  Bytes shorter = bytes;
  shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(at));
  Bytes cut = bytes;
  cut.resize(at);
  return {changed, zeroed, shorter, cut};
}

Bytes unwrap(const Bytes& bytes) {
  auto input = core::unwrap(std::make_unique<core::MemorySource>(bytes), {});
  REQUIRE(input);
  Bytes all(std::size_t{64} << 20);
  std::size_t size = 0;
  for (auto got = input->source->read(all); got && *got != 0;
       got = input->source->read(core::MutableByteSpan(all).subspan(size)))
    size += *got;
  all.resize(size);
  return all;
}

/// A trace of several processes with an event for each of the texts, such as `"heaps":{...}`.
Bytes make_trace(const std::vector<std::string>& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_names = values[i].starts_with("\"stackFrames");
    text += fmt::format(R"({{"ph":"{}","pid":{},"ts":{},"id":"{}","name":"{}","args":{{{}}}}},)",
                        is_names ? "M" : "v", i % 3, i, i, is_names ? "stackFrames" : "x",
                        is_names ? values[i] : "\"dumps\":{" + values[i] + "}");
  }
  text.back() = ']';
  return {text.begin(), text.end()};
}

std::string make_legacy_heaps(int seed) {
  std::string entries = R"({"size":"ffff","bt":""})";
  for (int i = 0; i < 100 + seed; ++i) {
    const std::string frame = i % 5 == 0 ? fmt::format("x#{}", (i + seed) % 12) : std::to_string(i);
    entries += fmt::format(R"(,{{"size":"{:x}","count":"1","bt":"{}"}})", i, frame);
  }
  return R"("heaps":{"malloc":{"entries":[)" + entries + "]}}";
}
std::string make_frames(int seed) {
  std::string frames = fmt::format(R"("x#{}":{{"name":"}}}},{{{{\\n"}})", seed);
  for (int i = 1; i < 100 + seed; ++i)
    frames +=
        fmt::format(R"(,"{}":{{"name":"f{}","parent":"x#{}"}})", i, i * seed % 77, i % 50 == 0 ? 11 : seed);
  return R"("stackFrames":{)" + frames + "}";
}
std::string make_heaps_v2(int seed) {
  std::string strings;
  std::string nodes;
  for (int i = 1; i < 150 + seed; ++i) {
    const auto length = static_cast<std::size_t>(i == 70 ? 5000 : i % 9);
    const std::string name(length, i % 2 == 0 ? '{' : ']');
    strings += fmt::format(R"(,{{"id":{},"string":"}},{{{}"}})", i, name);
    nodes += fmt::format(R"(,{{"id":{},"name_sid":{}{}}})", i, i == 90 ? 9999 : i,
                         i == 1 ? std::string() : fmt::format(R"(,"parent":{})", i / 2));
  }
  return R"("heaps_v2":{"version":1,"maps":{"strings":[)" + strings.substr(1) + R"(],"nodes":[)" +
         nodes.substr(1) +
         R"(],"types":[{"id":1,"name_sid":1}]},"allocators":{"malloc":{"nodes":[1,2,777],)" +
         R"("types":[1,1,1],"counts":[1,2,3],"sizes":[10,20,30]}}})";
}

/// Entries that are in the order of the types if ids are numbered in file order.
Bytes make_ordered_types() {
  std::string text =
      R"([{"pid":7,"ph":"M","name":"stackFrames","args":{"stackFrames":{"a":{"name":"main"}}}},)"
      R"({"pid":7,"ph":"M","name":"typeNames","args":{"typeNames":{"t#2":"B","t#1":"A"}}})";
  for (int i = 0; i < 4; ++i)
    text += fmt::format(R"(,{{"pid":7,"id":"{0}","ph":"v","ts":{0},"args":{{"dumps":{{"heaps":{{"malloc":)"
                        R"({{"entries":[{{"size":"10","bt":""}},{{"size":"9","bt":"","type":"t#1"}},)"
                        R"({{"size":"9","bt":"","type":"t#2"}}]}}}}}}}}}})",
                        i);
  text += ']';
  return {text.begin(), text.end()};
}

/// Dumps that end with a map whose last rows violate a rule.
Bytes make_last_rows() {
  std::vector<std::string> values;
  for (int i = 0; i < 6; ++i)
    values.emplace_back(
        R"("heaps_v2":{"version":1,"allocators":{"malloc":{"counts":[1],"sizes":[10],"types":[1],"nodes":[1]}},)"
        R"("maps":{"nodes":[{"id":1,"name_sid":1}],"types":[{"id":1,"name_sid":1}],)"
        R"("strings":[{"id":1,"string":"a"},{"id":1,"string":"b"},{"id":3,"string":"c"}]}})");
  return make_trace(values);
}

/// Traces with faults in some dumps.
std::vector<Bytes> make_traces() {
  std::vector<std::string> legacy;
  std::vector<std::string> v2;
  std::vector<std::string> odd;
  for (int i = 0; i < 12; ++i) {
    legacy.push_back(i % 4 == 0 ? make_frames(i) : make_legacy_heaps(i));
    v2.push_back(make_heaps_v2(i));
    odd.push_back(i % 3 == 0   ? R"("heaps_v2":{"allocators":{"a":{"nodes":[1,-2]}}})"
                  : i % 3 == 1 ? make_legacy_heaps(i) + "," + make_heaps_v2(i)
                               : R"("heaps":{"heaps":{"entries":[{"size":"1","bt":""}]}},"heaps":{})");
  }
  return {make_trace(legacy), make_trace(v2), make_trace(odd), make_ordered_types(), make_last_rows()};
}

}  // namespace

TEST_CASE("the report about a trace does not depend on the number of threads", "[threads][chrome]") {
  constexpr std::size_t places = 40;
  for (const Bytes& bytes : make_traces()) {
    const std::string report = make_report(bytes, 1);
    CHECK((report.contains("legacy.") || report.contains("heaps2.")));
    CHECK(report == make_report(bytes, 3));
    for (std::size_t i = 1; i <= places; ++i) {
      for (const Bytes& damaged : make_damaged(bytes, bytes.size() / (places + 1) * i))
        CHECK(make_report(damaged, 1) == make_report(damaged, 3));
    }
  }
}

TEST_CASE("a trace that needs too much memory is undecided with any number of threads", "[threads][chrome]") {
  for (const Bytes& bytes : make_traces()) {
    for (const std::uint64_t max_memory : {1'000U, 20'000U, 100'000U}) {
      for (const unsigned threads : {1U, 3U}) {
        const std::string report = make_report(bytes, threads, max_memory);
        CHECK(report.contains("undecided") == report.contains("limit.memory"));
        CHECK((max_memory > 1'000 || report.contains("limit.memory")));
      }
    }
  }
}

TEST_CASE("nothing but the limit is reported about a valid trace that needs too much memory", "[chrome]") {
  for (const char* const name :
       {"chrome/heaps_v2/seed/chrome-120-small.json", "chrome/legacy/seed/chrome-64-small.json",
        "chrome/legacy/seed/hierarchy.json"}) {
    const Bytes bytes = read_corpus_bytes(name);
    for (const std::uint64_t max_memory : {2'000U, 4'000U, 16'000U, 64'000U}) {
      CAPTURE(name, max_memory);
      validation::Options options;
      options.limits.max_memory = max_memory;
      const Report report = validation::check_source(std::make_unique<core::MemorySource>(bytes), options);
      for (const Finding& finding : report.findings)
        CHECK((finding.rule->id == "limit.memory" || finding.rule->severity != Severity::error));
    }
    CHECK(make_report(bytes, 1, 2'000).contains("limit.memory"));
  }
}

TEST_CASE("the report does not depend on the number of threads", "[threads]") {
  constexpr std::size_t places = 7;
  for (const char* const name :
       {"mvmheap/v1/seed/moar-2017.08-small.txt", "mvmheap/v2/seed/moar-2018.03-small.mvmheap",
        "mvmheap/v3/seed/moar-2022.12-nqp.mvmheap", "v8/whole/node-16.heapsnapshot.zst",
        "chrome/legacy/seed/chrome-64-small.json", "chrome/heaps_v2/seed/chrome-120-small.json"}) {
    CAPTURE(name);
    const Bytes bytes = unwrap(read_corpus_bytes(name));
    REQUIRE(bytes.size() > 10'000);
    CHECK(make_report(bytes, 1) == make_report(bytes, 3));
    for (std::size_t i = 1; i <= places; ++i) {
      for (const Bytes& damaged : make_damaged(bytes, bytes.size() / (places + 1) * i))
        CHECK(make_report(damaged, 1) == make_report(damaged, 3));
    }
  }
}
