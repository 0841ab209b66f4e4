// The table of forms: one row for each form that a dump can be exported to.
#pragma once

#include <span>
#include <string_view>

#include "export/exporter.hpp"
#include "heapcheck/types/format.hpp"

namespace heapcheck::exports {

struct Form {
  ExportForm form{};
  std::string_view name;     ///< as `--to` takes it
  bool is_text = false;      ///< whether it may be shown on a terminal
  bool is_database = false;  ///< whether all tables are in one file
  /// Unless the form is a database, one of these writes a snapshot, or opens the writer of a table, and the
  /// others are null.
  WriteGraph write_graph = nullptr;
  WriteStacks write_stacks = nullptr;
  OpenTable open_table = nullptr;

  /// Whether snapshots are exported as tables.
  [[nodiscard]] bool has_tables() const { return is_database || open_table != nullptr; }
};

/// All forms, in the order of the help.
[[nodiscard]] std::span<const Form> all_forms();
/// The row of a form.
[[nodiscard]] const Form& row_of(ExportForm form);

}  // namespace heapcheck::exports
