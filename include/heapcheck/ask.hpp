// Answers questions about heaps by their names, as tables that can be written in every form of output. The
// questions and their options are those of the commands of the program. Answers own their memory, or share
// the graph that their later rows are made from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/dump.hpp"
#include "heapcheck/heap.hpp"
#include "heapcheck/types/api.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck {

/// The names of all questions.
[[nodiscard]] HEAPCHECK_API std::vector<std::string_view> all_questions();
/// The names of the options of a question: those of the options and, in lower case, of the arguments of the
/// command with its name; none if there is no such question. In addition: `what` and `order` are the
/// arguments of `top`, `every` is a number, `limit` is the most rows that are written (0, the default: all),
/// and `force` leaves out snapshots that are not whole.
[[nodiscard]] HEAPCHECK_API std::vector<std::string_view> options_of(std::string_view question);

/// A question about one dump, or about several that are added one after the other. Copies share what was
/// added. Must not be used by two threads at the same time.
class HEAPCHECK_API Question {
 public:
  /// The question `name` about that many dumps. A text may also be given as several strings, which are joined
  /// with blanks. Errors: unsupported, if there is no such question or option, a value is of the wrong type,
  /// an option is missing, a query or a condition is not understood, or the question is not about that many
  /// dumps.
  [[nodiscard]] static Result<Question> make(std::string_view name, const OptionValues& options = {},
                                             std::size_t dump_count = 1);
  /// Adds the next dump, whose snapshots it reads; they should be sound. Answers call it `file_name`. Returns
  /// the number of snapshots that the question is about. Errors: those of Snapshot::graph() and
  /// Snapshot::profile(); unsupported, if the dump does not have what the question is about.
  [[nodiscard]] Result<std::uint64_t> add(const std::string& file_name, const Dump& dump);
  /// The answer. Call this once. Errors: unsupported, if there is no snapshot; limit.
  [[nodiscard]] Result<Answer> finish();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// The heap in one snapshot, to be asked several questions, and where it is from.
struct LoadedHeap {
  Heap heap;                   ///< its graph
  Format format{};             ///< of its dump
  std::uint64_t snapshot = 0;  ///< its index
};

/// Asks a question about one dump. Errors: those of the functions of Question.
[[nodiscard]] HEAPCHECK_API Result<Answer> ask(const Dump& dump, std::string_view question,
                                               const OptionValues& options = {});
/// The same about a heap, whatever snapshot the options name. Errors: in addition, unsupported for the
/// questions that compare snapshots or are about call stacks.
[[nodiscard]] HEAPCHECK_API Result<Answer> ask(const LoadedHeap& heap, std::string_view question,
                                               const OptionValues& options = {});

/// The number of rows, including those that are not made yet.
[[nodiscard]] HEAPCHECK_API std::size_t count_rows(const Answer& answer);
/// The answer with only the rows from `first` on, at most `most` of them, all of which are made; fewer if
/// `stop` is requested. Throws std::bad_alloc.
[[nodiscard]] HEAPCHECK_API Answer take_rows(const Answer& answer, std::size_t first, std::size_t most,
                                             const std::stop_token& stop = {});
/// The answer with as many rows as its limit allows. Makes those that are not made yet. Throws
/// std::bad_alloc.
[[nodiscard]] HEAPCHECK_API std::string write_answer(const Answer& answer, AnswerForm form);
/// The same as a JSON document, as described by spec/answers/. Throws std::bad_alloc.
[[nodiscard]] HEAPCHECK_API std::string to_json(const Answer& answer);

}  // namespace heapcheck
