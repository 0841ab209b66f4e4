#include "analyze/thresholds.hpp"

#include <limits>

#include "analyze/differences.hpp"
#include "analyze/query.hpp"

namespace heapcheck::analyze {
namespace {

bool is_named(const Series& series, const Threshold& threshold) {
  if (threshold.name_comparison == Comparison::contains) return series.name.contains(*threshold.name);
  return series.name == *threshold.name;
}

/// Multiplies instead of dividing, so that 100 to 110 is exactly 10 percent.
bool holds_percentage(const Threshold& threshold, double first, double last) {
  if (first != 0) return holds(threshold.comparison, (last - first) * 100, threshold.number * first);
  const double percentage = last == 0 ? 0 : std::numeric_limits<double>::infinity();
  return holds(threshold.comparison, percentage, threshold.number);
}

bool is_violation(const Series& series, const Threshold& threshold) {
  const auto first = static_cast<double>(value_of(series.totals.front(), threshold.field));
  const auto last = static_cast<double>(value_of(series.totals.back(), threshold.field));
  switch (threshold.measure) {
    case Threshold::Measure::value:
      return holds(threshold.comparison, last, threshold.number);
    case Threshold::Measure::change:
      return holds(threshold.comparison, last - first, threshold.number);
    case Threshold::Measure::percentage:
      break;
  }
  return holds_percentage(threshold, first, last);
}

/// The series that the condition is about.
std::vector<Series> find_named(const std::vector<Series>& all, const Series& whole,
                               const Threshold& threshold) {
  if (!threshold.name) return {whole};
  std::vector<Series> named;
  for (const Series& series : all) {
    if (is_named(series, threshold)) named.push_back(series);
  }
  if (named.empty() && threshold.name_comparison == Comparison::equal)
    named.push_back({*threshold.name, std::vector<Totals>(whole.totals.size())});
  return named;
}

}  // namespace

std::vector<Series> find_violations(const std::vector<Series>& all, const Series& whole,
                                    const Threshold& threshold) {
  std::vector<Series> found = find_named(all, whole, threshold);
  std::erase_if(found, [&](const Series& series) { return !is_violation(series, threshold); });
  return found;
}

}  // namespace heapcheck::analyze
