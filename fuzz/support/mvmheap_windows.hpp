// What the windows targets of MoarVM dumps share: what reading one gives, and that the tables do not depend
// on how. Containers and parts are compared by each target.
#pragma once

#include <vector>

#include "formats/mvmheap/model.hpp"
#include "fuzz/support/windows.hpp"

namespace heapcheck::fuzz {

/// All that reading a dump gives.
template <class Container, class Part>
struct DumpOutcome {
  std::vector<Part> parts;  ///< the first ones
  Container container;
  mvmheap::Tables tables;
};

/// `require_same` compares two outcomes beyond findings and tables.
template <class Reader, class Container, class Part, class RequireSame>
void require_dump_windows_agree(core::ByteSpan bytes, SmallWindows small_windows,
                                RequireSame&& require_same) {
  using Outcome = DumpOutcome<Container, Part>;
  const auto read = [](core::Window& window, core::FindingSink& sink) {
    constexpr std::size_t parts_kept = 20;
    Reader reader(window, make_limits(), sink);
    Outcome outcome;
    for (Part part; reader.read_part(part);) {
      if (outcome.parts.size() < parts_kept) outcome.parts.push_back(part);
    }
    outcome.container = reader.container();
    outcome.tables = reader.tables();
    return outcome;
  };
  require_windows_agree(bytes, small_windows, read, [&](const Outcome& whole, const Outcome& other) {
    require(whole.tables == other.tables, "so are the shared tables");
    require_same(whole, other);
  });
}

}  // namespace heapcheck::fuzz
