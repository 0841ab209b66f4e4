// The files to which conversions and recoveries write.
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

#include "api/output.hpp"

namespace heapcheck::api {

bool is_input(const Dump::State& input, const std::string& output) {
  std::error_code code;
  return std::filesystem::equivalent(input.path == "-" ? "/dev/stdin" : input.path,
                                     output == "-" ? "/dev/stdout" : output, code);
}

Result<core::OutputFile> create_output(const Dump::State& input, const std::string& output,
                                       bool keeps_times) {
  constexpr unsigned usual = 0666;
  struct stat status{};
  const bool is_known = input.path != "-" && ::stat(input.path.c_str(), &status) == 0;
  const bool has_times = keeps_times && is_known;
  return core::OutputFile::create(
      output == "-" ? "/dev/stdout" : output,
      {.mode = is_known && S_ISREG(status.st_mode) ? (status.st_mode & usual) | S_IWUSR : usual,
       .replaced = is_input(input, output) ? input.source->identity() : std::nullopt,
       .times = has_times ? std::optional(std::array{status.st_atim, status.st_mtim}) : std::nullopt});
}

}  // namespace heapcheck::api
