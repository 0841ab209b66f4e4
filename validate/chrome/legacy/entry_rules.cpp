
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "formats/core/finding_groups.hpp"
#include "formats/core/text/excerpt.hpp"
#include "validate/chrome/legacy/rules.hpp"

namespace heapcheck::validation::chrome::legacy {
namespace {

class Resolver {
 public:
  Resolver(HeapView& view, core::FindingSink& sink) : view_(&view), process_(view.process), sink_(&sink) {}

  void run();

 private:
  /// The node of the entry's stack.
  std::optional<std::uint32_t> resolve_frame(std::uint32_t row) {
    const auto id = static_cast<std::uint32_t>(view_->heap->entries.frame[row]);
    if (const auto frame = process_->forest.index.find(id)) return *frame + 1;
    return resolve_special_frame(row);
  }
  /// 0 for all types; otherwise, 1 + the row of the type, or 1 + the numeric id if the type does not need a
  /// name.
  std::optional<std::uint32_t> resolve_type(std::uint32_t row) {
    const auto id = static_cast<std::uint32_t>(view_->heap->entries.type[row]);
    if (const auto type = process_->types.find(id)) return *type + 1;
    return resolve_special_type(row);
  }
  std::optional<std::uint32_t> resolve_special_frame(std::uint32_t row);
  std::optional<std::uint32_t> resolve_special_type(std::uint32_t row);
  bool resolve_other(EntryView& entry);
  void check_unique();
  void report(const Rule& rule, std::uint32_t row, std::string_view member, std::string message);

  HeapView* view_;
  ProcessView* process_;
  core::FindingSink* sink_;
};

void Resolver::run() {
  const format::Entries& entries = view_->heap->entries;
  std::vector<EntryView>& resolved = view_->entries;
  renew(resolved, entries.row_count());
  std::size_t count = 0;
  for (std::uint32_t row = 0; row < entries.row_count(); ++row) {
    const format::FrameId frame = entries.frame[row];
    const format::TypeId type = entries.type[row];
    EntryView entry{.node = process_->forest.index.guess(static_cast<std::uint32_t>(frame)),
                    .type = process_->types.guess(static_cast<std::uint32_t>(type)),
                    .row = row};
    const bool is_frame_open = (entry.node == 0) & (frame != format::empty_stack);
    const bool is_type_open = (entry.type == 0) & (type != format::all_types);
    const bool is_known = !(is_frame_open | is_type_open) || resolve_other(entry);
    resolved[count] = entry;
    count += is_known ? 1 : 0;
  }
  view_->is_whole = view_->is_whole && count == entries.row_count();
  resolved.resize(count);
  check_unique();
}

/// Resolves an entry with unusual ids. Returns false if it is unknown what they mean.
bool Resolver::resolve_other(EntryView& entry) {
  const auto node = resolve_frame(entry.row);
  const auto type = resolve_type(entry.row);
  entry.node = node.value_or(0);
  entry.type = type.value_or(0);
  return node && type;
}

/// Resolves a stack that is not the id of a frame.
std::optional<std::uint32_t> Resolver::resolve_special_frame(std::uint32_t row) {
  const format::FrameId id = view_->heap->entries.frame[row];
  if (id == format::empty_stack) return 0;
  if (id == format::unreadable_stack) return std::nullopt;
  if (id == format::no_stack) {
    if (view_->is_old) return 0;
    report(rules::entry_missing_stack, row, {},
           "the entry has no `bt`, expected one because values are cumulative");
    return std::nullopt;
  }
  const auto number = static_cast<std::uint32_t>(id);
  // If parents are missing, other frames are missing too, and that has already been reported.
  const format::Frames& frames = process_->process->frames;
  const bool is_whole = !frames.is_damaged && process_->forest.dangling.empty();
  if (frames.count() != 0 && is_whole && process_->found.missing_frames.insert(number).second) {
    report(rules::entry_dangling_frame, row, "/bt",
           fmt::format("`bt` is `{}`, expected the id of a stack frame",
                       core::make_excerpt(process_->model->ids.text(id))));
  }
  return std::nullopt;
}

/// Resolves a type that is not the id of a named type.
std::optional<std::uint32_t> Resolver::resolve_special_type(std::uint32_t row) {
  const format::TypeId id = view_->heap->entries.type[row];
  if (id == format::all_types) return 0;
  if (id == format::unreadable_type) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(id);
  const format::Types& types = process_->process->types;
  // In the old variant, types do not need names, and the empty id means the unknown type. spec:
  // chrome/legacy.md#old
  if (view_->is_old && (types.count() == 0 || process_->model->ids.text(id).empty())) return number + 1;
  if (types.count() != 0 && !types.is_damaged && process_->found.missing_types.insert(number).second) {
    report(rules::entry_dangling_type, row, "/type",
           fmt::format("`type` is `{}`, expected the id of a type",
                       core::make_excerpt(process_->model->ids.text(id))));
  }
  return std::nullopt;
}

/// The key by which writers sort entries: first by stack, starting with the empty stack, and then by type,
/// starting with the entry for all types.
std::pair<std::uint64_t, std::uint64_t> order_of(const format::Entries& entries, std::size_t row) {
  const auto place = [](std::uint32_t id, bool is_first) { return is_first ? 0 : std::uint64_t{id} + 1; };
  const auto [frame, type] = std::pair(entries.frame[row], entries.type[row]);
  return {place(static_cast<std::uint32_t>(frame), frame == format::empty_stack),
          place(static_cast<std::uint32_t>(type), type == format::all_types)};
}

bool is_in_order(const format::Entries& entries, std::size_t row) {
  return (row == 0 || order_of(entries, row - 1) < order_of(entries, row)) &&
         (row + 1 >= entries.row_count() || order_of(entries, row) < order_of(entries, row + 1));
}

/// The only entry that is out of order, if all others are sorted.
std::optional<std::uint32_t> find_misplaced(const format::Entries& entries) {
  std::optional<std::uint32_t> descent;
  for (std::uint32_t row = 0; row + 1 < entries.row_count(); ++row) {
    if (order_of(entries, row) < order_of(entries, row + 1)) continue;
    if (descent) return std::nullopt;
    descent = row;
  }
  if (!descent) return std::nullopt;
  const std::uint32_t row = *descent;
  const bool without_first = row == 0 || order_of(entries, row - 1) < order_of(entries, row + 1);
  if (without_first) return row;
  const bool without_second =
      row + 2 >= entries.row_count() || order_of(entries, row) < order_of(entries, row + 2);
  return without_second ? std::optional(row + 1) : std::nullopt;
}

void Resolver::check_unique() {
  std::vector<EntryView>& entries = view_->entries;
  // In the old variant, the total and the memory of the empty stack itself are different entries.
  const format::Entries& columns = view_->heap->entries;
  const auto key = [&columns, is_old = view_->is_old](const EntryView& entry) {
    return std::tuple(entry.node, is_old && columns.frame[entry.row] != format::no_stack, entry.type);
  };
  // All known writers write entries like this: sorted and without duplicates.
  if (std::ranges::adjacent_find(entries, std::ranges::greater_equal{}, key) == entries.end()) return;
  std::ranges::sort(entries, {}, [&key](const EntryView& entry) { return std::pair(key(entry), entry.row); });
  core::FindingGroups findings(*sink_, rules::entry_duplicate);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (kept == 0 || key(entries[kept - 1]) != key(entries[i])) {
      entries[kept++] = entries[i];
      continue;
    }
    view_->is_whole = false;
    // The entry that is out of order has the wrong stack or type.
    if (!is_in_order(columns, entries[kept - 1].row) && is_in_order(columns, entries[i].row)) {
      std::swap(entries[kept - 1], entries[i]);
    }
    findings.add([&] {
      return Finding{&rules::entry_duplicate,
                     view_->dump->locate(*view_->heap, entries[i].row),
                     "found a second entry with this stack and type, expected one",
                     {{view_->dump->locate(*view_->heap, entries[kept - 1].row), "the other entry"}}};
    });
  }
  entries.resize(kept);
  findings.report();
}

void Resolver::report(const Rule& rule, std::uint32_t row, std::string_view member, std::string message) {
  core::report_lazily(*sink_, rule, [&] {
    return Finding{&rule, view_->dump->locate(*view_->heap, row, member), std::move(message)};
  });
}

/// A missing entry that other entries are part of.
struct Missing {
  std::uint32_t node = 0;
  std::uint32_t type = 0;
  std::uint32_t row = 0;  // the row of the first entry that is part of it
};

/// The missing entries. Each is listed once, and each existing entry accounts for at most one of them.
std::vector<Missing> find_missing(const HeapView& view) {
  std::vector<Missing> missing;
  for (std::size_t i = 0; i < view.entries.size(); ++i) {
    const EntryView& entry = view.entries[i];
    if (entry.type != 0 && view.total[i] == nowhere) missing.push_back({entry.node, 0, entry.row});
    if (entry.node == 0 || view.caller[i] != nowhere) continue;
    missing.push_back({view.caller_of(entry.node), entry.type, entry.row});
  }
  const auto key = [](const Missing& one) { return std::tuple(one.node, one.type, one.row); };
  std::ranges::sort(missing, {}, key);
  const auto repeated =
      std::ranges::unique(missing, {}, [](const Missing& one) { return std::pair(one.node, one.type); });
  missing.erase(repeated.begin(), repeated.end());
  std::ranges::sort(missing, {}, [](const Missing& one) { return std::tuple(one.row, one.node, one.type); });
  const auto same_row = std::ranges::unique(missing, {}, &Missing::row);
  missing.erase(same_row.begin(), same_row.end());
  return missing;
}

/// Describes the entry by its ids: "stack `3` and type `17`".
std::string describe(const HeapView& view, const Missing& missing) {
  const format::Process& process = *view.process->process;
  const format::IdPool& ids = view.process->model->ids;
  const std::string stack =
      missing.node == 0
          ? std::string("the empty stack")
          : fmt::format("stack `{}`", core::make_excerpt(ids.text(process.frames.id[missing.node - 1])));
  if (missing.type == 0) return stack + " and all types";
  return fmt::format("{} and type `{}`", stack,
                     core::make_excerpt(ids.text(process.types.id[missing.type - 1])));
}

void report_missing(const HeapView& view, const Missing& missing, const Rule& rule, std::string_view cause,
                    core::FindingGroups& findings) {
  findings.add([&] {
    return Finding{
        &rule, view.dump->locate(*view.heap, missing.row),
        fmt::format("found no entry for {}, expected one because {}", describe(view, missing), cause)};
  });
}

/// Reports each stack that has lost an entry only once, because a wrong frame causes entries of every type to
/// be lost in every dump.
void report_lost(const HeapView& view, const std::vector<Missing>& all, core::FindingSink& sink) {
  core::FindingGroups findings(sink, rules::entry_lost_total);
  for (const Missing& missing : all) {
    if (missing.node == 0 && missing.type == 0) continue;
    if (!view.process->found.lost_totals.insert(missing.node).second) continue;
    report_missing(view, missing, rules::entry_lost_total,
                   "this entry is part of it and nothing was left out", findings);
  }
  findings.report();
}

}  // namespace

void resolve_entries(HeapView& view, core::FindingSink& sink) {
  if (view.heap->is_damaged) view.is_whole = false;
  Resolver(view, sink).run();
  if (!view.is_old) view.find_wholes();
}

bool check_places(HeapView& view, std::string_view cause, core::FindingSink& sink) {
  const auto row = find_misplaced(view.heap->entries);
  if (!row) return false;
  core::report_or_count(
      sink, {&rules::entry_misplaced, view.dump->locate(*view.heap, *row),
             fmt::format("{} and only this entry is out of order, expected sorted entries", cause)});
  view.is_whole = false;
  return true;
}

void check_root(const HeapView& view, core::FindingSink& sink) {
  const format::Entries& entries = view.heap->entries;
  const format::FrameId first = entries.frame[0];
  const bool is_known = first != format::no_stack && first != format::unreadable_stack &&
                        entries.type[0] != format::unreadable_type;
  const bool is_total = first == format::empty_stack && entries.type[0] == format::all_types;
  if (is_known && !is_total) {
    core::report_or_count(
        sink, {&rules::entry_root_first, view.dump->locate(*view.heap, 0),
               "the first entry has a stack or type, expected the total of all stacks and types"});
  }
}

void check_totals(HeapView& view, core::FindingSink& sink) {
  const std::vector<Missing> all = find_missing(view);
  view.has_totals = all.empty();
  if (view.process->model->threshold == 0) {
    if (!all.empty() && !check_places(view, "a total is missing", sink)) report_lost(view, all, sink);
    return;
  }
  core::FindingGroups findings(sink, rules::entry_missing_total);
  for (const Missing& missing : all) {
    if (missing.node == 0 && missing.type == 0) continue;
    report_missing(view, missing, rules::entry_missing_total, "this entry is part of it", findings);
  }
  findings.report();
}

}  // namespace heapcheck::validation::chrome::legacy
