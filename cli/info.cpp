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
#include "cli/system/sandbox.hpp"
#include "formats/core/output/json_writer.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

struct Settings {
  std::string path;
  std::string output;
  std::optional<std::uint64_t> snapshot;
  Limits limits;
  bool quiet = false;
  bool no_progress = false;
  bool has_sandbox = true;
};

Settings make_settings(const Values& values) {
  return {.path = values.get<std::string>("PATH"),
          .output = values.get<std::string>("output"),
          .snapshot = values.find<std::uint64_t>("snapshot"),
          .limits = make_limits(values),
          .quiet = values.get<bool>("quiet"),
          .no_progress = values.get<bool>("no-progress"),
          .has_sandbox = values.get<std::string>("sandbox") == "on"};
}

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
  if (const auto* number = std::get_if<std::uint64_t>(&fact.value))
    return write_member(json, fact.key, *number);
  if (const auto* truth = std::get_if<bool>(&fact.value)) return write_member(json, fact.key, *truth);
  if (const auto* text = std::get_if<std::string>(&fact.value)) return write_member(json, fact.key, *text);
  json.key(fact.key);
  json.null();
}

/// The number of bytes of the file as it is, if it is compressed and can be measured.
std::optional<std::uint64_t> count_compressed(const std::string& path, const Summary& summary) {
  return summary.compression == Compression::none ? std::nullopt : count_bytes(path);
}

/// The number of bytes after decompression. If a limit was reached, not all of them were read.
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
  std::string target;  ///< as `convert --to` takes it
  std::vector<std::string_view> readers;
};

std::vector<ReadersAfter> find_readers_after(Format format) {
  const auto own = readers_of(format);
  std::vector<ReadersAfter> found;
  for (const Target target : targets_of(family_of(format))) {
    std::vector<std::string_view> more = readers_of(target.format);
    std::erase_if(more, [&](std::string_view name) { return std::ranges::find(own, name) != own.end(); });
    if (target.layout == 0 && !more.empty()) found.push_back({name_of(target), std::move(more)});
  }
  return found;
}

/// The readers of the format, and those of each other format that the dump can be converted to.
std::string describe_readers(Format format) {
  const auto own = readers_of(format);
  std::string text = own.empty() ? "none" : list_names(own);
  for (const ReadersAfter& after : find_readers_after(format))
    text += fmt::format("; with convert --to {}: {}", after.target, list_names(after.readers));
  return text;
}

void write_names(core::JsonWriter& json, std::string_view key, const std::vector<std::string_view>& names) {
  json.begin_array(key);
  for (const std::string_view name : names) json.string(name);
  json.end_array();
}

/// `"readers": ["moarperf"], "readers_after": {"mvmheap-v1": ["moar-ha"]}`
void write_readers(core::JsonWriter& json, Format format) {
  write_names(json, "readers", readers_of(format));
  json.begin_object("readers_after");
  for (const ReadersAfter& after : find_readers_after(format)) write_names(json, after.target, after.readers);
  json.end_object();
}

std::string make_text(const std::string& path, const Summary& summary) {
  std::string out = fmt::format("{}\n  format:        {} ({})\n  compression:   {}\n  size:          {}\n",
                                show_path(path), slug_of(summary.format), title_of(summary.format),
                                name_of(summary.compression), describe_size(path, summary));
  for (const Fact& fact : summary.facts) {
    if (!fact.label.empty())
      fmt::format_to(std::back_inserter(out), "  {:<15}{}\n", fact.label + ":", describe(fact));
  }
  fmt::format_to(std::back_inserter(out), "  {:<15}{}\n", "opened by:", describe_readers(summary.format));
  std::visit([&](const auto& content) { append_text(out, content); }, summary.content);
  return out;
}

std::string make_json(const std::string& path, const Summary& summary) {
  std::string out;
  const std::string shown = core::make_safe_path(path);
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_object();
  for (const auto& [key, value] : {std::pair<std::string_view, std::string_view>{"path", shown},
                                   {"format", slug_of(summary.format)},
                                   {"compression", name_of(summary.compression)}}) {
    json.key(key);
    json.string(value);
  }
  json.key("size");
  if (const auto size = count_content(path, summary)) {
    json.number(*size);
  } else {
    json.null();
  }
  if (const auto compressed = count_compressed(path, summary))
    write_member(json, "compressed_size", *compressed);
  for (const Fact& fact : summary.facts) write_fact(json, fact);
  write_readers(json, summary.format);
  std::visit([&](const auto& content) { write_json(json, content); }, summary.content);
  json.end_object();
  return out + "\n";
}

Result<Summary> read_summary(const Settings& settings) {
  Progress progress(count_bytes(settings.path).value_or(0), !settings.quiet && !settings.no_progress);
  const ReadOptions options{.limits = settings.limits, .on_read = progress.counter()};
  if (!settings.snapshot) return summarise(settings.path, options);
  const auto dump = open(settings.path, options);
  if (!dump) return std::unexpected(dump.error());
  return summarise(*dump, *settings.snapshot);
}

int run(const Settings& settings) {
  if (complain_if_standard_output(settings.path)) return usage;
  enforce_memory(settings.limits);
  enforce_deadline(settings.limits);
  if (settings.has_sandbox) enter_sandbox({.inputs = {settings.path}, .needs_temporary = true});
  const auto summary = read_summary(settings);
  if (!summary) {
    print_file_error(settings.path, summary.error().message);
    return status_of(summary.error().kind);
  }
  const std::string report =
      settings.output == "json" ? make_json(settings.path, *summary) : make_text(settings.path, *summary);
  if (!settings.quiet && !write_output("", report)) return usage;
  if (summary->limits != 0) {
    print_file_error(
        settings.path,
        "a limit was reached, so the output is incomplete; `heapcheck validate` shows which limit");
    return undecided;
  }
  if (summary->errors == 0) return sound;
  print_file_error(settings.path, "is damaged; `heapcheck validate` shows where");
  return findings;
}

}  // namespace

int run_info(const Values& values) { return run(make_settings(values)); }

}  // namespace heapcheck::cli
