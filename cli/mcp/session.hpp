// Runs the tools for one agent. It owns the opened dumps and remembers the last answers, so that asking the
// same again, or for more rows, is quick.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/mcp/heaps.hpp"
#include "cli/mcp/message.hpp"
#include "cli/mcp/next.hpp"
#include "cli/mcp/pages.hpp"
#include "cli/mcp/tools.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::cli::mcp {

/// A call of a tool whose answer may be continued.
struct Asked {
  std::string id;  ///< such as `a1`
  const Tool* tool = nullptr;
  OptionValues arguments = {};
  std::vector<std::string> dumps = {};             ///< their ids, oldest first; none if it is about no dump
  std::shared_ptr<const Answer> answer = nullptr;  ///< null if a dump is no longer in memory
};

/// The answer of a tool.
struct Reply {
  std::shared_ptr<const Answer> answer;
  std::size_t first = 0;  ///< the first row to show
  PageSize size = {};
  const Asked* asked = nullptr;    ///< how to go on; null if all rows fit
  const OpenDump* dump = nullptr;  ///< the dump that the answer is about, if there is one
  std::vector<Suggestion> next = {};
};

class Session {
 public:
  Session(Roots roots, Limits limits);

  /// Calls a tool. Returns its result as JSON, which says so if the call fails.
  [[nodiscard]] std::string call(const Tool& tool, const Message& request, const Work& work);

  [[nodiscard]] Heaps& heaps() { return heaps_; }

 private:
  [[nodiscard]] Result<Reply> run(const Tool& tool, const OptionValues& arguments, const Work& work);
  [[nodiscard]] Reply keep(const Tool& tool, Answer answer, std::vector<Suggestion> next = {});
  [[nodiscard]] Result<Reply> ask(const Tool& tool, const OptionValues& arguments);
  [[nodiscard]] Result<Reply> show_more(const OptionValues& arguments);
  [[nodiscard]] Result<Asked*> answer(const Tool& tool, const OptionValues& arguments);
  [[nodiscard]] Result<std::vector<OpenDump*>> find_dumps(const OptionValues& arguments);
  [[nodiscard]] std::shared_ptr<const Answer> find_longer(const Tool& tool, OptionValues arguments) const;
  [[nodiscard]] Result<void> make_answer(Asked& asked);
  [[nodiscard]] bool names_open_dumps(const OptionValues& arguments) const;
  [[nodiscard]] std::string write_failure(const Tool& tool, const Error& error, bool are_dumps_open) const;

  Heaps heaps_;
  std::deque<Asked> asked_;
  std::uint64_t next_id_ = 1;
};

}  // namespace heapcheck::cli::mcp
