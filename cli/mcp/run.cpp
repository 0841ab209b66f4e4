// heapcheck mcp: reads requests from standard input and writes the answers to standard output. One thread
// reads, so that a request can be cancelled while another one is answered, and the other one works.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <new>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/mcp/command.hpp"
#include "cli/mcp/server.hpp"
#include "cli/output.hpp"
#include "cli/system/limits.hpp"
#include "cli/system/sandbox.hpp"

namespace heapcheck::cli::mcp {
namespace {

/// The requests that may wait, and the bytes of their lines. If there are more, nothing is read until the
/// first of them is answered.
constexpr std::size_t most_waiting = 1000;
constexpr std::size_t most_waiting_bytes = std::size_t{4} << 20;

/// Whether the call that has just failed may be made again. Waits until the file is ready: its
/// mode is shared with the program that opened it, which may have chosen not to wait.
bool may_retry(int file, short events) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN) return false;
  pollfd wanted{.fd = file, .events = events, .revents = 0};
  return ::poll(&wanted, 1, -1) >= 0 || errno == EINTR;
}

/// Writes lines to standard output, from both threads, without allocating memory.
class Lines {
 public:
  void write(std::string_view line) { write_parts({line, "\n"}); }
  /// Answers a request for which the memory is not enough, not even for the usual answer.
  void refuse(std::string_view id) {
    static_assert(static_cast<int>(ErrorCode::internal_error) == -32603);
    write_parts({R"({"jsonrpc":"2.0","id":)", id.empty() ? "null" : id,
                 R"(,"error":{"code":-32603,"message":"out of memory"}})", "\n"});
  }
  /// Whether nobody reads the lines any more.
  [[nodiscard]] bool is_closed() {
    const std::lock_guard lock(mutex_);
    return is_closed_;
  }

 private:
  void write_parts(std::initializer_list<std::string_view> parts) {
    const std::lock_guard lock(mutex_);
    for (std::string_view rest : parts) {
      while (!rest.empty() && !is_closed_) {
        const ssize_t count = ::write(STDOUT_FILENO, rest.data(), rest.size());
        if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
        if (count < 0 && !may_retry(STDOUT_FILENO, POLLOUT)) is_closed_ = true;
      }
    }
  }

  std::mutex mutex_;
  bool is_closed_ = false;
};

/// A request that waits or is being worked on.
struct Task {
  Message request;
  std::size_t byte_count = 0;  ///< of its line
  std::stop_source stop = {};
};

/// The requests, which one thread adds and the other takes.
class Tasks {
 public:
  void add(Message request, std::size_t byte_count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return waiting_.size() < most_waiting && waiting_bytes_ + byte_count <= most_waiting_bytes;
    });
    waiting_.push_back(std::make_shared<Task>(std::move(request), byte_count));
    waiting_bytes_ += byte_count;
    changed_.notify_all();
  }
  /// The next request; null if there will be none.
  std::shared_ptr<Task> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_.empty() || is_over_; });
    current_ = waiting_.empty() ? nullptr : waiting_.front();
    if (current_ != nullptr) {
      waiting_.pop_front();
      waiting_bytes_ -= current_->byte_count;
    }
    changed_.notify_all();
    return current_;
  }
  /// Stops the request with that id, which is not answered then.
  void cancel(std::string_view id) {
    const std::lock_guard lock(mutex_);
    const auto stop = [id](const std::shared_ptr<Task>& task) {
      if (task != nullptr && task->request.id == id) task->stop.request_stop();
    };
    stop(current_);
    std::ranges::for_each(waiting_, stop);
  }
  void end() {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Task>> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::shared_ptr<Task> current_;
  bool is_over_ = false;
};

/// Reports how much was read, but not too often.
class Reporter {
 public:
  Reporter(const Message& request, Lines& lines) : lines_(&lines) {
    const auto found = request.meta.find("progressToken");
    if (found != request.meta.end()) token_ = make_id(found->second);
  }
  void report(std::uint64_t byte_count) {
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (token_.empty() || now - last_ < 200ms) return;
    last_ = now;
    lines_->write(
        make_notification("notifications/progress",
                          fmt::format(R"({{"progressToken":{},"progress":{},"message":"read {} MB"}})",
                                      token_, byte_count, byte_count / 1'000'000)));
  }

 private:
  Lines* lines_;
  std::string token_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void answer(Server& server, const Task& task, Lines& lines) try {
  Reporter reporter(task.request, lines);
  const std::string line = server.answer(
      task.request, {.stop = task.stop.get_token(),
                     .on_progress = [&](std::uint64_t byte_count) { reporter.report(byte_count); }});
  if (!task.stop.stop_requested()) lines.write(line);
} catch (const std::bad_alloc&) {
  lines.refuse(task.request.id);
}

void work(Server& server, Tasks& tasks, Lines& lines) {
  while (const auto task = tasks.take()) {
    if (!task->stop.stop_requested() && !lines.is_closed()) answer(server, *task, lines);
  }
}

/// Answers requests in a thread of its own until there are no more, even if reading them fails.
class Worker {
 public:
  Worker(Server& server, Tasks& tasks, Lines& lines)
      : tasks_(&tasks), thread_([&server, &tasks, &lines] { work(server, tasks, lines); }) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    tasks_->end();
    thread_.join();
  }

 private:
  Tasks* tasks_;
  std::thread thread_;
};

/// Handles one line from standard input.
void handle(std::string_view line, Tasks& tasks, Lines& lines) try {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  auto message = parse_message(line);
  if (!message) return lines.write(make_error(message.error()));
  if (message->method == "notifications/cancelled") {
    const auto id = message->params.find("requestId");
    if (id != message->params.end()) tasks.cancel(make_id(id->second));
  }
  if (!message->is_request()) return;
  // Answered at once, even while another answer is being made.
  if (message->method == "ping") return lines.write(make_response(message->id, "{}"));
  tasks.add(std::move(*message), line.size());
} catch (const std::bad_alloc&) {
  lines.refuse({});
}

/// Splits standard input into lines. Of a line that is too long, only enough is kept to refuse it. Returns
/// the value of errno if standard input could not be read to its end, and otherwise 0.
int read_lines(Tasks& tasks, Lines& lines) {
  int error = 0;
  std::string line;
  line.reserve(max_message + 1);  // so that reading takes no more memory later
  std::vector<char> buffer(std::size_t{1} << 16);
  while (!lines.is_closed()) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && may_retry(STDIN_FILENO, POLLIN)) continue;
    if (count < 0) error = errno;
    if (count <= 0) break;
    std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    while (!bytes.empty()) {
      const std::size_t end = std::min(bytes.find('\n'), bytes.size());
      line.append(bytes.substr(0, std::min(end, max_message + 1 - std::min(line.size(), max_message + 1))));
      if (end == bytes.size()) break;
      bytes.remove_prefix(end + 1);
      handle(line, tasks, lines);
      line.clear();
    }
  }
  // After an error, the rest of the line is missing.
  if (error == 0) handle(line, tasks, lines);
  return error;
}

}  // namespace
}  // namespace heapcheck::cli::mcp

namespace heapcheck::cli {

int run_mcp(const Values& values) {
  auto paths = values.get<std::vector<std::string>>("root");
  if (paths.empty()) paths.emplace_back(".");
  auto roots = mcp::Roots::make(paths);
  if (!roots) return refuse_usage(roots.error().message);
  const Reading reading = make_reading(values);
  mcp::Server server(std::move(*roots), reading.limits);
  enforce_memory(reading.limits, 1, 2);
  if (reading.has_sandbox) enter_sandbox({.folders = server.session().heaps().roots().folders()});
  mcp::Tasks tasks;
  mcp::Lines lines;
  const mcp::Worker worker(server, tasks, lines);
  const int error = mcp::read_lines(tasks, lines);
  return error == 0 ? sound : refuse_input(error);
}

}  // namespace heapcheck::cli
