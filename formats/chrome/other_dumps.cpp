#include "formats/chrome/other_dumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::chrome {
namespace {

/// ` of process 4242`, or ` of the processes Browser 7, GPU Process 8 and 3 more`; empty if there is none.
std::string name_processes(const std::set<std::int64_t>& processes,
                           const std::map<std::int64_t, std::string>& names) {
  constexpr std::size_t most_named = 8;
  if (processes.empty()) return {};
  std::vector<std::string> words;
  for (const std::int64_t process : processes) {
    if (words.size() == most_named) break;
    const auto name = names.find(process);
    words.push_back(name == names.end() ? fmt::to_string(process)
                                        : fmt::format("{} {}", core::make_opening(name->second), process));
  }
  if (const std::size_t more = processes.size() - words.size(); more != 0)
    words.push_back(fmt::format("{} more", more));
  return fmt::format(" of {} {}", processes.size() == 1 ? "process" : "the processes",
                     core::join_words(words, "and"));
}

/// `2 memory dumps`.
std::string count_dumps(const DumpTally& tally, core::Noun noun) {
  const std::string count = core::counted(tally.dumps.size(), noun);
  return tally.dumps.size() == DumpTally::most ? "at least " + count : count;
}

}  // namespace

std::string describe(const OtherDumps& dumps, const std::map<std::int64_t, std::string>& names) {
  if (!dumps.tcmalloc.dumps.empty())
    return fmt::format(
        "contains {}{} in a form that is not supported: `{}` events, which Chrome wrote in 2013",
        count_dumps(dumps.tcmalloc, "heap dump"), name_processes(dumps.tcmalloc.processes, names),
        tcmalloc_name);
  if (!dumps.memory.dumps.empty())
    return fmt::format("contains no heap dump, only {} without heaps{}{}",
                       count_dumps(dumps.memory, "memory dump"), dumps.memory.processes.empty() ? "" : ",",
                       name_processes(dumps.memory.processes, names));
  return "contains no heap dump";
}

}  // namespace heapcheck::chrome
