#include "export/tables/tables.hpp"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "export/profiles/stacks.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::exports::tables {
namespace {

using enum ColumnType;

constexpr Column allocation_columns[] = {
    {"snapshot", integer},     {"stack", integer}, {"type", text, true},
    {"allocator", text, true}, {"size", integer},  {"count", integer, true},
};

Result<Counts> write_stacks_snapshot(const StacksInput& input, Part part, RowBuffer& rows) {
  if (part.begin(1) == part.end(1)) return rows.finish();
  std::uint64_t size = 0;
  for (const std::uint64_t bytes : input.profile.size) size = core::saturating_add(size, bytes);
  write_snapshot_row({.file = input.file,
                      .format = input.format,
                      .snapshot = input.snapshot,
                      .size = size,
                      .process = input.profile.process},
                     rows);
  return rows.finish();
}

/// Adds the name of a function and the position at which it begins.
void add_frame(const AllocationProfile& profile, const StackFrame& frame, RowBuffer& rows) {
  rows.add(profile.texts[frame.name]);
  rows.add_or_skip(frame.script != StackFrame::no_script, script_of(profile, frame));
  for (const std::uint32_t number : {frame.line, frame.column}) rows.add_or_skip(number != 0, number);
}

/// For each place, the bytes of the place itself and of all places that it called.
std::vector<std::uint64_t> add_up_callees(const AllocationProfile& profile, std::vector<std::uint64_t> own) {
  std::vector<std::uint64_t> cumulative = std::move(own);
  // A caller comes before its callees, so when going backwards, each place is complete by the time that it is
  // added to its caller.
  for (std::size_t i = cumulative.size(); i-- > 1;) {
    std::uint64_t& caller = cumulative[profile.caller[i]];
    caller = core::saturating_add(caller, cumulative[i]);
  }
  return cumulative;
}

Result<Counts> write_stacks(const StacksInput& input, Part part, RowBuffer& rows) {
  return write_stack_rows(input.snapshot, input.profile, part, rows);
}

Result<Counts> write_allocations(const StacksInput& input, Part part, RowBuffer& rows) {
  const AllocationProfile& profile = input.profile;
  const auto add_text = [&](const std::vector<std::uint32_t>& column, std::uint64_t row) {
    rows.add_or_skip(!column.empty(), column.empty() ? std::string_view() : profile.texts[column[row]]);
  };
  const std::uint64_t end = part.end(profile.size.size());
  for (std::uint64_t i = part.begin(profile.size.size()); i < end; ++i) {
    rows.add(input.snapshot).add(profile.place[i]);
    add_text(profile.type, i);
    add_text(profile.allocator, i);
    rows.add(profile.size[i]);
    rows.add_or_skip(has_counts(profile), has_counts(profile) ? profile.count[i] : 0);
    if (!rows.end_row()) break;
  }
  return rows.finish();
}

constexpr StackTable tables_of_stacks[] = {
    {{"snapshots", snapshot_columns}, write_stacks_snapshot},
    {{"stacks", stack_columns}, write_stacks},
    {{"allocations", allocation_columns}, write_allocations},
};

}  // namespace

std::span<const StackTable> all_stack_tables() { return tables_of_stacks; }

Result<Counts> write_stack_rows(std::uint64_t snapshot, const AllocationProfile& profile, Part part,
                                RowBuffer& rows) {
  const std::size_t count = profile.caller.size();
  const profiles::PlaceTotals own = profiles::add_up_places(profile);
  const std::vector<std::uint64_t> cumulative = add_up_callees(profile, own.size);
  std::vector<std::uint32_t> depth(count, 0);
  for (std::size_t i = 1; i < count; ++i) depth[i] = depth[profile.caller[i]] + 1;
  const bool is_recorded = has_allocated(profile);
  const std::uint64_t end = part.end(count);
  for (std::uint64_t i = part.begin(count); i < end; ++i) {
    rows.add(snapshot).add(i).add_or_skip(i != 0, profile.caller[i]).add(depth[i]);
    add_frame(profile, profile.frames[profile.frame[i]], rows);
    rows.add(own.size[i]).add(cumulative[i]).add_or_skip(has_counts(profile), own.count[i]);
    rows.add_or_skip(is_recorded, is_recorded ? profile.allocated_size[i] : 0);
    rows.add_or_skip(is_recorded, is_recorded ? profile.allocated_count[i] : 0);
    if (!rows.end_row()) break;
  }
  return rows.finish();
}

}  // namespace heapcheck::exports::tables
