// The summary of a V8 sampling heap profile.
#include <optional>
#include <string>
#include <string_view>

#include "analyze/summary/summary.hpp"
#include "formats/v8/heapprofile/reader.hpp"

namespace heapcheck::analyze {
namespace {

namespace profile = v8::heapprofile;

/// The program that wrote the profile, as guessed from the profile's form and names; empty if there is no
/// clue.
std::string_view guess_producer(const profile::Reading& reading) {
  const profile::Form& form = reading.container.form;
  if (form.has_modules) return "DevTools, from native memory";
  if (form.flat_frames) return "an early version of Chrome";
  if (form.has_vscode) return "VS Code";
  if (form.numeric_scripts) return form.samples_first ? "Node.js, by v8.startHeapProfile()" : "xprofiler";
  const core::StringPool& strings = reading.profile.strings;
  for (const core::PoolIndex url : reading.profile.nodes.url) {
    if (url == profile::no_text) continue;
    const std::string_view text = strings[url];
    if (text.starts_with("node:")) return "Node.js 16 or later";
    if (text.starts_with("internal/")) return "Node.js before 16";
  }
  return {};
}

std::string describe(const std::optional<std::uint64_t>& sum) {
  return sum ? std::to_string(*sum) : "2^64 or more";
}

Fact make_sum(std::string key, std::string label, const std::optional<std::uint64_t>& sum) {
  Fact fact{.key = std::move(key), .label = std::move(label), .value = {}, .words = describe(sum)};
  if (sum) fact.value = *sum;
  return fact;
}

void add_samples(std::uint64_t count, const std::optional<std::uint64_t>& size, Summary& summary) {
  summary.facts.push_back({.key = "samples",
                           .label = "samples",
                           .value = count,
                           .words = std::to_string(count) + ", " + describe(size) + " bytes in total"});
  summary.facts.push_back(make_sum("sample_bytes", "", size));
}

void add_part(std::string kind, const std::optional<Span>& span, std::uint64_t count,
              ProfileSummary& summary) {
  if (span) summary.parts.push_back({.kind = std::move(kind), .span = *span, .count = count});
}

}  // namespace

void summarise_heapprofile(core::Window& window, const Limits& limits, core::FindingSink& sink,
                           Summary& summary) {
  const profile::Reading reading = profile::read_profile(window, limits, sink);
  const profile::Summary sums = profile::summarise(reading.profile);
  const std::uint64_t nodes = reading.profile.nodes.count();
  const std::uint64_t samples = reading.profile.samples.count();
  summary.byte_count = reading.container.byte_count;
  add_producer(summary, guess_producer(reading));
  add_number(summary, "nodes", "nodes", nodes);
  add_number(summary, "depth", "depth", sums.depth);
  add_number(summary, "functions", "functions", sums.functions);
  add_number(summary, "scripts", "scripts", sums.scripts);
  summary.facts.push_back(make_sum("heap_bytes", "heap bytes", sums.self_size));
  if (reading.profile.has_samples) add_samples(samples, sums.sample_size, summary);
  auto& content = summary.content.emplace<ProfileSummary>();
  add_part("head", reading.container.head, nodes, content);
  add_part("samples", reading.container.samples, samples, content);
}

}  // namespace heapcheck::analyze
