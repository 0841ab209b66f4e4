// Writes the tables of a dump (export/tables/): each to a file of its own, or all to one database. Every file
// gets its name once all are complete.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/state.hpp"
#include "export/form.hpp"
#include "export/tables/row_buffer.hpp"
#include "export/tables/sqlite.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/export.hpp"

namespace heapcheck::api {

/// The file for one part of what is exported, such as a snapshot or a table: `heap-3.txt` for `heap.txt`.
[[nodiscard]] std::string name_part(const std::string& output, std::string_view part);

/// Whether snapshots of that family are exported as allocations by call stack, instead of as a graph.
[[nodiscard]] bool has_stacks(Family family);

/// The names of all tables, of graphs and of allocations by call stack.
[[nodiscard]] std::vector<std::string_view> all_table_names();

class TableExport {
 public:
  /// Creates the files, and the tables in them. Borrows the dump and the form. Errors: unsupported if there
  /// is no such table or part; unwritable.
  static Result<TableExport> open(const Dump::State& dump, const exports::Form& form,
                                  const std::string& output, const ExportOptions& options);

  /// Appends the rows of one snapshot. Errors: unreadable; unwritable; limit.
  Result<void> add(const exports::GraphInput& input);
  Result<void> add(const exports::StacksInput& input);
  /// Call this once. Errors: unwritable; if one file cannot get its name, those before it have theirs.
  Result<Export> finish();

 private:
  struct Output {
    exports::tables::Table table;
    std::unique_ptr<exports::tables::TableWriter> writer;
    exports::tables::Counts counts = {};
  };

  TableExport(const Dump::State& dump, const exports::Form& form, const ExportOptions& options)
      : dump_(&dump), form_(&form), part_{options.part, options.part_count} {}

  Result<core::OutputFile*> create_file(const std::string& path);
  Result<void> open_files(const std::vector<exports::tables::Table>& tables, const std::string& output,
                          bool is_one);
  Result<void> open_database(const std::vector<exports::tables::Table>& tables, const std::string& output);
  Result<void> write(Output& output, const auto& table, const auto& input);
  /// The error about one of several files, with the name of its table.
  [[nodiscard]] Error name_table_if_several(const Output& output, const Error& error) const;
  [[nodiscard]] Export describe() const;

  const Dump::State* dump_;
  const exports::Form* form_;
  exports::tables::Part part_;
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<core::OutputFile>> files_;
  std::unique_ptr<exports::tables::SqliteDatabase> database_;  // or null
  std::vector<Output> outputs_;
};

}  // namespace heapcheck::api
