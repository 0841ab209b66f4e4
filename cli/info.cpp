// heapcheck info: what is inside a file.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/info.hpp"
#include "cli/info_chrome.hpp"
#include "cli/info_mvmheap.hpp"
#include "cli/info_v8.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "formats/core/excerpt.hpp"
#include "formats/core/json/writer.hpp"
#include "formats/core/source.hpp"
#include "formats/detect.hpp"

namespace heapcheck::cli {
namespace {

struct Settings {
  std::string path;
  std::string output;
  Limits limits;
  bool quiet = false;
  bool no_progress = false;
};

Settings make_settings(const Values& values) {
  return {.path = values.get<std::string>("PATH"),
          .output = values.get<std::string>("output"),
          .limits = make_limits(values),
          .quiet = values.get<bool>("quiet"),
          .no_progress = values.get<bool>("no-progress")};
}

std::string_view name_of(Compression compression) {
  if (compression == Compression::gzip) return "gzip";
  return compression == Compression::zstd ? "zstd" : "none";
}

std::unique_ptr<Info> read_info(Format format, core::Window& window, const Limits& limits) {
  switch (format) {
    case Format::mvmheap_v1:
      return read_mvmheap_v1_info(window, limits);
    case Format::mvmheap_v2:
      return read_mvmheap_v2_info(window, limits);
    case Format::mvmheap_v3:
      return read_mvmheap_v3_info(window, limits);
    case Format::chrome_trace:
    case Format::chrome_legacy:
    case Format::heaps_v2:
      return read_chrome_info(window, limits);
    case Format::v8_heapprofile:
      return read_heapprofile_info(window, limits);
    case Format::v8_heapsnapshot:
      return read_heapsnapshot_info(window, limits);
  }
  return nullptr;
}

int complain(const std::string& path, std::string_view why) {
  print_error(fmt::format("{}: {}", path, why));
  return unreadable;
}

std::string make_text(const std::string& path, Compression compression, const Info& info) {
  std::string out =
      fmt::format("{}\n  format:        {} ({})\n  compression:   {}\n  size:          {} bytes\n",
                  core::make_excerpt(path, SIZE_MAX), slug_of(info.format), title_of(info.format),
                  name_of(compression), info.byte_count);
  info.append_text(out);
  return out;
}

std::string make_json(const std::string& path, Compression compression, const Info& info) {
  std::string out;
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_object();
  for (const auto& [key, value] : {std::pair<std::string_view, std::string_view>{"path", path},
                                   {"format", slug_of(info.format)},
                                   {"compression", name_of(compression)}}) {
    json.key(key);
    json.string(value);
  }
  json.key("size");
  json.number(info.byte_count);
  info.write_json(json);
  json.end_object();
  return out + "\n";
}

int run(const Settings& settings) {
  const auto& [path, output, limits, quiet, no_progress] = settings;
  Progress progress(count_bytes(path).value_or(0), !quiet && !no_progress);
  auto raw = path == "-" ? Result<std::unique_ptr<core::ByteSource>>(core::open_standard_input())
                         : core::open_file(path);
  if (!raw) return complain(path, raw.error().message);
  auto input = core::unwrap(std::move(*raw), limits);
  if (!input) return complain(path, input.error().message);
  core::Window window(*input->source);
  const core::ByteSpan first_bytes = window.peek(formats::detection_bytes);
  if (first_bytes.empty() && window.error()) return complain(path, window.error()->message);
  const auto detection =
      formats::detect(first_bytes.first(std::min(first_bytes.size(), formats::detection_bytes)));
  if (!detection.format) return complain(path, detection.explanation);

  const std::unique_ptr<Info> info = read_info(*detection.format, window, limits);
  if (window.error() && window.error()->kind == ErrorKind::unreadable)
    return complain(path, window.error()->message);
  if (detection.is_guess && info->is_foreign) return complain(path, detection.explanation);
  const std::string report = output == "json" ? make_json(path, input->compression, *info)
                                              : make_text(path, input->compression, *info);
  if (!quiet && !write_output("", report)) return usage;
  if (info->limits != 0) {
    complain(path, "a limit was reached, so this is not all; `heapcheck validate` says which");
    return undecided;
  }
  if (info->errors == 0) return sound;
  complain(path, "is damaged; `heapcheck validate` says where");
  return findings;
}

}  // namespace

int run_info(const Values& values) { return run(make_settings(values)); }

}  // namespace heapcheck::cli
