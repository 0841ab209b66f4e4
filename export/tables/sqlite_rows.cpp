#include "export/tables/sqlite_rows.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <new>
#include <string_view>

// The functions of a virtual table: https://www.sqlite.org/vtab.html
namespace heapcheck::exports::tables {
namespace {

struct SourceTable : sqlite3_vtab {
  const RowSource* source = nullptr;
};

struct RowCursor : sqlite3_vtab_cursor {
  const Rows* rows = nullptr;
  std::size_t row = 0;
};

RowCursor& as_row_cursor(sqlite3_vtab_cursor* cursor) { return *static_cast<RowCursor*>(cursor); }

int declare_columns(sqlite3* connection, const Table& table) {
  try {
    const std::string sql = "CREATE TABLE source (" + describe_columns(table) + ")";
    return sqlite3_declare_vtab(connection, sql.c_str());
  } catch (const std::bad_alloc&) {  // exceptions must not pass through SQLite
    return SQLITE_NOMEM;
  }
}

int connect_source(sqlite3* connection, void* source, int /*count*/, const char* const* /*words*/,
                   sqlite3_vtab** made, char** /*message*/) {
  auto* const table = new (std::nothrow) SourceTable{};
  if (table == nullptr) return SQLITE_NOMEM;
  table->source = static_cast<const RowSource*>(source);
  const int status = declare_columns(connection, *table->source->table);
  if (status == SQLITE_OK)
    *made = table;
  else
    delete table;
  return status;
}

int disconnect_source(sqlite3_vtab* table) {
  delete static_cast<SourceTable*>(table);
  return SQLITE_OK;
}

int choose_plan(sqlite3_vtab* /*table*/, sqlite3_index_info* /*info*/) { return SQLITE_OK; }

int open_row_cursor(sqlite3_vtab* /*table*/, sqlite3_vtab_cursor** made) {
  *made = new (std::nothrow) RowCursor{};
  return *made == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int close_row_cursor(sqlite3_vtab_cursor* cursor) {
  delete &as_row_cursor(cursor);
  return SQLITE_OK;
}

int start_rows(sqlite3_vtab_cursor* cursor, int /*plan*/, const char* /*name*/, int /*count*/,
               sqlite3_value** /*values*/) {
  RowCursor& rows = as_row_cursor(cursor);
  rows.rows = static_cast<SourceTable*>(cursor->pVtab)->source->rows;
  rows.row = 0;
  return SQLITE_OK;
}

int next_row(sqlite3_vtab_cursor* cursor) {
  ++as_row_cursor(cursor).row;
  return SQLITE_OK;
}

int is_after_rows(sqlite3_vtab_cursor* cursor) {
  const RowCursor& rows = as_row_cursor(cursor);
  return rows.row == rows.rows->count ? 1 : 0;
}

int read_value(sqlite3_vtab_cursor* cursor, sqlite3_context* result, int column) {
  const RowCursor& rows = as_row_cursor(cursor);
  const Values& values = rows.rows->columns[static_cast<std::size_t>(column)];
  if (!values.has(rows.row)) {
    sqlite3_result_null(result);
  } else if (values.texts.empty()) {
    sqlite3_result_int64(result, values.integers[rows.row]);
  } else {
    const std::string_view text = values.texts[rows.row];
    sqlite3_result_text64(result, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  return SQLITE_OK;
}

int read_row_number(sqlite3_vtab_cursor* cursor, sqlite3_int64* number) {
  *number = static_cast<sqlite3_int64>(as_row_cursor(cursor).row);
  return SQLITE_OK;
}

/// Because there is no xCreate, the table exists as soon as its module is registered and is not part of the
/// database.
const sqlite3_module row_module = [] {
  sqlite3_module made{};
  made.xConnect = connect_source;
  made.xDisconnect = disconnect_source;
  made.xBestIndex = choose_plan;
  made.xOpen = open_row_cursor;
  made.xClose = close_row_cursor;
  made.xFilter = start_rows;
  made.xNext = next_row;
  made.xEof = is_after_rows;
  made.xColumn = read_value;
  made.xRowid = read_row_number;
  return made;
}();

}  // namespace

std::string describe_columns(const Table& table) {
  std::string text;
  for (const Column& column : table.columns) {
    text += fmt::format("{}\"{}\" {}{}", text.empty() ? "" : ", ", column.name,
                        column.type == ColumnType::integer ? "INTEGER" : "TEXT",
                        column.is_optional ? "" : " NOT NULL");
  }
  return text;
}

int add_row_source(sqlite3* connection, const std::string& name, RowSource& source) {
  return sqlite3_create_module_v2(connection, name.c_str(), &row_module, &source, nullptr);
}

}  // namespace heapcheck::exports::tables
