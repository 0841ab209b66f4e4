// heapcheck info: shows the contents of a file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/commands.hpp"
#include "cli/info.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/system/limits.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

std::string_view name_of(Compression compression) {
  constexpr std::array<std::string_view, 5> names{"none", "gzip", "zstd", "zip", "html"};
  return names[static_cast<std::size_t>(compression)];
}

std::string describe(const Fact& fact) {
  if (!fact.words.empty()) return fact.words;
  if (const auto* number = std::get_if<std::uint64_t>(&fact.value)) return fmt::to_string(*number);
  if (const auto* truth = std::get_if<bool>(&fact.value)) return *truth ? "yes" : "no";
  const auto* text = std::get_if<std::string>(&fact.value);
  return text == nullptr ? "" : *text;
}

void write_fact(core::JsonWriter& json, const Fact& fact) {
  if (const auto* number = std::get_if<std::uint64_t>(&fact.value)) return json.member(fact.key, *number);
  if (const auto* truth = std::get_if<bool>(&fact.value)) return json.member(fact.key, *truth);
  if (const auto* text = std::get_if<std::string>(&fact.value)) return json.member(fact.key, *text);
  json.key(fact.key);
  json.null();
}

/// The size of the file in bytes before decompression, if the file is compressed and its size can be
/// determined.
std::optional<std::uint64_t> count_compressed(const std::string& path, const Summary& summary) {
  return summary.compression == Compression::none ? std::nullopt : count_bytes(path);
}

/// The number of bytes after decompression. It is unknown if a limit was reached before all of the bytes were
/// read.
std::optional<std::uint64_t> count_content(const std::string& path, const Summary& summary) {
  if (summary.limits == 0) return summary.byte_count;
  return summary.compression == Compression::none ? count_bytes(path) : std::nullopt;
}

/// `925 bytes`, or `925 bytes (312 bytes compressed)`.
std::string describe_size(const std::string& path, const Summary& summary) {
  const auto content = count_content(path, summary);
  if (!content) return "unknown (a limit was reached)";
  std::string size = core::counted(*content, "byte");
  if (summary.compression == Compression::none) return size;
  const auto compressed = count_compressed(path, summary);
  return size + (compressed ? fmt::format(" ({} compressed)", core::counted(*compressed, "byte"))
                            : std::string(" after decompression"));
}

std::string list_names(const std::vector<std::string_view>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Readers that can open a dump only after a conversion.
struct ReadersAfter {
  std::string target;  ///< as used with `convert --to`
  std::vector<std::string_view> readers;
};

/// None for a dump that cannot be converted, because it is damaged or lacks the targets of references.
std::vector<ReadersAfter> find_readers_after(const Summary& summary) {
  const bool lacks_targets =
      std::ranges::find(summary.facts, "lacks_targets", &Fact::key) != summary.facts.end();
  if (summary.errors != 0 || lacks_targets) return {};
  const Format format = summary.format;
  const auto own = readers_of(format);
  std::vector<ReadersAfter> found;
  for (const Target target : targets_of(family_of(format))) {
    std::vector<std::string_view> more = readers_of(target.format);
    std::erase_if(more, [&](std::string_view name) { return std::ranges::find(own, name) != own.end(); });
    if (target.layout == 0 && !more.empty()) found.push_back({name_of(target), std::move(more)});
  }
  return found;
}

/// The summary of a file, and how each program that reads such files fares with it.
struct Contents {
  Summary summary;
  std::vector<ReaderFit> fits;
};

std::vector<std::string_view> find_with(const std::vector<ReaderFit>& fits, Fit wanted) {
  std::vector<std::string_view> names;
  for (const ReaderFit& fit : fits) {
    if (fit.fit == wanted) names.push_back(fit.reader);
  }
  return names;
}

/// The readers that open the file, and the readers of each other format that the dump can be converted to.
std::string describe_readers(const Contents& contents) {
  const auto own = find_with(contents.fits, Fit::opens);
  std::string text = own.empty() ? "none" : list_names(own);
  for (const ReadersAfter& after : find_readers_after(contents.summary))
    text += fmt::format("; with convert --to {}: {}", after.target, list_names(after.readers));
  return text;
}

/// A line for the readers that misread the file, and one for those that fail on it.
std::string describe_other_readers(const std::vector<ReaderFit>& fits) {
  std::string text;
  for (const auto& [label, fit] :
       {std::pair{"misread by:", Fit::misreads}, std::pair{"not opened by:", Fit::fails}}) {
    if (const auto names = find_with(fits, fit); !names.empty())
      text += fmt::format("  {:<15}{}\n", label, list_names(names));
  }
  return text;
}

void write_names(core::JsonWriter& json, std::string_view key, const std::vector<std::string_view>& names) {
  json.begin_array(key);
  for (const std::string_view name : names) json.string(name);
  json.end_array();
}

/// `"readers": ["moarperf"], "readers_after": {"mvmheap-v1": ["moar-ha"]}`
void write_readers(core::JsonWriter& json, const Contents& contents) {
  write_names(json, "readers", find_with(contents.fits, Fit::opens));
  json.begin_object("readers_after");
  for (const ReadersAfter& after : find_readers_after(contents.summary))
    write_names(json, after.target, after.readers);
  json.end_object();
}

std::string make_text(const std::string& path, const Contents& contents) {
  const Summary& summary = contents.summary;
  std::string out = fmt::format("{}\n  format:        {} ({})\n  compression:   {}\n  size:          {}\n",
                                show_path(path), slug_of(summary.format), title_of(summary.format),
                                name_of(summary.compression), describe_size(path, summary));
  for (const Fact& fact : summary.facts) {
    if (!fact.label.empty())
      fmt::format_to(std::back_inserter(out), "  {:<15}{}\n", fact.label + ":", describe(fact));
  }
  fmt::format_to(std::back_inserter(out), "  {:<15}{}\n", "opened by:", describe_readers(contents));
  out += describe_other_readers(contents.fits);
  std::visit([&](const auto& content) { append_text(out, content); }, summary.content);
  return out;
}

std::string make_json(const std::string& path, const Contents& contents) {
  const Summary& summary = contents.summary;
  return make_json_document([&](core::JsonWriter& json) {
    json.member("path", core::make_safe_path(path));
    json.member("format", slug_of(summary.format));
    json.member("compression", name_of(summary.compression));
    // Always present, so that scripts do not have to distinguish a missing size from an old version of the
    // program.
    json.key("size");
    if (const auto size = count_content(path, summary))
      json.number(*size);
    else
      json.null();
    if (const auto compressed = count_compressed(path, summary)) json.member("compressed_size", *compressed);
    for (const Fact& fact : summary.facts) write_fact(json, fact);
    write_readers(json, contents);
    std::visit([&](const auto& content) { write_json(json, content); }, summary.content);
  });
}

/// If a file could not be opened, because it is damaged or a limit was reached, its readers are unknown.
Result<Contents> read_contents(const std::string& path, std::optional<std::uint64_t> snapshot,
                               const Reading& reading) {
  Progress progress(count_bytes(path).value_or(0), reading.shows_progress);
  const auto dump = open(path, {.limits = reading.limits, .on_read = progress.counter()});
  if (!dump) return std::unexpected(dump.error());
  auto summary = snapshot ? summarise(*dump, *snapshot) : summarise(*dump);
  if (!summary) return std::unexpected(summary.error());
  if (summary->limits != 0) return Contents{std::move(*summary), {}};
  return Contents{std::move(*summary), check_readers(*dump)};
}

}  // namespace

int run_info(const Values& values) {
  const auto path = values.get<std::string>("PATH");
  if (complain_if_standard_output(path)) return usage;
  const Reading reading = make_reading(values);
  begin_reading(reading, {.inputs = {path}, .needs_temporary = true});
  const auto contents = read_contents(path, values.find<std::uint64_t>("snapshot"), reading);
  if (!contents) {
    print_file_error(path, contents.error().message);
    return status_of(contents.error().kind);
  }
  const auto make = values.get<std::string>("output") == "json" ? make_json : make_text;
  if (!reading.is_quiet && !write_output("", make(path, *contents))) return usage;
  // The part that was read is shown even if it is not the whole file.
  if (contents->summary.limits != 0 || !find_with(contents->fits, Fit::undecided).empty()) {
    print_file_error(
        path, "a limit was reached, so the output is incomplete; `heapcheck validate` shows which limit");
    return undecided;
  }
  if (contents->summary.errors == 0) return sound;
  print_file_error(path, "is damaged; `heapcheck validate` shows where");
  return findings;
}

}  // namespace heapcheck::cli
