// heapcheck report: writes a page about heap dumps.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/ask/ask.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/rewrite.hpp"
#include "formats/core/output/output_file.hpp"
#include "heapcheck/page.hpp"

namespace heapcheck::cli {
namespace {

/// The permissions that all inputs have in common. The page must not have more, because it contains names
/// from the dumps, which may be secret.
unsigned find_mode(const std::vector<std::string>& inputs) {
  unsigned mode = 0666;
  for (const std::string& input : inputs) {
    struct stat status{};
    if (::stat(input.c_str(), &status) == 0 && S_ISREG(status.st_mode)) mode &= status.st_mode | S_IWUSR;
  }
  return mode;
}

/// Writes the file. If that fails, prints why and returns false.
bool write_page(const std::string& output, unsigned mode, const std::string& page) {
  if (output == "-") return write_output("", page);
  auto file = core::OutputFile::create(output, {.mode = mode});
  Result<void> done = {};
  if (!file)
    done = std::unexpected(file.error());
  else if (done = file->write(core::as_bytes(page)); done)
    done = file->commit();
  if (!done) print_file_error(output, done.error().message);
  return done.has_value();
}

}  // namespace

int run_report(const Values& values) {
  const auto inputs = values.get<std::vector<std::string>>("IN");
  const auto output = values.get<std::string>("output-file");
  if (!check_is_no_input(output, inputs)) return usage;
  const HeapPageOptions options{.snapshot = values.find<std::uint64_t>("snapshot"),
                                .process = values.find<std::string>("process"),
                                .has_all_snapshots = inputs.size() == 1,
                                .least_share = static_cast<double>(values.get<std::uint64_t>("share")) / 100};
  HeapPage report;
  const auto add = [&](const std::string& path, const Dump& dump, const Report& checked) {
    return report.add(dump, checked, path, options);
  };
  if (const int status = visit_dumps(values, inputs, output, add); status != sound) return status;
  const auto page = values.get<bool>("json") ? report.make_json() : report.make_page();
  if (!page) {
    print_file_error(inputs.back(), page.error().message);
    return status_of(page.error().kind);
  }
  // The file is not written until the page is complete, so that an older page remains if a dump cannot be
  // read.
  if (!write_page(output, find_mode(inputs), *page)) return usage;
  if (output != "-" && !is_same_file(output, "/dev/stdout") && !values.get<bool>("quiet"))
    return write_output("", fmt::format("{}: {} bytes\n", show_path(output), page->size())) ? sound : usage;
  return sound;
}

}  // namespace heapcheck::cli
