#include "conformance/check.hpp"

#include <fmt/format.h>

#include <array>

#include "validate/validate.hpp"

namespace heapcheck::conformance {
namespace {

struct NamedLimit {
  std::string_view name;
  std::uint64_t Limits::* member;
};
constexpr std::array<NamedLimit, 9> named_limits{{{"max_memory", &Limits::max_memory},
                                                  {"all_frames_floor", &Limits::all_frames_floor},
                                                  {"max_frame_window", &Limits::max_frame_window},
                                                  {"max_transport_window", &Limits::max_transport_window},
                                                  {"max_input", &Limits::max_input},
                                                  {"max_blocks", &Limits::max_blocks},
                                                  {"max_json_text", &Limits::max_json_text},
                                                  {"max_toc_entries", &Limits::max_toc_entries},
                                                  {"max_json_depth", &Limits::max_json_depth}}};

}  // namespace

std::optional<CheckResult> check(core::ByteSpan bytes, const CheckSettings& settings) {
  validation::Options options{.limits = settings.limits};
  if (!settings.reader.empty()) {
    const auto reader = validation::find_reader(settings.reader);
    if (!reader) return std::nullopt;
    options.reader.which = *reader;
  }
  options.reader.max_text = settings.max_text.value_or(options.reader.max_text);
  options.reader.max_calls = settings.max_calls.value_or(options.reader.max_calls);
  const auto report = validation::check_source(std::make_unique<core::MemorySource>(bytes), options);
  CheckResult result;
  result.verdict = name_of(report.verdict);
  for (const Finding& finding : report.findings) {
    const Location& location = finding.location;
    const auto content = location.content ? std::optional(location.content->offset) : std::nullopt;
    result.findings.push_back(
        {std::string(finding.rule->id), location.file.offset, content, location.path, finding.message});
  }
  for (const More& more : report.more) {
    result.findings.push_back(
        {std::string(more.rule->id), 0, std::nullopt, "", fmt::format("and {} more", more.count)});
  }
  return result;
}

bool set_limit(CheckSettings& settings, std::string_view name, std::uint64_t value) {
  if (name == "max_expanded") {
    settings.limits.max_expanded = value;
    return true;
  }
  if (name == "reader_text" || name == "reader_calls") {
    (name == "reader_text" ? settings.max_text : settings.max_calls) = value;
    return true;
  }
  for (const NamedLimit& limit : named_limits) {
    if (limit.name != name) continue;
    settings.limits.*limit.member = value;
    return true;
  }
  return false;
}

}  // namespace heapcheck::conformance
