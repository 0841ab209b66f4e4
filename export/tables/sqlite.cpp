#include "export/tables/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include "export/tables/sqlite_views.hpp"

namespace heapcheck::exports::tables {
namespace {

/// The error that SQLite reports.
std::unexpected<Error> make_sqlite_error(sqlite3* connection) {
  if (sqlite3_errcode(connection) == SQLITE_NOMEM ||
      sqlite3_extended_errcode(connection) == SQLITE_IOERR_NOMEM)
    throw std::bad_alloc();
  return std::unexpected(
      Error{ErrorKind::unwritable, fmt::format("cannot be written: {}", sqlite3_errmsg(connection))});
}

class SqliteWriter final : public TableWriter {
 public:
  /// Takes over the statement, which inserts a row.
  SqliteWriter(sqlite3* connection, sqlite3_stmt* insert) : connection_(connection), insert_(insert) {}

  Result<void> add(const Rows& rows) override {
    for (std::size_t row = 0; row < rows.count; ++row) {
      for (std::size_t column = 0; column < rows.columns.size(); ++column) {
        if (bind(static_cast<int>(column) + 1, rows.columns[column], row) != SQLITE_OK)
          return make_sqlite_error(connection_);
      }
      if (sqlite3_step(insert_.get()) != SQLITE_DONE) return make_sqlite_error(connection_);
      sqlite3_reset(insert_.get());
    }
    sqlite3_clear_bindings(insert_.get());
    return {};
  }
  Result<void> finish() override { return {}; }

 private:
  int bind(int parameter, const Values& values, std::size_t row) {
    if (!values.has(row)) return sqlite3_bind_null(insert_.get(), parameter);
    if (values.texts.empty()) return sqlite3_bind_int64(insert_.get(), parameter, values.integers[row]);
    const std::string_view text = values.texts[row];
    return sqlite3_bind_text64(insert_.get(), parameter, text.empty() ? "" : text.data(), text.size(),
                               SQLITE_STATIC, SQLITE_UTF8);
  }

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  sqlite3* connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> insert_;
};

std::string describe_columns(const Table& table) {
  std::string text;
  for (const Column& column : table.columns) {
    text += fmt::format("{}\"{}\" {}{}", text.empty() ? "" : ", ", column.name,
                        column.type == ColumnType::integer ? "INTEGER" : "TEXT",
                        column.is_optional ? "" : " NOT NULL");
  }
  return text;
}

std::string make_parameters(const Table& table) {
  std::string text = "?";
  for (std::size_t i = 1; i < table.columns.size(); ++i) text += ", ?";
  return text;
}

}  // namespace

void SqliteDatabase::Close::operator()(sqlite3* connection) const { sqlite3_close(connection); }

Result<SqliteDatabase> SqliteDatabase::open(const std::string& path) {
  sqlite3* connection = nullptr;
  const int status =
      sqlite3_open_v2(path.c_str(), &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  if (connection == nullptr) throw std::bad_alloc();
  SqliteDatabase database(connection);
  if (status != SQLITE_OK) return make_sqlite_error(connection);
  // The file gets its name only when it is complete, so it needs no journal.
  auto done = database.run(
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
      "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384;"
      "PRAGMA application_id = 1751475051; PRAGMA user_version = 1; BEGIN");  // the bytes `heck`
  if (!done) return std::unexpected(done.error());
  return database;
}

Result<void> SqliteDatabase::run(const std::string& sql) {
  if (sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return make_sqlite_error(connection_.get());
}

Result<std::unique_ptr<TableWriter>> SqliteDatabase::create(const Table& table) {
  auto done = run(fmt::format("CREATE TABLE \"{}\" ({}) STRICT", table.name, describe_columns(table)));
  if (!done) return std::unexpected(done.error());
  const std::string sql = fmt::format("INSERT INTO \"{}\" VALUES ({})", table.name, make_parameters(table));
  sqlite3_stmt* insert = nullptr;
  if (sqlite3_prepare_v2(connection_.get(), sql.c_str(), -1, &insert, nullptr) != SQLITE_OK)
    return make_sqlite_error(connection_.get());
  tables_.push_back(table.name);
  return std::make_unique<SqliteWriter>(connection_.get(), insert);
}

Result<void> SqliteDatabase::finish() {
  const auto exists = [this](std::string_view table) {
    return std::ranges::find(tables_, table) != tables_.end();
  };
  for (const SqliteStatement& statement : all_indices_and_views()) {
    if (!std::ranges::all_of(statement.tables, exists)) continue;
    if (auto done = run(statement.sql); !done) return done;
  }
  return run("COMMIT");
}

}  // namespace heapcheck::exports::tables
