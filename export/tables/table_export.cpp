#include "export/tables/table_export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <system_error>
#include <utility>

#include "export/tables/tables.hpp"

namespace heapcheck::exports::tables {
namespace {

/// The tables of a dump of that family.
std::vector<Table> list_tables(Family family) {
  std::vector<Table> tables;
  if (has_stacks(family)) {
    for (const auto& [table, write] : all_stack_tables()) tables.push_back(table);
  } else {
    for (const auto& [table, write] : all_graph_tables()) {
      // Of the formats with graphs, only V8's can state which stacks allocated the nodes.
      if (table.name != "stacks" || family == Family::v8_heapsnapshot) tables.push_back(table);
    }
  }
  return tables;
}

/// The table with that name, or all tables if the name is empty.
Result<std::vector<Table>> choose_tables(Family family, const std::string& name) {
  std::vector<Table> tables = list_tables(family);
  if (name.empty()) return tables;
  const auto found = std::ranges::find(tables, name, &Table::name);
  if (found != tables.end()) return std::vector{*found};
  return std::unexpected(Error{ErrorKind::unsupported,
                               fmt::format("has no table {}, only {}", name,
                                           fmt::join(tables | std::views::transform(&Table::name), ", "))});
}

/// The file of one of several tables: `nodes.csv` in a folder, `heap-nodes.csv` for both `heap` and
/// `heap.csv`.
std::string name_file(const std::string& output, std::string_view table, const Form& form) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (output.ends_with('/') || fs::is_directory(output, code))
    return (fs::path(output) / fmt::format("{}.{}", table, form.name)).string();
  const std::string name = name_part(output, table);
  return fs::path(output).has_extension() ? name : fmt::format("{}.{}", name, form.name);
}

}  // namespace

std::vector<std::string_view> all_table_names() {
  std::vector<std::string_view> names;
  for (const Family family : {Family::v8_heapsnapshot, Family::trace}) {
    for (const Table& table : list_tables(family)) {
      if (std::ranges::find(names, table.name) == names.end()) names.push_back(table.name);
    }
  }
  return names;
}

Result<TableExport> TableExport::open(const Form& form, TableRequest request) {
  const Part& part = request.part;
  if (part.number == 0 || part.number > part.of)
    return std::unexpected(Error{
        ErrorKind::unsupported,
        fmt::format("found part {} of {}, expected part I of N with I from 1 to N", part.number, part.of)});
  const auto tables = choose_tables(request.family, request.table);
  if (!tables) return std::unexpected(tables.error());
  TableExport made(form, std::move(request));
  auto opened = form.is_database ? made.open_database(*tables) : made.open_files(*tables);
  if (!opened) return std::unexpected(opened.error());
  return made;
}

Result<core::OutputFile*> TableExport::create_file(const std::string& path) {
  auto file = request_.create(path);
  if (!file) return std::unexpected(file.error());
  paths_.push_back(path);
  return files_.emplace_back(std::make_unique<core::OutputFile>(std::move(*file))).get();
}

Result<void> TableExport::open_files(const std::vector<Table>& tables) {
  const std::string& output = request_.output;
  const bool is_one = !request_.table.empty();
  if (output == "-" && !is_one)
    return std::unexpected(
        Error{ErrorKind::unwritable, "holds only one table; choose it with --table, or use -o FILE"});
  for (const Table& table : tables) outputs_.push_back({.table = table, .writer = nullptr});
  for (Output& to : outputs_) {
    const auto file = create_file(is_one ? output : name_file(output, to.table.name, *form_));
    if (!file) return std::unexpected(name_table_if_several(to, file.error()));
    to.writer = form_->open_table(to.table, **file);
  }
  return {};
}

Result<void> TableExport::open_database(const std::vector<Table>& tables) {
  const auto file = create_file(request_.output);
  if (!file) return std::unexpected(file.error());
  if ((*file)->temporary_path().empty())
    return std::unexpected(Error{ErrorKind::unwritable, "is not a regular file, which a database needs"});
  auto database = SqliteDatabase::open((*file)->temporary_path());
  if (!database) return std::unexpected(database.error());
  database_ = std::make_unique<SqliteDatabase>(std::move(*database));
  for (const Table& table : tables) {
    auto writer = database_->create(table);
    if (!writer) return std::unexpected(writer.error());
    outputs_.push_back({.table = table, .writer = std::move(*writer)});
  }
  return {};
}

Error TableExport::name_table_if_several(const Output& output, const Error& error) const {
  if (database_ || outputs_.size() == 1 || error.kind != ErrorKind::unwritable) return error;
  return {error.kind, fmt::format("the file of the table {} {}", output.table.name, error.message)};
}

Result<void> TableExport::write(Output& output, const auto& table, const auto& input) {
  RowBuffer rows(output.table, *output.writer);
  const auto counts = table.write(input, request_.part, rows);
  if (!counts) return std::unexpected(name_table_if_several(output, counts.error()));
  output.counts.rows += counts->rows;
  output.counts.repaired += counts->repaired;
  output.counts.limited += counts->limited;
  return {};
}

Result<void> TableExport::add_to(const auto& tables, const auto& input) {
  for (Output& output : outputs_) {
    const auto found =
        std::ranges::find(tables, output.table.name, [](const auto& row) { return row.table.name; });
    if (auto done = write(output, *found, input); !done) return done;
  }
  return {};
}

Result<void> TableExport::add(const GraphInput& input) { return add_to(all_graph_tables(), input); }
Result<void> TableExport::add(const StacksInput& input) { return add_to(all_stack_tables(), input); }

Result<Written> TableExport::finish() {
  for (const Output& output : outputs_) {
    if (auto done = output.writer->finish(); !done)
      return std::unexpected(name_table_if_several(output, done.error()));
  }
  Written described = describe();
  outputs_.clear();  // cleared before the database, which they borrow
  if (database_) {
    if (auto done = database_->finish(); !done) return std::unexpected(done.error());
    database_.reset();
  }
  for (const auto& file : files_) {
    if (auto done = file->commit(); !done) return std::unexpected(done.error());
  }
  return described;
}

Written TableExport::describe() const {
  Written described;
  std::uint64_t repaired = 0;
  std::uint64_t limited = 0;
  for (const Output& output : outputs_) {
    described.amounts.push_back({std::string(output.table.name), output.counts.rows});
    repaired += output.counts.repaired;
    limited += output.counts.limited;
  }
  if (repaired != 0)
    described.losses.push_back({"strings", repaired, "bytes that are not UTF-8 became U+FFFD"});
  if (limited != 0) described.losses.push_back({"numbers", limited, "limited to 2^63 - 1"});
  return described;
}

}  // namespace heapcheck::exports::tables
