#include "conformance/reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>

namespace heapcheck::conformance {
namespace {

using Clock = std::chrono::steady_clock;

/// Quotes `path` as one word for a shell.
std::string quote(const std::string& path) {
  std::string quoted = "'";
  for (const char c : path) {
    if (c == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string fill_in(std::string_view command, const std::string& path) {
  const std::string word = quote(path);
  std::string filled;
  for (std::size_t at = 0; at < command.size();) {
    const std::size_t hole = std::min(command.find("{}", at), command.size());
    filled += command.substr(at, hole - at);
    if (hole < command.size()) filled += word;
    at = hole + 2;
  }
  return filled;
}

/// Settings for starting a program without input, with its output discarded, and in its own process group, so
/// that it can be killed together with all processes that it starts.
class SpawnSetup {
 public:
  SpawnSetup() {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&files_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  ~SpawnSetup() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  [[nodiscard]] std::expected<pid_t, std::string> run_shell(std::string script) const {
    std::string shell = "sh";
    std::string option = "-c";
    char* arguments[] = {shell.data(), option.data(), script.data(), nullptr};
    pid_t process = 0;
    const int error = ::posix_spawn(&process, "/bin/sh", &files_, &attributes_, arguments, ::environ);
    if (error == 0) return process;
    return std::unexpected(fmt::format("the shell cannot be started: {}", std::strerror(error)));
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

/// Returns the status with which `process` ended, or nothing if it was still running at `deadline` and was
/// killed.
std::optional<int> wait_for(pid_t process, Clock::time_point deadline) {
  constexpr auto between_looks = std::chrono::milliseconds(2);
  int status = 0;
  while (::waitpid(process, &status, WNOHANG) == 0) {
    if (Clock::now() >= deadline) {
      ::kill(-process, SIGKILL);
      while (::waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
      return std::nullopt;
    }
    std::this_thread::sleep_for(between_looks);
  }
  return status;
}

/// The exit statuses of a shell that could not run a program, or whose program was ended by a signal.
constexpr int not_executable = 126;
constexpr int not_found = 127;
constexpr int first_signal = 129;
constexpr int last_signal = 128 + 64;

std::expected<Answer, std::string> judge(int status) {
  if (!WIFEXITED(status)) return Answer::crashes;
  const int code = WEXITSTATUS(status);
  if (code == 0) return Answer::accepts;
  if (code == not_executable || code == not_found) {
    return std::unexpected(
        fmt::format("the reader cannot be run (the exit status of the shell is {})", code));
  }
  return code >= first_signal && code <= last_signal ? Answer::crashes : Answer::refuses;
}

}  // namespace

std::string_view name_of(Answer answer) {
  constexpr std::array<std::string_view, 4> names{"accepts", "refuses", "crashes", "hangs"};
  return names[static_cast<std::size_t>(answer)];
}

std::expected<Answer, std::string> ask(const ExternalReader& reader, const std::filesystem::path& path) {
  const auto deadline = Clock::now() + reader.time;
  const auto process = SpawnSetup().run_shell(fill_in(reader.command, path.string()));
  if (!process) return std::unexpected(process.error());
  const auto status = wait_for(*process, deadline);
  if (!status) return Answer::hangs;
  return judge(*status);
}

}  // namespace heapcheck::conformance
