// Lets SQLite read the rows that are being exported as if they were one of its own tables, so that one
// statement inserts many of them. This takes half as long as binding the values of each row to a statement.
#pragma once

#include <string>

#include "export/tables/table.hpp"

struct sqlite3;

namespace heapcheck::exports::tables {

/// The columns of a table in SQL: `"node" INTEGER NOT NULL, "file" TEXT`.
[[nodiscard]] std::string describe_columns(const Table& table);

/// A table in a connection that contains the rows, which are borrowed. It has the same columns as `table`.
struct RowSource {
  const Table* table = nullptr;
  const Rows* rows = nullptr;
};

/// Adds the table called `name` to the connection, but not to the database. Borrows the source, which must
/// not move. Returns an SQLite result code.
[[nodiscard]] int add_row_source(sqlite3* connection, const std::string& name, RowSource& source);

}  // namespace heapcheck::exports::tables
