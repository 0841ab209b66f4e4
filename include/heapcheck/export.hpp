// Exports the content of a heap dump in forms that other tools can read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/dump.hpp"
#include "heapcheck/types/api.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck {

/// The name of the form, as used with `--to`, such as `collapsed`.
[[nodiscard]] HEAPCHECK_API std::string_view name_of(ExportForm form);
/// The description of the form for the manual page: sentences in which `literals` are marked. They follow the
/// name of the form, which they do not include.
[[nodiscard]] HEAPCHECK_API std::string_view manual_of(ExportForm form);
/// The form with that name, or nothing if there is none.
[[nodiscard]] HEAPCHECK_API std::optional<ExportForm> find_export_form(std::string_view name);
/// All forms, in the order of the table of forms.
[[nodiscard]] HEAPCHECK_API std::vector<ExportForm> all_export_forms();
/// Whether the form has tables. If it does, a single table or only part of the rows can be selected.
[[nodiscard]] HEAPCHECK_API bool has_tables(ExportForm form);
/// The names of all tables, including both those for graphs and those for allocations by call stack.
[[nodiscard]] HEAPCHECK_API std::vector<std::string_view> all_export_tables();
/// Whether the form is text that can be shown on a terminal.
[[nodiscard]] HEAPCHECK_API bool is_text(ExportForm form);

/// The options for an export.
struct ExportOptions {
  std::optional<std::uint64_t> snapshot = {};  ///< its index; the default is Dump::last_snapshot()
  bool has_all_snapshots = false;              ///< whether to export all snapshots instead of one
  bool is_forced = false;                      ///< whether to leave out incomplete snapshots
  /// In a trace: the id of a process, or a type of process such as `renderer`, in upper or lower case. Only
  /// the dumps of matching processes are exported.
  std::optional<std::string> process = {};
  std::string table = {};        ///< for a form with tables: the only table to write; all by default
  std::uint64_t part = 1;        ///< for a form with tables: the part of each table's rows to write, from 1
  std::uint64_t part_count = 1;  ///< the number of equal, consecutive parts
};

/// The result of an export.
struct Export {
  std::vector<std::string> files;  ///< the paths of the files that were written
  std::vector<Amount> amounts;     ///< the total contents of all files
  std::vector<Loss> losses;        ///< items that the form cannot represent
  std::vector<std::string> notes;  ///< sentences about missing information; may change in any version
};

/// Writes one snapshot of `dump`, or all of them, to `output` (`-` means standard output). If a file in this
/// form can contain only one snapshot, all snapshots are written to numbered files, such as `heap-0.txt` and
/// `heap-1.txt` for `heap.txt`. If it can contain only one table, each table is written to its own file, such
/// as `heap-nodes.csv` for `heap.csv`, with the rows of all snapshots. Each file is given its name once it is
/// complete. Errors: unsupported if the form cannot represent the content of the dump, or if there is no such
/// snapshot, table or part; unreadable; unwritable, including when the output is the input; limit.
[[nodiscard]] HEAPCHECK_API Result<Export> export_dump(const Dump& dump, const std::string& output,
                                                       ExportForm form, const ExportOptions& options = {});

}  // namespace heapcheck
