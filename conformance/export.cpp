#include "conformance/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "conformance/scratch_folder.hpp"
#include "conformance/sha256.hpp"
#include "formats/core/output/json_writer.hpp"

namespace heapcheck::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view manifest_name = "manifest.json";
/// The start of every manifest, by which an earlier export is recognised.
constexpr std::string_view manifest_start = "{\n  \"heapcheck_conformance\":";

void write_finding(core::JsonWriter& json, const RecordedFinding& finding) {
  json.begin_object();
  json.member("id", finding.rule->id);
  json.member("severity", name_of(finding.rule->severity));
  json.member("offset", finding.offset);
  if (finding.content_offset) json.member("content_offset", *finding.content_offset);
  if (!finding.path.empty()) json.member("path", finding.path);
  json.end_object();
}

void write_options(core::JsonWriter& json, const CaseRecord& record) {
  json.begin_object("options");
  if (!record.for_reader.empty()) json.member("for", record.for_reader);
  if (!record.compression.empty()) json.member("compression", record.compression);
  if (!record.limits.empty()) {
    json.begin_object("limits");
    for (const CaseLimit& limit : record.limits) json.member(limit.name, limit.value);
    json.end_object();
  }
  json.end_object();
}

void write_record(core::JsonWriter& json, const CaseRecord& record) {
  json.begin_object();
  json.member("case", record.name);
  json.member("file", record.file);
  json.member("format", record.slug);
  json.member("title", record.title);
  json.member("why", record.why);
  json.member("spec", record.spec);
  json.member("byte_count", std::uint64_t{record.bytes.size()});
  const std::string_view bytes(reinterpret_cast<const char*>(record.bytes.data()), record.bytes.size());
  json.member("sha256", make_sha256(bytes));
  json.member("verdict", record.verdict);
  json.begin_array("findings");
  for (const RecordedFinding& finding : record.findings) write_finding(json, finding);
  json.end_array();
  if (record.has_options()) write_options(json, record);
  json.end_object();
}

std::expected<void, std::string> write_file(const fs::path& path, std::string_view content) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream stream(path, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (stream.flush().good()) return {};
  return std::unexpected(fmt::format("{} cannot be written", path.string()));
}

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The files listed in a manifest that an export wrote, with one line for each file, and the manifest itself.
std::set<std::string> find_listed(const std::string& manifest) {
  constexpr std::string_view start = "\n      \"file\": \"";
  std::set<std::string> listed{std::string(manifest_name)};
  for (std::size_t at = manifest.find(start); at != std::string::npos; at = manifest.find(start, at)) {
    at += start.size();
    listed.insert(manifest.substr(at, manifest.find('"', at) - at));
  }
  return listed;
}

/// Returns an error unless a new export may replace `folder`, because it does not exist, is empty, or
/// contains only an earlier export.
std::expected<void, std::string> check_target(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return {};
  if (!fs::is_directory(folder, error)) {
    return std::unexpected(fmt::format("{} is not a folder", folder.string()));
  }
  if (fs::is_empty(folder, error)) return {};
  const std::string manifest = read_file(folder / manifest_name);
  if (!manifest.starts_with(manifest_start)) {
    return std::unexpected(
        fmt::format("{} is neither empty nor an earlier export; choose a different folder", folder.string()));
  }
  const auto listed = find_listed(manifest);
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    if (entry.is_directory(error) || listed.contains(name)) continue;
    return std::unexpected(
        fmt::format("{} contains {}, which no export wrote; move it elsewhere", folder.string(), name));
  }
  return {};
}

/// Renames `finished` to `target`. An existing `target` is first moved to `former`, next to `finished`, and
/// is moved back if the rename fails.
std::expected<void, std::string> put_in_place(const fs::path& finished, const fs::path& target) {
  const fs::path former = finished.parent_path() / "former";
  std::error_code error;
  const bool is_replaced = fs::exists(target, error);
  if (is_replaced) fs::rename(target, former, error);
  if (!error) fs::rename(finished, target, error);
  if (!error) return {};
  std::error_code ignored;
  if (is_replaced && !fs::exists(target, ignored)) fs::rename(former, target, ignored);
  return std::unexpected(fmt::format("{} cannot be written: {}", target.string(), error.message()));
}

}  // namespace

std::string make_manifest(std::string_view version, const std::vector<CaseRecord>& records) {
  std::string out;
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_object();
  json.member("heapcheck_conformance", version);
  json.member("case_count", std::uint64_t{records.size()});
  json.begin_array("cases");
  for (const CaseRecord& record : records) write_record(json, record);
  json.end_array();
  json.end_object();
  return out + "\n";
}

std::expected<void, std::string> write_files(const fs::path& folder, const std::vector<CaseRecord>& records) {
  for (const CaseRecord& record : records) {
    const std::string_view bytes(reinterpret_cast<const char*>(record.bytes.data()), record.bytes.size());
    if (auto written = write_file(folder / record.file, bytes); !written) return written;
  }
  return {};
}

std::expected<void, std::string> write_export(const fs::path& folder, std::string_view version,
                                              const std::vector<CaseRecord>& records) {
  fs::path target = fs::weakly_canonical(folder);
  if (!target.has_filename()) target = target.parent_path();
  if (auto checked = check_target(target); !checked) return checked;
  const auto scratch = ScratchFolder::create(target);
  if (!scratch) return std::unexpected(scratch.error());
  const fs::path finished = scratch->path() / "new";
  if (auto written = write_files(finished, records); !written) return written;
  if (auto written = write_file(finished / manifest_name, make_manifest(version, records)); !written)
    return written;
  return put_in_place(finished, target);
}

}  // namespace heapcheck::conformance
