// Writes the tables of a dump, either each to its own file or all to one database. The files are given their
// names when all of them are complete.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "export/form.hpp"
#include "export/tables/row_buffer.hpp"
#include "export/tables/sqlite.hpp"
#include "formats/core/output/output_file.hpp"

namespace heapcheck::exports::tables {

/// The names of all tables, both for graphs and for allocations by call stack.
[[nodiscard]] std::vector<std::string_view> all_table_names();

/// The tables to export, and their destination.
struct TableRequest {
  Family family{};         ///< of the dump
  std::string table = {};  ///< the only table to write; if empty, all tables
  Part part = {};          ///< the part of the rows of each table
  std::string output;
  /// Creates a file. Errors: unwritable.
  std::function<Result<core::OutputFile>(const std::string& path)> create;
};

class TableExport {
 public:
  /// Creates the files, and the tables in them. Borrows the form. Errors: unsupported if there is no such
  /// table or part; unwritable.
  static Result<TableExport> open(const Form& form, TableRequest request);

  /// Appends the rows of one snapshot. Errors: unreadable; unwritable; limit.
  Result<void> add(const GraphInput& input);
  Result<void> add(const StacksInput& input);
  /// Completes the files. Call this once. Errors: unwritable. If one file cannot be given its name, the files
  /// before it already have theirs.
  Result<Written> finish();

  /// The paths of the files.
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

 private:
  struct Output {
    Table table;
    std::unique_ptr<TableWriter> writer;
    Counts counts = {};
  };

  TableExport(const Form& form, TableRequest request) : form_(&form), request_(std::move(request)) {}

  Result<core::OutputFile*> create_file(const std::string& path);
  Result<void> open_files(const std::vector<Table>& tables);
  Result<void> open_database(const std::vector<Table>& tables);
  Result<void> write(Output& output, const auto& table, const auto& input);
  Result<void> add_to(const auto& tables, const auto& input);
  /// The error about one of several files, with the name of its table.
  [[nodiscard]] Error name_table_if_several(const Output& output, const Error& error) const;
  [[nodiscard]] Written describe() const;

  const Form* form_;
  TableRequest request_;
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<core::OutputFile>> files_;
  std::unique_ptr<SqliteDatabase> database_;  // null if there is no database
  std::vector<Output> outputs_;
};

}  // namespace heapcheck::exports::tables
