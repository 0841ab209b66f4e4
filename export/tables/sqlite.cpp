#include "export/tables/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <initializer_list>
#include <new>
#include <string_view>
#include <utility>

#include "export/tables/sqlite_rows.hpp"

namespace heapcheck::exports::tables {

namespace {

/// A statement that can be run if the database has all of these tables.
struct SqliteStatement {
  std::initializer_list<std::string_view> tables;
  const char* sql;
};

/// The indices and views.
const SqliteStatement statements[] = {
    {{"nodes"}, "CREATE UNIQUE INDEX nodes_by_number ON nodes (node, snapshot)"},
    {{"nodes"}, "CREATE INDEX nodes_by_dominator ON nodes (dominator)"},
    {{"nodes"}, "CREATE INDEX nodes_by_stack ON nodes (stack) WHERE stack IS NOT NULL"},
    {{"edges"}, "CREATE INDEX edges_by_source ON edges (source)"},
    {{"edges"}, "CREATE INDEX edges_by_target ON edges (target)"},
    {{"stacks"}, "CREATE UNIQUE INDEX stacks_by_number ON stacks (stack, snapshot)"},
    {{"stacks"}, "CREATE INDEX stacks_by_caller ON stacks (caller)"},
    {{"allocations"}, "CREATE INDEX allocations_by_stack ON allocations (stack)"},

    {{"nodes"},
     "CREATE VIEW kinds AS "
     "SELECT snapshot, kind, count(*) AS count, sum(size) AS size FROM nodes GROUP BY snapshot, kind"},
    {{"nodes"}, "CREATE VIEW unreachable_nodes AS SELECT * FROM nodes WHERE distance IS NULL"},
    {{"nodes"},
     "CREATE VIEW dominated_types AS "
     "SELECT nodes.snapshot, holder.type AS dominator_type, nodes.type, count(*) AS count, "
     "sum(nodes.size) AS size, sum(nodes.retained) AS retained "
     "FROM nodes JOIN nodes AS holder ON holder.snapshot = nodes.snapshot AND holder.node = nodes.dominator "
     "GROUP BY nodes.snapshot, holder.type, nodes.type"},
    {{"nodes", "edges"},
     "CREATE VIEW named_edges AS "
     "SELECT edges.snapshot, source, source_node.kind AS source_kind, source_node.type AS source_type, "
     "edges.kind, coalesce(edges.name, '[' || edges.number || ']') AS label, "
     "target, target_node.kind AS target_kind, target_node.type AS target_type "
     "FROM edges "
     "JOIN nodes AS source_node ON source_node.snapshot = edges.snapshot AND source_node.node = source "
     "JOIN nodes AS target_node ON target_node.snapshot = edges.snapshot AND target_node.node = target"},
    {{"strings"},
     "CREATE VIEW duplicate_strings AS "
     "SELECT snapshot, text, count, size, size - size / count AS wasted FROM strings WHERE count > 1 AND "
     "size > 0"},
    // A type that is in only one of two snapshots has a count of 0 in the other.
    {{"snapshots", "types"},
     "CREATE VIEW type_growth AS "
     "WITH steps AS (SELECT snapshot, lag(snapshot) OVER (ORDER BY snapshot) AS before FROM snapshots), "
     "names AS (SELECT DISTINCT \"group\", name FROM types), "
     "sums AS (SELECT steps.snapshot, before, names.\"group\", names.name, "
     "coalesce(new.count, 0) AS count, coalesce(new.size, 0) AS size, "
     "coalesce(old.count, 0) AS old_count, coalesce(old.size, 0) AS old_size "
     "FROM steps CROSS JOIN names "
     "LEFT JOIN types AS new ON new.snapshot = steps.snapshot "
     "AND new.\"group\" = names.\"group\" AND new.name = names.name "
     "LEFT JOIN types AS old ON old.snapshot = before "
     "AND old.\"group\" = names.\"group\" AND old.name = names.name "
     "WHERE new.name IS NOT NULL OR old.name IS NOT NULL) "
     "SELECT snapshot, \"group\", name, count, size, "
     "iif(before IS NULL, NULL, count - old_count) AS count_change, "
     "iif(before IS NULL, NULL, size - old_size) AS size_change FROM sums"},
    {{"stacks"},
     "CREATE VIEW frames AS "
     "SELECT snapshot, frame, count(*) AS stacks, sum(size) AS size FROM stacks GROUP BY snapshot, frame"},
    {{"stacks"},
     "CREATE VIEW stack_texts AS "
     "WITH RECURSIVE text_of (snapshot, stack, text) AS ("
     "SELECT snapshot, stack, frame FROM stacks WHERE caller IS NULL "
     "UNION ALL SELECT stacks.snapshot, stacks.stack, text_of.text || ';' || frame "
     "FROM text_of JOIN stacks ON stacks.snapshot = text_of.snapshot AND stacks.caller = text_of.stack) "
     "SELECT * FROM text_of"},
    {{"allocations"},
     "CREATE VIEW allocated_types AS "
     "SELECT snapshot, type, sum(size) AS size, sum(count) AS count FROM allocations "
     "GROUP BY snapshot, type"},
};

constexpr int application_id = 0x6865636b;  // the bytes `heck`
constexpr int cache_kib = 16 * 1024;

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
  SqliteWriter(sqlite3* connection, const Table& table) : connection_(connection), source_{.table = &table} {}

  /// Call this once before rows are added.
  Result<void> prepare() {
    const std::string name = fmt::format("rows_of_{}", source_.table->name);
    const std::string sql = fmt::format("INSERT INTO \"{}\" SELECT * FROM \"{}\"", source_.table->name, name);
    sqlite3_stmt* insert = nullptr;
    if (add_row_source(connection_, name, source_) != SQLITE_OK ||
        sqlite3_prepare_v2(connection_, sql.c_str(), -1, &insert, nullptr) != SQLITE_OK)
      return make_sqlite_error(connection_);
    insert_.reset(insert);
    return {};
  }
  Result<void> add(const Rows& rows) override {
    source_.rows = &rows;
    if (sqlite3_step(insert_.get()) != SQLITE_DONE) return make_sqlite_error(connection_);
    sqlite3_reset(insert_.get());
    return {};
  }
  Result<void> finish() override { return {}; }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  sqlite3* connection_;
  RowSource source_;
  std::unique_ptr<sqlite3_stmt, Finalize> insert_;
};

}  // namespace

void SqliteDatabase::Close::operator()(sqlite3* connection) const { sqlite3_close(connection); }

Result<SqliteDatabase> SqliteDatabase::open(const std::string& path) {
  sqlite3* connection = nullptr;
  const int status =
      sqlite3_open_v2(path.c_str(), &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  if (connection == nullptr) throw std::bad_alloc();
  SqliteDatabase database(connection);
  if (status != SQLITE_OK) return make_sqlite_error(connection);
  // The file is not given its name until it is complete, so it does not need a journal.
  auto done = database.run(
      fmt::format("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
                  "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -{};"
                  "PRAGMA application_id = {}; PRAGMA user_version = 1; BEGIN",
                  cache_kib, application_id));
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
  auto writer = std::make_unique<SqliteWriter>(connection_.get(), table);
  if (auto prepared = writer->prepare(); !prepared) return std::unexpected(prepared.error());
  tables_.push_back(table.name);
  return writer;
}

/// SQLite sorts the rows of an index faster if it is allowed to use files. It does not use any if the rows
/// fit in its cache.
Result<void> SqliteDatabase::prepare_sorting() {
  constexpr sqlite3_int64 row_bytes = 40;
  constexpr sqlite3_int64 most_bytes = 256 << 20;
  const sqlite3_int64 needed = sqlite3_total_changes64(connection_.get()) * row_bytes;
  if (needed > most_bytes) return {};
  return run(fmt::format("PRAGMA temp_store = FILE; PRAGMA cache_size = -{}",
                         std::max<sqlite3_int64>(cache_kib, needed / 1024)));
}

Result<void> SqliteDatabase::finish() {
  if (auto done = prepare_sorting(); !done) return done;
  const auto exists = [this](std::string_view table) {
    return std::ranges::find(tables_, table) != tables_.end();
  };
  for (const SqliteStatement& statement : statements) {
    if (!std::ranges::all_of(statement.tables, exists)) continue;
    if (auto done = run(statement.sql); !done) return done;
  }
  return run("COMMIT");
}

}  // namespace heapcheck::exports::tables
