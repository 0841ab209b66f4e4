// Collects what a page about heap dumps shows, and makes the page: one HTML file with pictures of what holds
// the memory and of what grew. Keeps at most two graphs: the first and the last.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "heapcheck/dump.hpp"
#include "heapcheck/types/api.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck {

/// Which snapshots of a dump the page is about.
struct HeapPageOptions {
  std::optional<std::uint64_t> snapshot = {};  ///< the index of the only one
  bool has_all_snapshots = false;              ///< all of them; otherwise, the last one
};

/// A report about one dump, or about several of the same program, oldest first. The last snapshot is shown in
/// detail; the others, if they are of the same process, show what changed.
class HEAPCHECK_API HeapPage {
 public:
  /// A report without dumps.
  HeapPage();
  /// Adds the next dump under `name`, with the result of checking it. Snapshots that are not whole are left
  /// out, and so are dumps of a trace without memory. Errors: unsupported, if there is no such snapshot, or
  /// the dump is of another family of formats than those before it; unreadable; limit.
  [[nodiscard]] Result<void> add(const Dump& dump, const Report& report, const std::string& name,
                                 const HeapPageOptions& options = {});
  /// The data of the page: one JSON document, as described by spec/heap-report.schema.json. Call this or
  /// make_page() once, after all dumps have been added. Errors: limit.
  [[nodiscard]] Result<std::string> make_json();
  /// The page: one HTML file of at most 3 MB, which needs no other. Errors: limit.
  [[nodiscard]] Result<std::string> make_page();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace heapcheck
