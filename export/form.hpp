// The table of forms: one row for each form that a dump can be exported to.
#pragma once

#include <span>
#include <string_view>

#include "export/exporter.hpp"
#include "heapcheck/format.hpp"

namespace heapcheck::exports {

struct Form {
  ExportForm form{};
  std::string_view name;  ///< as `--to` takes it
  bool is_text = false;   ///< whether it may be shown on a terminal
  /// One of these writes a snapshot, the other is null.
  WriteGraph write_graph = nullptr;
  WriteStacks write_stacks = nullptr;
};

/// All forms, in the order of the help.
[[nodiscard]] std::span<const Form> all_forms();
/// The row of a form.
[[nodiscard]] const Form& row_of(ExportForm form);

}  // namespace heapcheck::exports
