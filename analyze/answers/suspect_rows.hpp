// What the answers to `suspects` and `leaks` have in common: the snapshots that they compare, and how they
// describe nodes that retain memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/growth.hpp"
#include "heapcheck/types/suspects.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// The snapshots that are compared. Of the snapshots between the first and the last, only what they have in
/// common is kept, because there may be many. Snapshots from a process other than that of the first one are
/// left out.
struct Compared {
  std::optional<AskedHeap> first = {};
  std::optional<NodesById> between = {};
  std::optional<AskedHeap> last = {};
  std::string last_file = {};
  GrowthDoubt doubt{};  ///< about two snapshots that follow each other

  void add(const AskedHeap& next, const std::string& file);
};

/// Collects the snapshots of a question that is about one snapshot, or about growth if there are several.
class ComparingMaker : public AnswerMaker {
 public:
  Result<void> add(const Asked& asked) final;
  Result<Answer> finish() final;

 private:
  /// Checks that the question can be asked about dumps of this format.
  [[nodiscard]] virtual Result<void> check_format(Format) const { return {}; }
  /// The answer about a trace without heap dumps.
  [[nodiscard]] virtual Answer answer_nothing() const = 0;
  [[nodiscard]] virtual Answer answer_one(const AskedHeap& asked, const std::string& file) const = 0;
  [[nodiscard]] virtual Answer answer_growth(const Compared& compared) const = 0;

  std::optional<FirstDump> first_;
  Compared compared_;
};

/// Adds the first doubt about the snapshots to an answer, as a fact and as a remark. `found` is the doubt
/// about the first and the last snapshot, and `by` is how these were compared.
void add_doubt(GrowthDoubt found, GrowthBy by, const Compared& compared, Answer& answer);
/// Adds facts about the comparison: the snapshot with which the last one was compared, and how.
void add_growth_facts(GrowthBy by, const Compared& compared, Answer& answer);
/// A sentence that states that growth was only estimated; empty if it was not, or if the doubt says so, too.
[[nodiscard]] std::string describe_estimate(GrowthBy by, GrowthDoubt doubt, const Graph& graph);

/// The text of an answer about a snapshot without edges.
inline constexpr std::string_view no_edges =
    "the snapshot has no edges, so nothing shows what keeps its nodes in memory\n";

/// Leaks have no holder, and all that they retain is new.
enum class SuspectForm : std::uint8_t { suspect, leak };

/// Why a suspect or leak is listed, as a sentence without its full stop.
[[nodiscard]] std::string make_reason(const Graph& graph, const Suspect& suspect, bool is_growth,
                                      SuspectForm form = SuspectForm::suspect);
[[nodiscard]] std::vector<std::uint64_t> list_ids(const Graph& graph, std::span<const std::uint32_t> nodes);
/// The number, reason and fingerprint of a suspect or leak in human-readable form. Its path comes after them.
[[nodiscard]] std::string describe_suspect(const Suspect& suspect, std::size_t number,
                                           std::string_view reason);
/// The path to a suspect or leak in human-readable form.
[[nodiscard]] std::string show_path_to(const Graph& graph, const std::vector<PathStep>& path,
                                       std::span<const std::uint64_t> retained);

}  // namespace heapcheck::analyze::answers
