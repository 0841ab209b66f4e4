#include "formats/chrome/profile.hpp"

#include <algorithm>

namespace heapcheck::chrome {

Process& Profile::process(std::int64_t pid) {
  const auto found = std::ranges::find(processes, pid, &Process::pid);
  if (found != processes.end()) return *found;
  Process& made = processes.emplace_back();
  made.pid = pid;
  return made;
}

}  // namespace heapcheck::chrome
