// The table of questions about heaps. A question is asked by name, about snapshots that are added one by one.
// Errors for all functions: unsupported if options are invalid or the dump lacks the data to which they
// refer; any error from making graphs and profiles.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/answers/options.hpp"
#include "analyze/heap.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/process.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// A snapshot that a question concerns, before its graph or profile has been made.
struct Asked {
  std::string file;  ///< the name of its dump
  Format format{};
  std::uint64_t snapshot = 0;  ///< its index
  /// What the dump contains if it is a trace without heap dumps; it then has no snapshot, graph or profile.
  std::string lack = {};
  Limits limits = {};
  DumpProcess process = {};  ///< in a trace
  std::optional<Recording> recording = {};
  /// Whether no other process in the same trace has dumps that the question is about.
  bool is_only_process = false;
  std::shared_ptr<const Heap> heap = {};  ///< null if the graph has not been made yet
  std::function<Result<Graph>()> make_graph = {};
  std::function<Result<AllocationProfile>()> make_profile = {};
};

/// The same snapshot after its graph has been made.
struct AskedHeap {
  Format format{};
  std::uint64_t snapshot = 0;
  std::shared_ptr<const Heap> heap;  ///< never null; later rows share it
  std::optional<Recording> recording = {};

  [[nodiscard]] const Graph& graph() const { return heap->graph(); }
};

/// Makes the graph unless it already exists. Errors: any error from Asked::make_graph. For a Chrome heap
/// dump, the message names the questions that do not need a graph.
[[nodiscard]] Result<AskedHeap> make_asked(const Asked& asked);

/// Makes the answer to one question.
class AnswerMaker {
 public:
  virtual ~AnswerMaker() = default;
  /// Adds the next snapshot that the question is about, or a dump that lacks snapshots.
  virtual Result<void> add(const Asked& asked) = 0;
  virtual Result<Answer> finish() = 0;
};

/// Which snapshots of a dump a question concerns, unless its options name others.
enum class Which : std::uint8_t {
  last,            ///< the last snapshot of one dump that contains memory
  first_and_last,  ///< of one dump; of several dumps, the last one of each that contains memory
  all,             ///< of one dump
  all_of_several,  ///< of any number of dumps
  listed,  ///< the snapshots of one dump that an option lists; for two or three dumps, the last one of each
           ///< (in a trace, of each process) that contains memory
};

struct Question {
  std::string_view name;
  Which which = Which::last;
  std::span<const OptionRule> options = {};  ///< options in addition to those of every question
  std::unique_ptr<AnswerMaker> (*make)(const Options& options);
  /// Finds errors in the strings of options before any file is read. May be null.
  Result<void> (*check)(const Options& options) = nullptr;
};

/// The table.
[[nodiscard]] std::span<const Question> all_questions();
/// All options of the question.
[[nodiscard]] std::vector<OptionRule> options_of(const Question& question);
/// Finds a question by name. Errors: unsupported, with a message that lists all names.
[[nodiscard]] Result<const Question*> find_question(std::string_view name);

/// Which snapshots of each dump a question with these options concerns.
struct Selection {
  Which which = Which::last;
  std::vector<std::uint64_t> listed = {};  ///< their indices; if empty, `which` applies
  bool is_forced = false;                  ///< whether incomplete snapshots are left out
  /// Whether the snapshots of each process in a trace are compared.
  bool compares_processes = false;
  /// The id or type of the only process whose dumps in a trace are considered.
  std::optional<std::string> process = {};
};

/// A question that is being asked.
struct Inquiry {
  std::unique_ptr<AnswerMaker> maker;
  Selection selection = {};
  std::size_t most_rows = SIZE_MAX;

  /// The answer for the snapshots that were added.
  [[nodiscard]] Result<Answer> finish() const;
};

/// Checks the options for asking the question about that many dumps. Errors: also any error from
/// find_question().
[[nodiscard]] Result<Inquiry> begin(std::string_view question, const OptionValues& values,
                                    std::size_t dump_count);
/// Asks about one snapshot. Errors: the same, and any error from making the answer.
[[nodiscard]] Result<Answer> ask(std::string_view question, const OptionValues& values, const Asked& asked);

// The functions in the table, which make the answers. Each takes the values of its question's options.

// About one snapshot.
Result<Answer> answer_top(const Options& options, const Asked& asked);
Result<Answer> answer_tree(const Options& options, const Asked& asked);
Result<Answer> answer_find(const Options& options, const AskedHeap& asked);
Result<Answer> answer_count(const Options& options, const AskedHeap& asked);
Result<Answer> answer_show(const Options& options, const AskedHeap& asked);
Result<Answer> answer_path(const Options& options, const AskedHeap& asked);
Result<Answer> answer_retainers(const Options& options, const AskedHeap& asked);
Result<Answer> answer_retained(const Options& options, const AskedHeap& asked);
Result<Answer> answer_dominators(const Options& options, const AskedHeap& asked);
Result<Answer> answer_unreachable(const Options& options, const AskedHeap& asked);
Result<Answer> answer_duplicates(const Options& options, const AskedHeap& asked);

// About any number of snapshots.
std::unique_ptr<AnswerMaker> make_summary(const Options& options);
std::unique_ptr<AnswerMaker> make_suspects(const Options& options);
std::unique_ptr<AnswerMaker> make_leaks(const Options& options);
std::unique_ptr<AnswerMaker> make_diff(const Options& options);
std::unique_ptr<AnswerMaker> make_growth(const Options& options);

// Checks for errors in strings that can be detected without a dump.
Result<void> check_order(const Options& options);
Result<void> check_query(const Options& options);
Result<void> check_merged(const Options& options);
Result<void> check_conditions(const Options& options);

}  // namespace heapcheck::analyze::answers
