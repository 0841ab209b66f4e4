// Writes tables to an SQLite database: STRICT tables, which are filled in one transaction, followed by
// indices and views for common questions (docs/queries.md). With the same version of SQLite, the same tables
// always produce the same bytes. Owns the connection to the database, but not its file.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "export/tables/table.hpp"

struct sqlite3;

namespace heapcheck::exports::tables {

class SqliteDatabase {
 public:
  /// Opens the empty file at `path`. Errors: unwritable.
  static Result<SqliteDatabase> open(const std::string& path);

  /// Creates a table. Both the table and this database must outlive the returned writer. Errors: unwritable.
  [[nodiscard]] Result<std::unique_ptr<TableWriter>> create(const Table& table);
  /// Adds indices and views and ends the transaction. Call this once, after the writers are done. Errors:
  /// unwritable.
  Result<void> finish();

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit SqliteDatabase(sqlite3* connection) : connection_(connection) {}
  Result<void> run(const std::string& sql);
  Result<void> prepare_sorting();

  std::unique_ptr<sqlite3, Close> connection_;
  std::vector<std::string_view> tables_;  // names
};

}  // namespace heapcheck::exports::tables
