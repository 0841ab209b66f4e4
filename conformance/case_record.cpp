#include "conformance/case_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "conformance/recipe/build.hpp"
#include "conformance/recipe/case_file.hpp"
#include "conformance/recipe/wrap.hpp"
#include "conformance/runner.hpp"
#include "validate/catalog.hpp"

namespace heapcheck::conformance {
namespace {

/// The usual file extension for each format, by the start of the slug.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> extensions{
    {{"mvmheap/", ".mvmheap"},
     {"chrome/", ".json"},
     {"v8/heapprofile", ".heapprofile"},
     {"v8/heapsnapshot", ".heapsnapshot"}}};

std::string_view find_extension(std::string_view slug) {
  for (const auto& [front, extension] : extensions) {
    if (slug.starts_with(front)) return extension;
  }
  return {};
}

/// The extension that compression adds to a file name.
std::string_view suffix_of(std::string_view compression) {
  if (compression == "gzip") return ".gz";
  return compression == "zstd" ? ".zst" : "";
}

/// The slug of a case: `mvmheap/v3` for `mvmheap/v3/toc/count`.
std::string slug_of(const std::string& name) {
  const std::size_t family = name.find('/');
  return family == std::string::npos ? "" : name.substr(0, name.find('/', family + 1));
}

/// Fills in a record from the statements that describe the case and its expectation. The other statements
/// build its bytes.
class RecordBuilder {
 public:
  RecordBuilder(CaseRecord& record, Built& built) : record_(record), built_(built) {}

  template <class Other>
  void add(const Other&) {}

  void add(const statement::Remark& remark) {
    if (remark.word == "title") record_.title = remark.text;
    if (remark.word == "why") record_.why = remark.text;
    if (remark.word == "spec") record_.spec = remark.text;
  }
  void add(const statement::ForReader& reader) { record_.for_reader = reader.name; }
  void add(const statement::Limit& limit) { record_.limits.push_back({limit.name, limit.value}); }
  void add(const statement::Wrap& wrap) {
    if (wrap.what != text_mode) record_.compression = wrap.what;
  }
  void add(const statement::Expect& expect) { record_.verdict = expect.verdict; }

  void add(const statement::Finding& finding) {
    RecordedFinding recorded{validation::find_rule(finding.rule), 0, std::nullopt, finding.path};
    const auto spot = built_.find_spot(finding.place);
    if (recorded.rule == nullptr) error_ = fmt::format("no rule is called {}", finding.rule);
    if (!spot) error_ = spot.error();
    if (!error_.empty()) return;
    recorded.offset = spot->file.offset;
    if (spot->content) recorded.content_offset = spot->content->offset;
    record_.findings.push_back(std::move(recorded));
  }

  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  CaseRecord& record_;
  Built& built_;
  std::string error_;
};

}  // namespace

std::expected<CaseRecord, std::string> make_record(const std::filesystem::path& folder,
                                                   const std::filesystem::path& path) {
  CaseRecord record;
  record.name = name_of_case(folder, path);
  record.slug = slug_of(record.name);
  const std::string_view extension = find_extension(record.slug);
  if (extension.empty())
    return std::unexpected(fmt::format("no file extension is known for {}", record.slug));
  const auto file = read_case_file(path);
  if (!file) return std::unexpected(file.error());
  const auto statements = join_base(*file);
  if (!statements) return std::unexpected(statements.error());
  auto built = build(*statements);
  if (!built) return std::unexpected(std::move(built.error()));
  RecordBuilder builder(record, *built);
  for (const Statement& statement : *statements) {
    std::visit([&builder](const auto& one) { builder.add(one); }, statement);
  }
  if (!builder.error().empty()) return std::unexpected(builder.error());
  record.file = fmt::format("{}{}{}", record.name, extension, suffix_of(record.compression));
  record.bytes = std::move(built->bytes);
  return record;
}

std::expected<std::vector<CaseRecord>, std::string> make_records(
    const std::filesystem::path& folder, const std::vector<std::filesystem::path>& paths) {
  std::vector<CaseRecord> records;
  for (const std::filesystem::path& path : paths) {
    auto record = make_record(folder, path);
    if (!record) return std::unexpected(fmt::format("{}: {}", name_of_case(folder, path), record.error()));
    records.push_back(std::move(*record));
  }
  std::ranges::sort(records, {}, &CaseRecord::name);
  return records;
}

}  // namespace heapcheck::conformance
