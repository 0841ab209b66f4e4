#include "formats/mvmheap/v1/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/core/faults.hpp"
#include "formats/core/input_failure.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v1/faults.hpp"
#include "formats/mvmheap/v1/grammar.hpp"
#include "formats/mvmheap/v1/quirks.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

/// The path of a line of this kind.
std::string path_of(LineKind kind, std::uint64_t snapshot) {
  if (is_table(kind)) return fmt::format("/{}", info_of(kind).name);
  if (kind == LineKind::snapshot) return fmt::format("/snapshots/{}", snapshot);
  return fmt::format("/snapshots/{}/{}", snapshot, info_of(kind).name);
}

/// Whether `text` begins with NULs, as if its first line had been overwritten, and another line follows them.
bool is_zeroed_before_line(std::string_view text) {
  const std::size_t nuls = std::min(text.find_first_not_of('\0'), text.size());
  const std::string_view rest = text.substr(nuls).substr(text.substr(nuls).starts_with('\n') ? 1 : 0);
  return nuls != 0 && grammar::line_head(core::as_bytes(rest));
}

}  // namespace

bool is_v1(core::ByteSpan first_bytes) {
  while (const auto ignored = grammar::ignored_line(first_bytes)) first_bytes = first_bytes.subspan(*ignored);
  const auto kind = grammar::line_head(first_bytes).value_or(LineKind::strings);
  const std::string_view line = core::as_text(first_bytes);
  const auto head = find_damaged_head(line, kind);
  const std::string_view exact = info_of(LineKind::strings).head;
  return line.starts_with(exact) || (head && line.size() > *head) || is_zeroed_before_line(line);
}

FrontReader::FrontReader(core::Window& window, const Limits& limits, core::FindingSink& sink)
    : WindowReader(window, limits, sink),
      memory_(limits.max_memory),
      line_ends_(window),
      lines_(window, line_ends_, sink),
      lists_(window, line_ends_, sink) {}

bool FrontReader::read_part(LinePart& part) {
  if (progress_ == Progress::not_begun) read_tables();
  if (!begin_part(part)) {
    const bool has_tables = begin_tables_part(part);
    read_end();
    return has_tables;
  }
  while (!container_.stopped) {
    const LineKind expected = next_graph_line();
    // Once it has both lists, the part is complete, unless its references are a misplaced list from another
    // snapshot.
    if (expected == LineKind::snapshot && !may_replace_references(part)) break;
    const auto found = find_line(expected, part.index);
    if (!found) break;
    if (!belongs_to(part, *found, expected)) {
      ahead_ = found;
      break;
    }
    read_graph_line(part, *found);
  }
  end_part(part);
  return true;
}

/// Returns the next line, or the line found ahead. At the end of the input, stops reading, and reports the
/// file as truncated unless it may end there.
std::optional<FoundLine> FrontReader::find_line(LineKind expected, std::uint64_t snapshot) {
  if (ahead_) return std::exchange(ahead_, std::nullopt);
  const bool may_end = expected == LineKind::snapshot;
  const std::string path = path_of(expected, snapshot);
  auto found = lines_.find(expected, path);
  in_doubt_ = in_doubt_ || lines_.skipped_unknown();
  if (found) return found;
  const bool is_explained = in_doubt_ && !lines_.ended_in_head();
  const bool is_missing = expected == LineKind::collectables && seen(LineKind::references).here;
  if (window_->error() || lines_.ended_in_head() || !(may_end || is_explained || is_missing)) {
    report_truncation({lines_.end_offset(), window_->offset() - lines_.end_offset()}, path,
                      fmt::format("before the {} line", info_of(expected).name));
  }
  return std::nullopt;
}

void FrontReader::read_tables() {
  progress_ = Progress::snapshots;
  while (!container_.stopped) {
    auto next = LineKind::strings;
    while (is_table(next) && seen(next).here)
      next = static_cast<LineKind>(static_cast<std::uint8_t>(next) + 1);
    const auto found = find_line(next, 0);
    if (found && !is_table(found->kind)) ahead_ = found;
    if (!found || ahead_) break;
    read_table(*found);
  }
  tables_end_ = ahead_ ? ahead_->head.offset : window_->offset();
  tables_in_doubt_ = in_doubt_;
  if (!seen(LineKind::types).whole) tables_.types = {};
  if (!seen(LineKind::static_frames).whole) tables_.static_frames = {};
}

void FrontReader::read_table(const FoundLine& found) {
  const std::string path = path_of(found.kind, 0);
  if (seen(found.kind).here)
    return skip_line(rules::line_duplicate, found, path, "line occurs again, expected only once");
  const bool is_late = std::any_of(seen_.begin() + static_cast<std::ptrdiff_t>(found.kind),
                                   seen_.begin() + table_kinds, [](const Seen& other) { return other.here; });
  if (is_late)
    report(rules::line_order, found.head, path,
           fmt::format("found {} after a later table, expected the order strings, types, static_frames",
                       info_of(found.kind).name));
  window_->consume(found.head.length);
  Line line{found.kind, found.head, 0, 0, true};
  if (found.kind == LineKind::strings) {
    read_strings(line);
  } else {
    read_list(make_target(found.kind, nullptr), line);
  }
  settle(line);
  const bool have_all =
      std::all_of(seen_.begin(), seen_.begin() + table_kinds, [](const Seen& table) { return table.here; });
  // If the table is damaged, the damage may have removed the empty line after it.
  if (have_all || found.kind == LineKind::static_frames) lines_.expect_empty_line(line.whole && !is_joined_);
}

void FrontReader::read_strings(Line& line) {
  StringsReader strings(*window_, line_ends_, memory_, *sink_);
  const StringsEnd end = strings.read(tables_.strings, container_);
  line.count = tables_.strings.count();
  line.whole = end == StringsEnd::line && strings.known();
  if (end == StringsEnd::line) guessed_strings_ = strings.guessed();
  if (end == StringsEnd::stopped) return stop();
  if (end == StringsEnd::file) {
    report_truncation({strings.name_offset(), window_->offset() - strings.name_offset()}, "/strings",
                      "inside the strings line");
  }
}

/// Moves on to the next snapshot. Returns whether there is one.
bool FrontReader::begin_part(LinePart& part) {
  if (container_.snapshots != 0) in_doubt_ = false;
  seen(LineKind::snapshot) = seen(LineKind::collectables) = seen(LineKind::references) = {};
  leading_ = std::nullopt;
  while (!container_.stopped) {
    const auto found = find_line(LineKind::snapshot, container_.snapshots);
    if (!found) return false;
    if (is_table(found->kind)) {
      skip_late_table(*found);
    } else if (found->kind == LineKind::references && container_.snapshots != 0) {
      skip_line(rules::line_duplicate, *found, path_of(found->kind, container_.snapshots - 1),
                "line occurs again, expected once per snapshot");
    } else {
      begin_snapshot(part, *found);
      return true;
    }
  }
  return false;
}

void FrontReader::begin_snapshot(LinePart& part, const FoundLine& found) {
  part.reset(container_.snapshots++);
  part.has_snapshot = true;
  enter_tables(part);
  part.number = next_number_++;
  ++next_written_;
  if (found.kind == LineKind::snapshot) {
    part.head = found.head;
    window_->consume(found.head.length);
    read_number(part);
    part.head.length = window_->offset() - part.head.offset;
  } else {
    ahead_ = found;
    if (!in_doubt_) report_missing(LineKind::snapshot, found.head.offset, part.index);
  }
  check_item_limit(container_.snapshots, "snapshots");
}

/// Records the lengths of the tables in `part` and whether they are known. All tables come before the first
/// part.
void FrontReader::enter_tables(LinePart& part) {
  part.before = part.index == 0 ? TableCounts{} : tables_.counts();
  part.after = tables_.counts();
  part.strings_known = seen(LineKind::strings).whole;
  part.are_strings_counted = false;
  if (part.index == 0) part.guessed_strings = guessed_strings_;
  part.types_known = seen(LineKind::types).whole;
  part.frames_known = seen(LineKind::static_frames).whole;
}

void FrontReader::read_graph_line(LinePart& part, const FoundLine& found) {
  if (is_table(found.kind)) {
    if (part.index != 0 || part.head.length != 0) return skip_late_table(found);
    read_table(found);  // the preceding list is a misplaced line
    return enter_tables(part);
  }
  if (found.kind == LineKind::snapshot && part.head.length == 0) {  // already reported as missing
    part.head = found.head;
    window_->consume(found.head.length);
    line_ends_.skip_line();
    return;
  }
  const std::string path = path_of(found.kind, part.index);
  if (leading_ == found.kind && part.head.length != 0) drop_leading_list(part);
  if (seen(found.kind).here || found.kind == LineKind::snapshot)
    return skip_line(rules::line_duplicate, found, path, "line occurs again, expected once per snapshot");
  if (found.kind == LineKind::collectables && seen(LineKind::references).here &&
      !may_replace_references(part)) {
    report(rules::line_order, found.head, path,
           "found collectables after the references, expected them before");
  }
  window_->consume(found.head.length);
  Line line{found.kind, found.head, part.index, 0, true};
  if (found.kind == LineKind::references && part.holds_all_columns()) reserve_references(part.snapshot);
  if (part.head.length == 0 && !leading_) leading_ = found.kind;
  read_list(make_target(found.kind, &part), line);
  settle(line);
}

void FrontReader::end_part(LinePart& part) {
  const bool is_whole = seen(LineKind::collectables).whole && seen(LineKind::references).whole;
  part.is_cut = cut_ && !is_whole;
  part.has_whole_graph = part.has_whole_snapshot = is_whole && part.snapshot.has_equal_columns();
  if (part.has_whole_graph && lacks_targets(part.snapshot)) move_indices(part.snapshot.references);
  if (is_whole) ++container_.whole_snapshots;
  if (container_.stopped) return;
  const std::uint64_t end = ahead_ ? ahead_->head.offset : window_->offset();
  if (!in_doubt_ && !seen(LineKind::collectables).here) {
    const bool has_references = seen(LineKind::references).here;
    report_missing(LineKind::collectables, has_references ? container_.lines.back().span.offset : end,
                   part.index);
  } else if (!in_doubt_ && !seen(LineKind::references).here) {
    report_missing(LineKind::references, end, part.index);
  }
  lines_.expect_empty_line(is_whole && !is_joined_ && !ahead_);
}

/// If the file has no snapshots, makes a part that consists only of the tables. Returns whether it did so.
bool FrontReader::begin_tables_part(LinePart& part) {
  const bool is_needed = progress_ != Progress::ended && container_.snapshots == 0;
  if (!is_needed || tables_.counts() == TableCounts{}) return false;
  part.reset(0);
  enter_tables(part);
  return true;
}

/// Runs the checks that are only possible at the end of the file.
void FrontReader::read_end() {
  if (progress_ == Progress::ended) return;
  progress_ = Progress::ended;
  container_.complete = !container_.stopped;
  stop();
  for (const LineKind kind : {LineKind::strings, LineKind::types, LineKind::static_frames}) {
    if (!container_.complete || seen(kind).here || tables_in_doubt_) continue;
    const auto next = std::ranges::find_if(
        container_.lines, [kind](const Line& line) { return is_table(line.kind) && line.kind > kind; });
    report_missing(kind, next == container_.lines.end() ? tables_end_ : next->span.offset, 0);
  }
  if (line_ends_.first()) {
    report(rules::line_carriage_return, *line_ends_.first(), "",
           fmt::format("found {} with a carriage return, expected line feeds alone{}",
                       core::counted(line_ends_.count(), "line end"),
                       line_ends_.have_all() ? ": all line ends are those of text mode on Windows" : ""));
  }
  container_.byte_count = window_->offset() + window_->look_ahead(core::Window::default_capacity).size();
}

/// Reads a list into its columns and records it in `line`.
void FrontReader::read_list(const ListTarget& target, Line& line) {
  const ListOutcome outcome = lists_.read(target);
  line.count = outcome.count;
  line.whole = outcome.whole;
  is_joined_ = outcome.joined;
  in_doubt_ = in_doubt_ || !outcome.whole;
  if (outcome.end == ListEnd::stopped) stop();
  if (outcome.end == ListEnd::file) {
    window_->skip_to_end();
    report_truncation(outcome.cut, target.path, fmt::format("inside the {} line", info_of(target.kind).name));
  }
}

/// The target for the rows of a list: the shared tables, or the columns of `part`.
ListTarget FrontReader::make_target(LineKind kind, LinePart* part) {
  const std::string path = path_of(kind, part == nullptr ? 0 : part->index);
  RowPlaces& places = kind == LineKind::types           ? container_.types
                      : kind == LineKind::static_frames ? container_.static_frames
                      : kind == LineKind::collectables  ? part->collectables
                                                        : part->references;
  return {kind, path, &places, [this, kind, path, part](const RowBlock& rows) {
            if (part == nullptr) {
              append_rows(rows, kind, tables_);
            } else {
              append_rows(rows, kind, part->snapshot);
              part->show_columns();
            }
            return fits_memory(part, path);
          }};
}

/// Adds a line that has been read to the container.
void FrontReader::settle(Line line) {
  line.span.length = window_->offset() - line.span.offset;
  seen(line.kind) = {true, line.whole};
  container_.lines.push_back(line);
  check_item_limit(container_.lines.size(), "lists");
}

void FrontReader::check_item_limit(std::uint64_t count, std::string_view what) {
  if (count <= limits_.max_blocks || container_.stopped) return;
  report(core::rules::limit_items, {window_->offset(), 0}, "",
         fmt::format("file exceeds the limit of {} {}", limits_.max_blocks, what));
  stop();
}

bool FrontReader::fits_memory(const LinePart* part, const std::string& path) {
  const mvmheap::Part none;
  const mvmheap::Part& columns = part == nullptr ? none : *part;
  const std::uint64_t places = part == nullptr ? 0 : part->collectables.memory() + part->references.memory();
  if (memory_.fits(memory_needed(columns, tables_) + places)) return true;
  report(core::rules::limit_memory, {window_->offset(), 0}, path, memory_.describe_lack("columns"));
  return false;
}

void FrontReader::skip_late_table(const FoundLine& found) {
  const bool is_new = !seen(found.kind).here;
  seen(found.kind).here = true;
  skip_line(is_new ? rules::line_late : rules::line_duplicate, found, path_of(found.kind, 0),
            is_new ? "found a table after a snapshot, expected it before the first one"
                   : "line occurs again, expected only once");
}

/// Reports a line that is not allowed here, and skips it.
void FrontReader::skip_line(const Rule& rule, const FoundLine& found, const std::string& path,
                            std::string message) {
  report(rule, found.head, path, std::move(message));
  window_->consume(found.head.length);
  lines_.expect_empty_line(false);
  if (found.kind != LineKind::strings) {
    line_ends_.skip_line();
    return;
  }
  StringTable names;
  LineContainer none;
  StringsReader(*window_, line_ends_, memory_, *sink_).read(names, none);
}

void FrontReader::report_missing(LineKind kind, std::uint64_t offset, std::uint64_t snapshot) {
  report(rules::line_missing, {offset, 0}, path_of(kind, snapshot),
         fmt::format("found no line \"{}\", expected one", info_of(kind).head));
}

void FrontReader::report_truncation(Span place, const std::string& path, const std::string& inside) {
  stop();
  cut_ = true;
  if (report_input_failure(place, path, container_.whole_snapshots)) return;
  report(rules::file_truncated, place, path,
         fmt::format("file ends {}; {}", inside, count_whole_snapshots(container_.whole_snapshots)));
}

}  // namespace heapcheck::mvmheap::v1
