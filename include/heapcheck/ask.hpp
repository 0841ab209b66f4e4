// Answers named questions about heaps. Each answer is a table that can be written in any output form. The
// questions and their options match the commands of the program and the options of those commands. Answers
// own their memory or share the graph from which their later rows are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/dump.hpp"
#include "heapcheck/heap.hpp"
#include "heapcheck/types/api.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/recording.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck {

/// The names of all questions.
[[nodiscard]] HEAPCHECK_API std::vector<std::string_view> all_questions();
/// The names of a question's options. These are the options of the command with the same name, and that
/// command's arguments in lower case. Returns an empty list if there is no such question. Note that `what`
/// and `order` are the arguments of `top`, `every` is a number, `limit` is the maximum number of rows to
/// write (0, the default, means all rows), and `force` leaves out incomplete snapshots.
[[nodiscard]] HEAPCHECK_API std::vector<std::string_view> options_of(std::string_view question);

/// The heap from one snapshot, and where it came from. Any number of questions can be asked about it.
struct LoadedHeap {
  Heap heap;                                ///< the graph of the snapshot
  Format format{};                          ///< the format of the dump
  std::uint64_t snapshot = 0;               ///< the index of the snapshot
  std::optional<Recording> recording = {};  ///< as Snapshot::recording() returns it
};

/// While it exists, functions of the library that return a Result and that the same thread calls fail soon
/// after `is_stopped` returns true; it is called between the parts of a computation, which take at most about
/// a second. Reading a dump is not stopped. Errors of these functions: also timeout. Heaps can be asked
/// again.
class HEAPCHECK_API StopScope {
 public:
  /// Computations are stopped once `is_stopped`, or the `is_stopped` of an outer scope, returns true. Throws
  /// std::bad_alloc.
  explicit StopScope(std::function<bool()> is_stopped);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

 private:
  std::function<bool()> is_stopped_;
  const std::function<bool()>* outer_;
};

/// A question about one dump, or about several dumps that are added one after another. Copies share the added
/// dumps. Not safe for use by two threads at the same time.
class HEAPCHECK_API Question {
 public:
  /// Makes the question `name` about `dump_count` dumps. A text option may also be given as several strings,
  /// which are joined with spaces. Errors: unsupported if there is no such question or option, a value has
  /// the wrong type, an option is missing, a query or condition cannot be parsed, or the question does not
  /// accept that number of dumps.
  [[nodiscard]] static Result<Question> make(std::string_view name, const OptionValues& options = {},
                                             std::size_t dump_count = 1);
  /// Adds the next dump and reads its snapshots, which should be sound. Answers call the dump `file_name`.
  /// Returns the number of snapshots that the question is about; 0 for a trace without heap dumps, for
  /// which the answer says what the trace contains instead. Errors: the errors of Snapshot::graph() and
  /// Snapshot::profile(); unsupported if the dump does not contain the data that the question is about.
  [[nodiscard]] Result<std::uint64_t> add(const std::string& file_name, const Dump& dump);
  /// Does the same, and frees what was read from the dump as soon as it is no longer needed, which takes less
  /// memory. If there are copies of the dump, they have to read it again.
  [[nodiscard]] Result<std::uint64_t> add(const std::string& file_name, Dump&& dump);
  /// Adds a snapshot of the next dump whose graph has been made already. Errors: unsupported if the question
  /// needs something that a graph does not contain, or is about dumps of another format.
  [[nodiscard]] Result<void> add(const std::string& file_name, const LoadedHeap& heap);
  /// Returns the answer. Call this once. Errors: unsupported if there is no snapshot, except in traces, or if
  /// only some of the compared traces have heap dumps; limit.
  [[nodiscard]] Result<Answer> finish();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Asks a question about one dump. Errors: the same as for the functions of Question.
[[nodiscard]] HEAPCHECK_API Result<Answer> ask(const Dump& dump, std::string_view question,
                                               const OptionValues& options = {});
/// Asks a question about a heap. Ignores any snapshot named in the options. Errors: also unsupported for
/// questions that compare snapshots or concern call stacks.
[[nodiscard]] HEAPCHECK_API Result<Answer> ask(const LoadedHeap& heap, std::string_view question,
                                               const OptionValues& options = {});

/// The number of rows, including rows that have not been made yet.
[[nodiscard]] HEAPCHECK_API std::size_t count_rows(const Answer& answer);
/// The answer with at most `most` rows, starting at row `first`. Makes all of these rows, or only some of
/// them if `is_stopped`, which is called before each row, returns true. Throws std::bad_alloc.
[[nodiscard]] HEAPCHECK_API Answer take_rows(const Answer& answer, std::size_t first, std::size_t most,
                                             const std::function<bool()>& is_stopped = {});
/// The answer in the given form, with as many rows as its limit allows. Makes any rows that have not been
/// made yet. Throws std::bad_alloc.
[[nodiscard]] HEAPCHECK_API std::string write_answer(const Answer& answer, AnswerForm form);
/// The answer as a JSON document, as described in spec/answers/. Throws std::bad_alloc.
[[nodiscard]] HEAPCHECK_API std::string to_json(const Answer& answer);

}  // namespace heapcheck
