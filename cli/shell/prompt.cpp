#include "cli/shell/prompt.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "cli/output.hpp"
#include "cli/shell/interrupt.hpp"

namespace heapcheck::cli {
namespace {

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
      if (*count == 0) return take_rest();
    }
    std::string line = typed_.substr(0, end);
    typed_.erase(0, end + 1);
    return line;
  }

 private:
  /// The number of bytes read, which is 0 at the end; nothing after Ctrl-C.
  std::optional<std::size_t> read_more() {
    std::array<char, 4096> buffer{};
    for (;;) {
      if (!wait_for_input()) return std::nullopt;
      const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      typed_.append(buffer.data(), count < 0 ? 0 : static_cast<std::size_t>(count));
      return count < 0 ? 0 : static_cast<std::size_t>(count);
    }
  }

  std::string clear_line() {
    typed_.clear();
    write_output("", "\n");
    return {};
  }

  /// A last line without an end.
  std::optional<std::string> take_rest() {
    if (typed_.empty()) return std::nullopt;
    return std::exchange(typed_, {});
  }

  std::string prompt_;
  std::string typed_;  ///< not yet returned
};

}  // namespace

std::unique_ptr<LineReader> make_plain_reader(std::string prompt) {
  return std::make_unique<PlainReader>(std::move(prompt));
}

}  // namespace heapcheck::cli
