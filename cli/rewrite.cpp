#include "cli/rewrite.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <iterator>
#include <memory>

#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace heapcheck::cli {
namespace {

bool complain(const std::string& text) {
  print_error(text);
  return false;
}

}  // namespace

Limits RewriteSettings::limits() const {
  Limits limits;
  if (max_memory != 0) limits.max_memory = max_memory;
  if (max_expanded != 0) limits.max_expanded = max_expanded;
  return limits;
}

void add_rewrite_options(CLI::App& command, RewriteSettings& settings,
                         const std::vector<std::string>& targets) {
  command.add_option("IN", settings.input, "The dump to read; - is standard input")
      ->required()
      ->type_name("FILE");
  command.add_option("-o,--output-file", settings.output, "The dump to write")->option_text("FILE");
  command.add_flag("--in-place", settings.in_place, "Write over IN when the result is complete");
  command.add_option("--to", settings.to, "Format to write")
      ->check(CLI::IsMember(targets))
      ->option_text(fmt::format("{}", fmt::join(targets, ", ")));
  command
      .add_option("--level", settings.level,
                  "Level of zstd, from 1 to 19, where the format compresses (default: 9)")
      ->check(CLI::Range(1, 19))
      ->option_text("N");
  add_limit_options(command, settings.max_memory, settings.max_expanded);
  command.add_flag("--quiet", settings.quiet, "Print nothing but errors");
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
  const auto input = core::unwrap(std::make_unique<core::RangeSource>(source, 0), settings.limits());
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
  if (settings.output != "-") {
    write_output("", text);
  } else {
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
}

}  // namespace heapcheck::cli
