#include "analyze/answers/suspect_conditions.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "analyze/differences.hpp"
#include "analyze/query.hpp"

namespace heapcheck::analyze::answers {
namespace {

using Outcome = CheckedCondition::Outcome;

bool meets(const Suspect& suspect, const Threshold& threshold) {
  const bool is_named = !threshold.name || (threshold.name_comparison == Comparison::equal
                                                ? suspect.type == *threshold.name
                                                : suspect.type.contains(*threshold.name));
  const double value = threshold.field == TopBy::count ? static_cast<double>(suspect.nodes.size())
                       : threshold.measure == Threshold::Measure::percentage
                           ? suspect.share * 100
                           : static_cast<double>(suspect.retained);
  return is_named && holds(threshold.comparison, value, threshold.number);
}

Result<void> check_measure(const Threshold& threshold) {
  if (threshold.field == TopBy::size) return refuse("--fail-on: found size, expected count or retained");
  if (threshold.measure == Threshold::Measure::change)
    return refuse("--fail-on: found a number with a sign, expected one without, or a percentage");
  if (threshold.measure == Threshold::Measure::percentage && threshold.field == TopBy::count)
    return refuse("--fail-on: found a percentage of count, expected a number");
  return {};
}

}  // namespace

Result<std::vector<Threshold>> parse_suspect_conditions(const Options& options) {
  std::vector<Threshold> thresholds;
  for (const std::string& text : options.get<std::vector<std::string>>("fail-on")) {
    auto threshold = parse_threshold(text);
    if (!threshold) return refuse("--fail-on: " + threshold.error().message);
    if (auto checked = check_measure(*threshold); !checked) return std::unexpected(checked.error());
    thresholds.push_back(std::move(*threshold));
  }
  return thresholds;
}

Result<void> check_suspect_conditions(const Options& options) {
  const auto thresholds = parse_suspect_conditions(options);
  return thresholds ? Result<void>() : std::unexpected(thresholds.error());
}

void add_suspect_conditions(const Options& options, const std::vector<DescribedSuspect>& suspects,
                            const std::string& file, Answer& answer) {
  const auto texts = options.get<std::vector<std::string>>("fail-on");
  const auto thresholds = parse_suspect_conditions(options);
  for (std::size_t i = 0; thresholds && i < thresholds->size(); ++i) {
    const std::size_t before = answer.conditions.size();
    for (const DescribedSuspect& described : suspects) {
      if (!meets(*described.suspect, (*thresholds)[i])) continue;
      answer.remarks.push_back({Remark::Kind::violation, fmt::format("{}: {}", texts[i], described.reason)});
      answer.conditions.push_back({.condition = texts[i],
                                   .outcome = Outcome::violated,
                                   .file = file,
                                   .text = described.reason,
                                   .details = described.path,
                                   .fingerprint = described.suspect->fingerprint});
    }
    if (answer.conditions.size() == before)
      answer.conditions.push_back({.condition = texts[i], .outcome = Outcome::holds, .file = file});
  }
}

}  // namespace heapcheck::analyze::answers
