// The indices and views of an SQLite database, as SQL.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

namespace heapcheck::exports::tables {

/// A statement that can be run if the database has all of its tables.
struct SqliteStatement {
  std::initializer_list<std::string_view> tables;
  const char* sql;
};

[[nodiscard]] std::span<const SqliteStatement> all_indices_and_views();

}  // namespace heapcheck::exports::tables
