#include "api/choose_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <string_view>

#include "analyze/answers/rows.hpp"
#include "api/state.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/parse_number.hpp"

namespace heapcheck::api {
namespace {

using analyze::answers::show_process;

std::unexpected<Error> refuse_process(std::string why) {
  return std::unexpected(Error{ErrorKind::unsupported, std::move(why)});
}

/// A process type in lower case, without the prefix that Chrome adds if it has no window.
std::string make_plain(std::string_view type) {
  std::string plain(type);
  std::ranges::transform(plain, plain.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  constexpr std::string_view prefix = "headless";
  return plain.starts_with(prefix) && plain != prefix ? plain.substr(prefix.size()) : plain;
}

bool fits(const DumpProcess& process, std::string_view wanted) {
  if (!process.pid) return false;
  if (const auto pid = core::parse_number<std::int64_t>(wanted); pid && *pid == *process.pid) return true;
  return !process.type.empty() && make_plain(process.type) == make_plain(wanted);
}

/// `Browser 7, Renderer 9 and 2 dumps of unknown processes`
std::string list_processes(const Dump& dump) {
  constexpr std::size_t most_named = 20;
  std::vector<std::string> names;
  std::size_t more = 0;
  std::uint64_t unknown = 0;
  for (const Snapshot& snapshot : dump.snapshots()) {
    const DumpProcess& process = snapshot.process();
    std::string name = show_process(process);
    if (!process.pid)
      ++unknown;
    else if (std::ranges::find(names, name) != names.end())
      continue;
    else if (names.size() == most_named)
      ++more;
    else
      names.push_back(std::move(name));
  }
  if (more != 0) names.emplace_back("others");
  if (unknown != 0) names.push_back(core::counted(unknown, "dump") + " of unknown processes");
  return core::join_words(names, "and");
}

/// Whether `snapshot` replaces `last` as the last one that contains memory.
bool comes_after(const Snapshot& snapshot, const Snapshot& last) {
  return snapshot.byte_count() != 0 || last.byte_count() == 0;
}

}  // namespace

Result<ProcessChoice> ProcessChoice::make(const Dump& dump, const std::optional<std::string>& wanted) {
  ProcessChoice choice;
  choice.wanted_ = wanted;
  if (!wanted) return choice;
  if (family_of(dump.format()) != Family::trace)
    return refuse_process(fmt::format("--process: found a {}, expected a Chrome trace", dump.title()));
  bool has_any = false;
  for (const Snapshot& snapshot : dump.snapshots()) {
    if (choice.accepts(snapshot)) return choice;
    has_any = true;
  }
  // Another message says what a trace without heap dumps contains instead.
  if (!has_any) return choice;
  return refuse_process(
      fmt::format("--process: found no dump of {}, expected one of the processes in the trace: {}",
                  core::make_excerpt(*wanted), list_processes(dump)));
}

bool ProcessChoice::accepts(const Snapshot& snapshot) const {
  return !wanted_ || fits(snapshot.process(), *wanted_);
}

Result<void> ProcessChoice::check(const Snapshot& snapshot) const {
  if (accepts(snapshot)) return {};
  return refuse_process(fmt::format("--process: snapshot {} is a dump of {}, expected one of {}",
                                    snapshot.index(), show_process(snapshot.process()),
                                    core::make_excerpt(*wanted_)));
}

std::optional<Snapshot> ProcessChoice::find_last(const Dump& dump, bool is_forced) const {
  std::optional<Snapshot> last;
  for (const Snapshot& snapshot : dump.snapshots()) {
    if ((is_forced && !snapshot.is_whole()) || !accepts(snapshot)) continue;
    if (!last || comes_after(snapshot, *last)) last = snapshot;
  }
  return last;
}

std::vector<Snapshot> ProcessChoice::find_last_of_each(const Dump& dump, bool is_forced) const {
  std::vector<Snapshot> all;
  std::map<std::int64_t, Snapshot> last;
  for (const Snapshot& snapshot : dump.snapshots()) {
    if ((is_forced && !snapshot.is_whole()) || !accepts(snapshot)) continue;
    const auto pid = snapshot.process().pid;
    if (!pid) {
      all.push_back(snapshot);
      continue;
    }
    const auto [place, is_new] = last.emplace(*pid, snapshot);
    if (!is_new && comes_after(snapshot, place->second)) place->second = snapshot;
  }
  for (const auto& [pid, snapshot] : last) all.push_back(snapshot);
  std::ranges::sort(all, {}, &Snapshot::index);
  return all;
}

bool ProcessChoice::has_only_process(const Dump& dump) const {
  std::optional<std::int64_t> only;
  for (const Snapshot& snapshot : dump.snapshots()) {
    if (!accepts(snapshot)) continue;
    const auto pid = snapshot.process().pid;
    if (!pid || (only && *only != *pid)) return false;
    only = pid;
  }
  return only.has_value();
}

}  // namespace heapcheck::api
