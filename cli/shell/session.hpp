// A session of the shell. It holds the selected snapshot, which a thread reads while the user types, and the
// last answer. Owns the dump.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cli/values.hpp"
#include "heapcheck/ask.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/types/process.hpp"

namespace heapcheck::cli {

enum class Listener : std::uint8_t { person, script };

/// Some rows of an answer, and how they were asked for.
struct Page {
  std::shared_ptr<const Answer> answer;
  std::size_t end = 0;  ///< the first row that is not shown yet
  AnswerForm form{};
  std::size_t most = 0;  ///< the maximum number of rows to show at once
  std::string text = {};
};

class Session {
 public:
  /// `values` are the values given to the `shell` command. Reads all snapshots to list them.
  Session(Values values, Dump dump, Listener listener);

  /// Selects the snapshot that --snapshot names or, by default, the last one. Errors: unsupported if there is
  /// no such snapshot. If a trace has none at all, says what it contains instead, and ends the session.
  Result<void> select_first();
  /// A few sentences that tell the user what the file contains and how to begin.
  [[nodiscard]] std::string greet() const;

  /// The names of the types of objects; empty while the snapshot is being read or an answer is being made.
  [[nodiscard]] std::vector<std::string> find_type_names();

  /// Carries out the command in one line, and prints the answer or the error. `number` is the number of the
  /// line, counted from 1.
  void run(std::string_view line, std::uint64_t number);
  [[nodiscard]] bool is_over() const { return is_over_; }
  /// The exit status, which is that of the first line that failed.
  [[nodiscard]] int status() const { return status_; }

  /// Answers a question that needs the dump: about several snapshots, or about the call stacks of one.
  Result<void> ask_about_dump(std::string_view question, const Values& values);

  // The commands that concern the shell itself.
  Result<void> list_snapshots();
  Result<void> select(std::string_view index);
  Result<void> show_more();
  void end() { is_over_ = true; }
  void print(std::string_view text);

 private:
  struct Row {
    std::uint64_t index, nodes, edges, bytes;
    DumpProcess process;  ///< if the file is a trace
  };

  Result<void> run_words(std::string_view line);
  [[nodiscard]] bool needs_dump(std::string_view question) const;
  Result<void> ask_about(std::string_view question, const Values& values);
  Result<bool> select_row(std::uint64_t index);
  bool wait_for_dump();
  Result<void> show_page(std::function<Result<Page>(const std::stop_token& stop)> make);

  Values values_;
  std::string file_;
  Dump dump_;
  Listener listener_;
  std::vector<Row> snapshots_;
  std::uint64_t selected_ = 0;
  bool has_selected_ = false;               ///< whether a person or script chose that snapshot
  std::optional<Result<LoadedHeap>> heap_;  ///< the selected snapshot once it has been read
  Page last_;
  std::stop_source stop_;  ///< stops the answer that is being made
  bool is_over_ = false;
  int status_ = 0;
  // Declared last, because they use the members above. Only one of them runs at a time.
  std::future<Result<LoadedHeap>> loading_;
  std::future<Result<Page>> answering_;
};

}  // namespace heapcheck::cli
