#include "cli/shell/prompt.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

#include "cli/output.hpp"

namespace heapcheck::cli {
namespace {

std::atomic<bool> has_interrupt = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int /*number*/) { has_interrupt = true; }

class PlainReader final : public LineReader {
 public:
  explicit PlainReader(std::string prompt) : prompt_(std::move(prompt)) {}

  std::optional<std::string> read() override {
    if (!prompt_.empty()) write_output("", prompt_);
    std::size_t end = 0;
    while ((end = typed_.find('\n', end)) == std::string::npos) {
      end = typed_.size();
      const auto count = read_more();
      if (!count) return clear_line();
      if (*count == 0) return error() == 0 ? take_rest() : std::nullopt;
    }
    std::string line = typed_.substr(0, end);
    typed_.erase(0, end + 1);
    return line;
  }

 private:
  /// Returns the same as read_some().
  std::optional<std::size_t> read_more() {
    std::array<char, 4096> buffer{};
    const auto count = read_some(buffer);
    typed_.append(buffer.data(), count.value_or(0));
    return count;
  }

  std::string clear_line() {
    typed_.clear();
    write_output("", "\n");
    return {};
  }

  /// The last line, if it does not end with a line feed.
  std::optional<std::string> take_rest() {
    if (typed_.empty()) return std::nullopt;
    return std::exchange(typed_, {});
  }

  std::string prompt_;
  std::string typed_;  ///< bytes that have been read but not yet returned
};

}  // namespace

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
}

bool was_interrupted() { return has_interrupt; }
bool wait_for_input() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  while (!was_interrupted()) {
    if (::poll(&input, 1, static_cast<int>(interrupt_pause.count())) > 0) return true;
  }
  return false;
}

void forget_interrupt() { has_interrupt = false; }

std::optional<std::size_t> LineReader::read_some(std::span<char> bytes) {
  for (;;) {
    if (!wait_for_input()) return std::nullopt;
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EINTR || errno == EAGAIN) continue;
    error_ = errno;
    return 0;
  }
}

std::unique_ptr<LineReader> make_plain_reader(std::string prompt) {
  return std::make_unique<PlainReader>(std::move(prompt));
}

}  // namespace heapcheck::cli
