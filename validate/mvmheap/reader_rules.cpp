#include "validate/mvmheap/rules.hpp"

#include <fmt/format.h>

#include "validate/reader_rules.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

constexpr std::uint64_t largest_signed_16 = 0x7FFF;
constexpr std::uint64_t largest_signed_32 = 0x7FFF'FFFF;

/// The reader's rule for sizes, or null if it has none.
const Rule* find_size_rule(Reader reader) {
  if (reader == Reader::moar_ha) return &validation::rules::moar_ha_size;
  if (reader == Reader::comma) return &validation::rules::comma_size;
  return reader == Reader::moarperf ? &validation::rules::moarperf_size : nullptr;
}

void check_size_column(const SnapshotView& view, const Rule& rule, Field field, std::uint64_t largest,
                       core::FindingSink& sink) {
  const auto value = [&](std::uint64_t i) {
    const auto& collectables = view.snapshot.collectables;
    return field == Field::collectable_size ? collectables.size[i] : collectables.unmanaged_size[i];
  };
  report_each(
      view.snapshot.collectables.count(), rule, sink, [&](std::uint64_t i) { return value(i) > largest; },
      [&](std::uint64_t i) {
        return make_finding(view, rule, field, i,
                            fmt::format("size is {}, expected at most {}", value(i), largest));
      });
}

/// Returns the part of the name that moar-ha cannot parse; empty if it can parse the name.
std::string_view find_obstacle(std::string_view name) {
  if (name.find('\n') != std::string_view::npos) return "contains a line feed";
  if (name.find('\t') != std::string_view::npos) return "contains a tab";
  if (name.starts_with('"')) return "begins with a quote";
  return name.starts_with('\\') ? "begins with a backslash" : "";
}

}  // namespace

void check_sizes_for(Reader reader, const SnapshotView& view, core::FindingSink& sink) {
  const Rule* const rule = find_size_rule(reader);
  if (rule == nullptr) return;
  check_size_column(view, *rule, Field::collectable_size, largest_signed_16, sink);
  if (reader == Reader::moarperf)
    check_size_column(view, *rule, Field::collectable_unmanaged_size, largest_signed_32, sink);
}

void check_names_for(Reader reader, const model::Tables& tables, std::uint64_t first, std::uint64_t last,
                     const Locate& locate, core::FindingSink& sink) {
  if (reader != Reader::moar_ha) return;
  const Rule& rule = validation::rules::moar_ha_name;
  const auto obstacle = [&](std::uint64_t i) {
    return find_obstacle(tables.strings[model::StringIndex{first + i}]);
  };
  report_each(
      last - first, rule, sink, [&](std::uint64_t i) { return !obstacle(i).empty(); },
      [&](std::uint64_t i) {
        return Finding{&rule, locate(Field::string, first + i),
                       fmt::format("name {}, which moar-ha cannot parse", obstacle(i))};
      });
}

}  // namespace heapcheck::validation::mvmheap
