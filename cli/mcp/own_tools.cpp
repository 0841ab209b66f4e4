#include "cli/mcp/own_tools.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cli/spec_pages.hpp"
#include "formats/core/output/output_file.hpp"
#include "formats/core/text/excerpt.hpp"
#include "heapcheck/page.hpp"
#include "heapcheck/recover.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli::mcp {
namespace {

std::string text(std::string_view view) { return std::string(view); }

Cell cell_of(const std::optional<std::uint64_t>& number) { return number ? Cell(*number) : Cell(); }

/// An empty file with a name of its own, which is removed unless it is replaced by a complete one.
class NewFile {
 public:
  static Result<NewFile> create(const Roots& roots, const std::string& path) {
    auto created = roots.create(path);
    if (!created) return std::unexpected(created.error());
    return NewFile(std::move(*created));
  }
  NewFile(NewFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Keeps the file, and returns its path.
  std::string keep() { return std::exchange(path_, {}); }

 private:
  explicit NewFile(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

Result<void> write_file(const std::string& path, std::string_view content) {
  auto file = core::OutputFile::create(path);
  if (!file) return std::unexpected(file.error());
  if (auto written = file->write(core::as_bytes(content)); !written) return written;
  return file->commit();
}

/// Adds a row for each amount to a table of what a recovery did.
void add_amounts(Table& table, std::string_view outcome, const std::vector<Amount>& amounts,
                 std::string_view reason = {}) {
  for (const Amount& amount : amounts)
    table.rows.push_back({text(outcome), amount.what, amount.count, text(reason)});
}

Answer describe_recovery(const Recovery& done, const std::string& output) {
  Answer answer{.facts = {{"output", output},
                          {"format", name_of(done.target)},
                          {"has_lost", done.has_lost},
                          {"findings", done.report.count(Severity::error)}},
                .table = {.key = "parts",
                          .columns = {{"outcome", "Outcome"},
                                      {"what", "What"},
                                      {"count", "Count", Unit::count},
                                      {"reason", "Reason"}}}};
  add_amounts(answer.table, "kept", done.kept);
  add_amounts(answer.table, "dropped", done.dropped);
  for (const Repair& repair : done.repairs) add_amounts(answer.table, "changed", repair.amounts, repair.what);
  for (const DroppedPart& part : done.dropped_parts)
    answer.table.rows.push_back({text("dropped"), part.name, std::uint64_t{1}, part.reason});
  for (const std::string& note : done.notes) answer.remarks.push_back({.text = note});
  return answer;
}

}  // namespace

Answer describe_dumps(const std::vector<const OpenDump*>& dumps) {
  Answer answer{.table = {.key = "dumps",
                          .columns = {{"dump", "Dump"},
                                      {"path", "Path"},
                                      {"format", "Format"},
                                      {"verdict", "Verdict"},
                                      {"obstacle", "Obstacle"},
                                      {"snapshots", "Snapshots", Unit::count},
                                      {"snapshot", "Snapshot", Unit::number},
                                      {"in_memory", "In memory"}}}};
  for (const OpenDump* const dump : dumps)
    answer.table.rows.push_back({dump->id, dump->path, text(slug_of(dump->format)),
                                 text(name_of(dump->verdict)),
                                 dump->obstacle ? Cell(dump->obstacle->message) : Cell(),
                                 dump->snapshot_count, cell_of(dump->snapshot), dump->dump.has_value()});
  return answer;
}

Result<Answer> check_dump(Heaps& heaps, OpenDump& dump, const std::string& reader) {
  Report checked;
  if (!reader.empty()) {
    if (auto loaded = heaps.load(dump); !loaded) return std::unexpected(loaded.error());
    checked = validate(*dump.dump, {.reader = reader});
  }
  const Report& report = reader.empty() ? *dump.report : checked;
  Answer answer{.facts = {{"dump", dump.id},
                          {"format", text(slug_of(dump.format))},
                          {"verdict", text(name_of(report.verdict))},
                          {"errors", report.count(Severity::error)},
                          {"warnings", report.count(Severity::warning)},
                          {"notes", report.count(Severity::note)}},
                .table = {.key = "findings",
                          .columns = {{"rule", "Rule"},
                                      {"severity", "Severity"},
                                      {"offset", "Offset", Unit::number},
                                      {"path", "Path"},
                                      {"message", "Message"}}}};
  for (const Finding& finding : report.findings)
    answer.table.rows.push_back({text(finding.rule->id), text(name_of(finding.severity)),
                                 finding.location.file.offset, finding.location.path, finding.message});
  for (const More& more : report.more) answer.left_out += more.count;
  return answer;
}

Answer explain_rule(const Rule& rule) {
  Answer answer{.table = {.key = "rules",
                          .columns = {{"rule", "Rule"},
                                      {"severity", "Severity"},
                                      {"title", "Title"},
                                      {"reason", "Reason"},
                                      {"example", "Example"},
                                      {"advice", "Advice"},
                                      {"engines", "Engines"},
                                      {"spec", "Specification"},
                                      {"paragraph", "Paragraph"}}}};
  answer.table.rows.push_back({text(rule.id), text(name_of(rule.severity)), text(rule.title),
                               text(rule.reason), text(rule.example), text(rule.advice), text(rule.engines),
                               text(rule.anchor), find_paragraph(rule.anchor, rule.id).value_or("")});
  return answer;
}

Result<Answer> recover_dump(Heaps& heaps, OpenDump& dump, const std::string& output) {
  if (auto loaded = heaps.load(dump); !loaded) return std::unexpected(loaded.error());
  auto file = NewFile::create(heaps.roots(), output);
  if (!file) return std::unexpected(file.error());
  const auto done = heaps.with_memory([&] { return recover(*dump.dump, file->path()); });
  if (!done) return std::unexpected(done.error());
  if (!done->is_written)
    return std::unexpected(
        Error{ErrorKind::damaged, fmt::format("no {} can be kept, so nothing was written", done->unit)});
  // Nothing is reported about a request that was cancelled, so nothing is kept, either.
  if (auto wanted = heaps.check_wanted(); !wanted) return std::unexpected(wanted.error());
  return describe_recovery(*done, file->keep());
}

Result<Answer> write_report(Heaps& heaps, const std::vector<OpenDump*>& dumps, const std::string& output) {
  auto file = NewFile::create(heaps.roots(), output);
  if (!file) return std::unexpected(file.error());
  HeapPage page;
  for (OpenDump* const dump : dumps) {
    if (auto loaded = heaps.load(*dump); !loaded) return std::unexpected(loaded.error());
    const HeapPageOptions options{.snapshot = dump->snapshot, .has_all_snapshots = dumps.size() == 1};
    if (auto added = page.add(*dump->dump, *dump->report, dump->path, options); !added)
      return std::unexpected(added.error());
  }
  const auto made = page.make_page();
  if (!made) return std::unexpected(made.error());
  if (auto written = write_file(file->path(), *made); !written) return std::unexpected(written.error());
  if (auto wanted = heaps.check_wanted(); !wanted) return std::unexpected(wanted.error());
  Answer answer{.table = {.key = "files", .columns = {{"output", "Output"}, {"size", "Size", Unit::bytes}}}};
  answer.table.rows.push_back({file->keep(), std::uint64_t{made->size()}});
  return answer;
}

}  // namespace heapcheck::cli::mcp
