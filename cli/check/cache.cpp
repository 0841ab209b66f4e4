#include "cli/check/cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/about/build.hpp"
#include "cli/system/files.hpp"
#include "formats/core/output/output_file.hpp"
#include "formats/core/text/parse_number.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

namespace fs = std::filesystem;

/// A string that changes whenever the file does. It includes the time at which the file's status last
/// changed, because programs cannot set that time.
std::string identify(const struct stat& status) {
  return fmt::format("{}:{} {} bytes, {}.{:09} {}.{:09}", status.st_dev, status.st_ino, status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                     status.st_ctim.tv_nsec);
}

/// A checksum of some blocks of the file: the first, the middle and the last one, and others whose positions
/// depend on the path. It is needed because a program that changes a file through a memory mapping may leave
/// all of the file's timestamps unchanged. Returns nothing if the file cannot be read.
std::optional<std::uint64_t> sum_blocks(const std::string& path, std::uint64_t byte_count) {
  constexpr std::uint64_t block_bytes = 4096;
  constexpr unsigned more_blocks = 13;
  const std::uint64_t last = byte_count - std::min(byte_count, block_bytes);
  std::vector<std::uint64_t> offsets = {0, last / 2, last};
  for (unsigned i = 0; i < more_blocks; ++i)
    offsets.push_back(std::hash<std::string>()(fmt::format("{} {}", i, path)) % (last + 1));
  std::ifstream file(path, std::ios::binary);
  std::string blocks;
  std::string block(block_bytes, '\0');
  for (const std::uint64_t offset : offsets) {
    file.clear();  // clears the end-of-file flag, because a block may reach the end
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    if (file.bad() || file.gcount() == 0) return std::nullopt;
    blocks.append(block, 0, static_cast<std::size_t>(file.gcount()));
  }
  return std::hash<std::string>()(blocks);
}

/// The version alone does not distinguish two builds on a developer's machine.
std::string identify_program() {
  struct stat status{};
  const bool is_known = ::stat("/proc/self/exe", &status) == 0;
  return fmt::format("{}\n{}{}\n", version(), describe_build(), is_known ? identify(status) : "");
}

void append_list(std::string_view name, const std::vector<std::string>& list, std::string& text) {
  for (const std::string& item : list) fmt::format_to(std::back_inserter(text), "{} {}\n", name, item);
}

std::string describe_options(const ValidateOptions& options, bool finds_lines) {
  const Limits& limits = options.read.limits;
  std::string text =
      fmt::format("for {}\nmax-per-rule {}\nmax-memory {}\nmax-expanded {}\nlines {}\n", options.reader,
                  options.max_per_rule, limits.max_memory, limits.max_expanded.value_or(0), finds_lines);
  append_list("select", options.select, text);
  append_list("ignore", options.ignore, text);
  append_list("severity", options.severity, text);
  if (options.hide) fmt::format_to(std::back_inserter(text), "hide {}\n", name_of(*options.hide));
  return text;
}

/// File systems record times in steps of up to two seconds, so a file that was changed just now could be
/// changed again within the same step.
bool is_changed_just_now(const struct stat& status) {
  constexpr std::time_t longest_step = 2;
  return status.st_mtim.tv_sec > std::time(nullptr) - longest_step;
}

constexpr std::string_view stored_version = "heapcheck report 1";
constexpr std::string_view last_line = "end";

/// Escapes the text so that it forms a single field.
std::string escape_field(std::string_view text) {
  std::string field;
  for (const char letter : text) {
    if (letter == '\\')
      field += "\\\\";
    else if (letter == '\t')
      field += "\\t";
    else if (letter == '\n')
      field += "\\n";
    else
      field += letter;
  }
  return field;
}

std::string restore_field(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const bool is_escaped = field[i] == '\\' && i + 1 < field.size();
    if (is_escaped) ++i;
    const char letter = field[i];
    text += is_escaped && letter == 't' ? '\t' : is_escaped && letter == 'n' ? '\n' : letter;
  }
  return text;
}

template <class... Fields>
std::string make_line(std::string_view kind, const Fields&... fields) {
  std::string line(kind);
  (fmt::format_to(std::back_inserter(line), "\t{}", fields), ...);
  return line + '\n';
}

/// Writes the location as six fields.
std::string store_location(const Location& location) {
  const Span content = location.content.value_or(Span{});
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}", location.file.offset, location.file.length,
                     location.content ? 1 : 0, content.offset, content.length, escape_field(location.path));
}

/// Reads the fields of one line. If a field is missing or invalid, is_good() returns false from then on.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}

  std::string_view next() {
    if (is_at_end_) is_good_ = false;
    const std::size_t end = std::min(rest_.find('\t'), rest_.size());
    const std::string_view field = rest_.substr(0, end);
    is_at_end_ = end == rest_.size();
    rest_.remove_prefix(is_at_end_ ? end : end + 1);
    return field;
  }
  std::string text() { return restore_field(next()); }
  std::uint64_t number() {
    const auto value = core::parse_number(next());
    if (!value) is_good_ = false;
    return value.value_or(0);
  }
  Location location() {
    Location location{.file = {number(), number()}};
    const bool has_content = number() != 0;
    const Span content{number(), number()};
    if (has_content) location.content = content;
    location.path = text();
    return location;
  }
  [[nodiscard]] bool is_good() const { return is_good_; }

 private:
  std::string_view rest_;
  bool is_at_end_ = false;
  bool is_good_ = true;
};

/// The rule with that id, as reported for `reader`, which may have a separate record for the rule. Null if
/// there is no such rule.
const Rule* restore_rule(std::string_view reader, std::string_view id) {
  const Rule* const rule = find_rule(id);
  const Rule* const own = rule == nullptr ? nullptr : find_rule_for(reader, *rule);
  return own != nullptr && own->id == id ? own : rule;
}

std::optional<Severity> restore_severity(std::string_view name) {
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
    if (name_of(severity) == name) return severity;
  }
  return std::nullopt;
}

/// Restores a report line by line.
class Restoring {
 public:
  Restoring(const InputFile& target, std::string_view reader) : file_{target, {}, {}}, reader_(reader) {}

  /// Returns whether the line could be parsed.
  bool add(std::string_view line) {
    Fields fields(line);
    const std::string_view kind = fields.next();
    if (kind == "file") return add_file(fields);
    if (kind == "finding") return add_finding(fields);
    if (kind == "related") return add_related(fields);
    if (kind == "more") return add_more(fields);
    if (kind == "skip") file_.report.skipped.push_back({.path = fields.text(), .reason = fields.text()});
    if (kind == "line") file_.lines.push_back(fields.number());
    return (kind == "skip" || kind == "line") && fields.is_good();
  }
  CheckedFile take() { return std::move(file_); }

 private:
  bool add_file(Fields& fields) {
    const std::string_view slug = fields.next();
    for (const Format format : all_formats()) {
      if (slug_of(format) == slug) file_.report.format = format;
    }
    const std::uint64_t verdict = fields.number();
    if (verdict > static_cast<std::uint64_t>(Verdict::unreadable)) return false;
    file_.report.verdict = static_cast<Verdict>(verdict);
    file_.report.well_formed = fields.number() != 0;
    file_.report.byte_count = fields.number();
    file_.report.ignored = fields.number();
    file_.report.is_of_unknown_format = fields.number() != 0;
    file_.report.error = fields.text();
    return fields.is_good();
  }
  bool add_finding(Fields& fields) {
    const Rule* const rule = restore_rule(reader_, fields.next());
    const auto severity = restore_severity(fields.next());
    if (rule == nullptr || !severity) return false;
    file_.report.findings.push_back(
        {.rule = rule, .location = fields.location(), .message = fields.text(), .severity = *severity});
    return fields.is_good();
  }
  bool add_related(Fields& fields) {
    if (file_.report.findings.empty()) return false;
    file_.report.findings.back().related.push_back({.location = fields.location(), .message = fields.text()});
    return fields.is_good();
  }
  bool add_more(Fields& fields) {
    const Rule* const rule = restore_rule(reader_, fields.next());
    const auto severity = restore_severity(fields.next());
    if (rule == nullptr || !severity) return false;
    file_.report.more.push_back({.rule = rule, .count = fields.number(), .severity = *severity});
    return fields.is_good();
  }

  CheckedFile file_;
  std::string_view reader_;
};

}  // namespace

Cache::Cache(std::string folder) : folder_(std::move(folder)), program_(identify_program()) {}

Result<Cache> Cache::open(const std::string& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return std::unexpected(Error{ErrorKind::unwritable, "cannot be created: " + code.message()});
  const fs::path path = fs::canonical(folder, code);
  if (code || !fs::is_directory(path, code))
    return std::unexpected(Error{ErrorKind::unwritable, "is a file, expected a folder"});
  if (::access(path.c_str(), W_OK | X_OK) != 0)
    return std::unexpected(
        Error{ErrorKind::unwritable, "cannot be written: " + std::generic_category().message(errno)});
  return Cache(path.string());
}

std::optional<Cache::Key> Cache::find_key(const std::string& path, const ValidateOptions& options,
                                          bool finds_lines) const {
  struct stat status{};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (is_changed_just_now(status)) return std::nullopt;
  const auto sum = sum_blocks(path, static_cast<std::uint64_t>(status.st_size));
  if (!sum) return std::nullopt;
  std::error_code code;
  const std::string lasting = fmt::format("{}\n{}", fs::absolute(path, code).lexically_normal().string(),
                                          describe_options(options, finds_lines));
  return Key{.name = fmt::format("{:016x}.report", std::hash<std::string>()(lasting)),
             .text = fmt::format("{}{} {:016x}\n{}", program_, identify(status), *sum, lasting)};
}

std::optional<CheckedFile> Cache::find(const Key& key, const InputFile& target,
                                       const ValidateOptions& options) const {
  const auto text = read_file((fs::path(folder_) / key.name).string());
  if (!text) return std::nullopt;
  return restore_report(*text, key.text, target, options.reader);
}

void Cache::keep(const Key& key, const CheckedFile& file) const {
  const bool is_final = file.report.format || file.report.is_of_unknown_format;
  if (!is_final || file.report.count_limits() != 0 || file.report.verdict == Verdict::undecided) return;
  const std::string text = store_report(key.text, file);
  // A report quotes the dump, which may contain secrets.
  auto output =
      core::OutputFile::create((fs::path(folder_) / key.name).string(), {.mode = 0600, .is_durable = false});
  // If there is no entry, the next run reads the file again.
  [[maybe_unused]] const bool is_kept = output && output->write(core::as_bytes(text)) && output->commit();
}

bool Cache::contains(const std::string& path) const {
  const fs::path parent = fs::path(path).parent_path();
  std::error_code code;
  const fs::path folder = fs::canonical(parent.empty() ? "." : parent, code);
  return !code && folder == folder_;
}

std::string store_report(std::string_view key, const CheckedFile& file) {
  const Report& report = file.report;
  std::string text = make_line(stored_version, escape_field(key));
  text += make_line("file", report.format ? slug_of(*report.format) : "",
                    static_cast<unsigned>(report.verdict), report.well_formed ? 1 : 0, report.byte_count,
                    report.ignored, report.is_of_unknown_format ? 1 : 0, escape_field(report.error));
  for (const Finding& finding : report.findings) {
    text += make_line("finding", finding.rule->id, name_of(finding.severity),
                      store_location(finding.location), escape_field(finding.message));
    for (const Related& related : finding.related)
      text += make_line("related", store_location(related.location), escape_field(related.message));
  }
  for (const More& more : report.more)
    text += make_line("more", more.rule->id, name_of(more.severity), more.count);
  for (const Skip& skip : report.skipped)
    text += make_line("skip", escape_field(skip.path), escape_field(skip.reason));
  for (const std::uint64_t line : file.lines) text += make_line("line", line);
  return text + make_line(last_line);
}

std::optional<CheckedFile> restore_report(std::string_view text, std::string_view key,
                                          const InputFile& target, std::string_view reader) {
  const std::string first = make_line(stored_version, escape_field(key));
  if (!text.starts_with(first)) return std::nullopt;
  text.remove_prefix(first.size());
  Restoring restoring(target, reader);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line == last_line) return text.empty() ? std::optional(restoring.take()) : std::nullopt;
    if (!restoring.add(line)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace heapcheck::cli
