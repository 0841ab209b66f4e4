#include "cli/output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::cli {
namespace {

Output::State write_standard_output(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) return Output::State::closed;
    if (written < 0) {
      print_error("cannot write to standard output: " + std::generic_category().message(errno));
      return Output::State::failed;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return Output::State::open;
}

}  // namespace

Output::Output(std::string path, Mode mode) : path_(std::move(path)) {
  if (path_.empty()) return;
  auto file = mode == Mode::append ? core::OutputFile::append(path_) : core::OutputFile::create(path_);
  if (file)
    file_.emplace(std::move(*file));
  else
    check(std::unexpected(file.error()));
}

Output::State Output::check(const Result<void>& done) {
  if (done) return state_;
  print_file_error(path_, done.error().message);
  return state_ = State::failed;
}

Output::State Output::write(std::string_view text) {
  erase_progress();
  if (state_ != State::open || text.empty()) return state_;
  if (path_.empty()) return state_ = write_standard_output(text);
  return check(file_->write(core::as_bytes(text)));
}

bool Output::finish() {
  if (state_ == State::open && file_) check(file_->commit());
  return state_ != State::failed;
}

bool write_output(const std::string& path, std::string_view text, Output::Mode mode) {
  Output output(path, mode);
  output.write(text);
  return output.finish();
}

bool is_same_file(const std::string& a, const std::string& b) {
  // Does not use std::filesystem::equivalent(), which cannot compare pipes.
  struct stat left{};
  struct stat right{};
  return ::stat(a.c_str(), &left) == 0 && ::stat(b.c_str(), &right) == 0 && left.st_dev == right.st_dev &&
         left.st_ino == right.st_ino;
}

bool is_standard_output(const std::string& path) {
  struct stat out{};
  struct stat in{};
  if (::fstat(STDOUT_FILENO, &out) != 0) return false;
  const int failed = path == "-" ? ::fstat(STDIN_FILENO, &in) : ::stat(path.c_str(), &in);
  return failed == 0 && S_ISREG(in.st_mode) && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

bool complain_if_standard_output(const std::string& input) {
  if (!is_standard_output(input)) return false;
  print_file_error(input, "standard output is this file, which would be overwritten");
  return true;
}

void print_error(std::string_view text) {
  print_note("heapcheck: " + core::make_excerpt(text, SIZE_MAX) + "\n");
}

int refuse_usage(std::string_view why) {
  print_error(why);
  return usage;
}

int refuse_input(int code) {
  print_error("standard input cannot be read: " + std::generic_category().message(code));
  return unreadable;
}

void print_file_error(const std::string& path, std::string_view why) {
  print_error(path.empty() ? "the path of a file is empty"
                           : core::make_safe_path(path) + ": " + std::string(why));
}

void print_note(std::string_view text) {
  erase_progress();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

bool wants_color(const std::string& mode) {
  if (mode != "auto") return mode == "always";
  const auto is_set = [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  if (is_set("NO_COLOR")) return false;
  return is_set("FORCE_COLOR") || (::isatty(STDOUT_FILENO) == 1 && can_move_cursor());
}

}  // namespace heapcheck::cli
