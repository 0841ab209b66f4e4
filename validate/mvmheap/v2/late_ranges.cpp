#include "validate/mvmheap/v2/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "validate/mvmheap/lost_rows.hpp"
#include "validate/mvmheap/rules.hpp"

namespace heapcheck::validation::mvmheap::v2 {
namespace {

constexpr auto frame_kind = static_cast<std::uint64_t>(model::CollectableKind::frame);
constexpr auto string_kind = static_cast<std::uint64_t>(model::ReferenceKind::string);
constexpr unsigned kind_bits = 2;

/// Returns the index in [0, count) with the largest value among those for which `uses` is true.
template <class Uses, class Value>
std::optional<std::uint64_t> find_largest(std::uint64_t count, Uses&& uses, Value&& value) {
  std::optional<std::uint64_t> place;
  std::uint64_t largest = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!uses(i) || (place && value(i) <= largest)) continue;
    place = i;
    largest = value(i);
  }
  return place;
}

}  // namespace

void LateRanges::add(const SnapshotView& view, const TablesKnown& known) {
  const auto& collectables = view.snapshot.collectables;
  const auto index_of = [&](std::uint64_t i) { return collectables.type_or_frame_index[i]; };
  const auto is_typed = [&](std::uint64_t i) { return model::is_typed_kind(collectables.kind[i]); };
  const auto is_frame = [&](std::uint64_t i) { return collectables.kind[i] == frame_kind; };
  const auto add_collectable = [&](std::vector<Use>& uses, const auto& is_used) {
    const auto i = find_largest(collectables.count(), is_used, index_of);
    if (i) uses.push_back({index_of(*i), view.locate(Field::collectable_index, *i)});
  };
  if (!known.types) add_collectable(types_, is_typed);
  if (!known.frames) add_collectable(frames_, is_frame);
  if (!known.strings) add_strings(view);
}

void LateRanges::add_strings(const SnapshotView& view) {
  const auto& descriptions = view.snapshot.references.description;
  // The place of a reference depends on the descriptions and targets before it.
  if (descriptions.forgotten() != 0 || view.snapshot.references.target.forgotten() != 0) {
    const std::uint64_t needed = model::find_needed_strings(view.snapshot.references);
    if (needed != 0) strings_.push_back({.index = needed - 1, .location = {}, .is_placed = false});
    return;
  }
  const auto is_named = [&](std::uint64_t i) {
    return (descriptions[i] & ((1U << kind_bits) - 1)) == string_kind;
  };
  const auto string_of = [&](std::uint64_t i) { return descriptions[i] >> kind_bits; };
  if (const auto i = find_largest(descriptions.count(), is_named, string_of)) {
    strings_.push_back({string_of(*i), view.locate(Field::reference_description, *i)});
  }
}

bool LateRanges::needs_places(const model::TableCounts& counts, const TablesKnown& known) const {
  return known.strings && std::ranges::any_of(strings_, [&](const Use& use) {
           return use.index >= counts.strings && !use.is_placed;
         });
}

void LateRanges::check(const model::TableCounts& counts, const TablesKnown& known,
                       core::FindingSink& sink) const {
  const auto check_uses = [&](const std::vector<Use>& uses, std::uint64_t rows, const Rule& rule,
                              core::Noun indices) {
    Outside outside{rows};
    for (std::uint64_t i = 0; i < uses.size(); ++i) outside.look_at(uses[i].index, i);
    // Several indices past the end mean that rows were lost, not that every one of these indices is wrong.
    if (outside.has_lost_rows())
      return sink.report(make_lost_rows(outside, uses[outside.first].location, indices));
    report_each(
        uses.size(), rule, sink, [&](std::uint64_t i) { return uses[i].index >= rows; },
        [&](std::uint64_t i) {
          return Finding{&rule, uses[i].location,
                         fmt::format("largest {} in the snapshot is {}, expected less than {}, the "
                                     "number of rows in the table",
                                     indices.one, uses[i].index, rows)};
        });
  };
  if (known.types) check_uses(types_, counts.types, mvmheap::rules::collectable_type_range, "type index");
  if (known.frames)
    check_uses(frames_, counts.static_frames, mvmheap::rules::collectable_frame_range, "static frame index");
  if (known.strings) check_uses(strings_, counts.strings, mvmheap::rules::refs_string_range, "string index");
}

}  // namespace heapcheck::validation::mvmheap::v2
