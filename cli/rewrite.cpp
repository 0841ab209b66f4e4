#include "cli/rewrite.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iterator>
#include <memory>

#include "cli/commands.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"

namespace heapcheck::cli {
namespace {

bool complain(const std::string& text) {
  print_error(text);
  return false;
}

}  // namespace

RewriteSettings make_rewrite_settings(const Values& values) {
  return {.input = values.get<std::string>("IN"),
          .output = values.get<std::string>("output-file"),
          .in_place = values.get<bool>("in-place"),
          .to = values.get<std::string>("to"),
          .level = static_cast<int>(values.get<std::uint64_t>("level")),
          .limits = make_limits(values),
          .quiet = values.get<bool>("quiet"),
          .no_progress = values.get<bool>("no-progress")};
}

bool check_paths(const RewriteSettings& settings) {
  if (settings.in_place == !settings.output.empty())
    return complain("give either -o OUT or --in-place, so that it is clear where the result goes");
  if (settings.in_place && settings.input == "-")
    return complain("--in-place needs a file, - is standard input");
  if (settings.output == "-" && ::isatty(STDOUT_FILENO) == 1)
    return complain("the result is binary and standard output is a terminal; give -o FILE");
  if (!settings.in_place &&
      is_same_file(settings.input == "-" ? "/dev/stdin" : settings.input, settings.output))
    return complain(settings.output + ": is the input; --in-place writes over it");
  return true;
}

bool would_decompress_in_place(const RewriteSettings& settings, core::SeekableSource& source) {
  if (!settings.in_place) return false;
  const auto input = core::unwrap(std::make_unique<core::RangeSource>(source, 0), settings.limits);
  if (!input || input->compression == Compression::none) return false;
  print_error(settings.input + ": is compressed, and --in-place would leave it uncompressed; give -o FILE");
  return true;
}

Result<core::OutputFile> create_output(const RewriteSettings& settings) {
  constexpr unsigned usual = 0666;
  struct stat status{};
  const bool is_known = settings.input != "-" && ::stat(settings.input.c_str(), &status) == 0;
  return core::OutputFile::create(settings.target_path() == "-" ? "/dev/stdout" : settings.target_path(),
                                  is_known && S_ISREG(status.st_mode) ? status.st_mode & usual : usual);
}

Result<void> check_result(const core::OutputFile& out, const Limits& limits) {
  auto written = out.open_written();
  if (!written) return std::unexpected(written.error());
  const auto report = validation::check_source(std::move(*written), {limits, 1});
  if (report.verdict == Verdict::valid) return {};
  const std::string why = report.findings.empty() ? report.error : report.findings.front().message;
  return std::unexpected(
      Error{ErrorKind::unwritable,
            fmt::format("what would be written is not sound ({}), so nothing was written", why)});
}

std::string describe_losses(const std::vector<Loss>& losses) {
  std::string text;
  for (const Loss& loss : losses)
    fmt::format_to(std::back_inserter(text), "  lost: {}: {} ({})\n", loss.what, loss.count, loss.reason);
  return text;
}

Report check_dump(core::SeekableSource& source, const Limits& limits) {
  return validation::check_source(std::make_unique<core::RangeSource>(source, 0), {limits, 1});
}

int report_error(const std::string& path, const Error& error) {
  print_error(fmt::format("{}: {}", path, error.message));
  if (error.kind == ErrorKind::limit) return undecided;
  return error.kind == ErrorKind::unwritable ? usage : unreadable;
}

int report_write_error(const RewriteSettings& settings, const Error& error) {
  const bool is_output = error.kind == ErrorKind::unwritable;
  return report_error(is_output ? settings.target_path() : settings.input, error);
}

void print_summary(const RewriteSettings& settings, const std::string& text) {
  if (settings.quiet) return;
  if (settings.output == "-") return print_note(text);
  write_output("", text);
}

}  // namespace heapcheck::cli
