#include "conformance/reader_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "conformance/export.hpp"
#include "conformance/parallel.hpp"
#include "conformance/reader_report.hpp"
#include "conformance/scratch_folder.hpp"

namespace heapcheck::conformance {
namespace {

std::expected<std::vector<Asked>, std::string> ask_all(const ReaderRun& run,
                                                       const std::filesystem::path& folder,
                                                       const std::vector<CaseRecord>& records) {
  std::vector<Asked> all(records.size());
  std::vector<std::string> errors(records.size());
  for_each_index(records.size(), run.jobs, [&](std::size_t i) {
    all[i].record = &records[i];
    if (duty_of(records[i]) == Duty::none || records[i].for_reader != run.for_reader) return;
    const auto answer = ask(run.reader, folder / records[i].file);
    if (answer) {
      all[i].answer = *answer;
    } else {
      errors[i] = answer.error();
    }
  });
  const auto error = std::ranges::find_if(errors, [](const std::string& text) { return !text.empty(); });
  if (error != errors.end()) return std::unexpected(std::move(*error));
  return all;
}

}  // namespace

std::expected<bool, std::string> run_reader(const ReaderRun& run, const std::vector<CaseRecord>& records) {
  const auto scratch = ScratchFolder::create(std::filesystem::temp_directory_path() / "heapcheck-cases");
  if (!scratch) return std::unexpected(scratch.error());
  if (auto written = write_files(scratch->path(), records); !written)
    return std::unexpected(std::move(written.error()));
  const auto all = ask_all(run, scratch->path(), records);
  if (!all) return std::unexpected(all.error());
  if (run.as_json) {
    fmt::print("{}", make_answers(run.reader.command, *all));
  } else {
    fmt::print("{}{}", make_table(*all), make_lists(*all, run.max_names));
  }
  return std::ranges::all_of(*all, agrees);
}

}  // namespace heapcheck::conformance
