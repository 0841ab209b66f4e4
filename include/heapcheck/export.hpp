// Writes what is in a heap dump in the forms that other tools read.
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

/// The name that `--to` takes, such as `collapsed`.
[[nodiscard]] HEAPCHECK_API std::string_view name_of(ExportForm form);
/// What the form is, for the manual page: sentences with `literals`, after the name, which is not part of
/// them.
[[nodiscard]] HEAPCHECK_API std::string_view manual_of(ExportForm form);
/// The form with that name; nothing if there is none.
[[nodiscard]] HEAPCHECK_API std::optional<ExportForm> find_export_form(std::string_view name);
/// All forms, in the order of the table.
[[nodiscard]] HEAPCHECK_API std::vector<ExportForm> all_export_forms();
/// Whether the form has tables: then one of them, or a part of their rows, can be chosen.
[[nodiscard]] HEAPCHECK_API bool has_tables(ExportForm form);
/// The names of all tables, of graphs and of allocations by call stack.
[[nodiscard]] HEAPCHECK_API std::vector<std::string_view> all_export_tables();
/// Whether the form is text, which may be shown on a terminal.
[[nodiscard]] HEAPCHECK_API bool is_text(ExportForm form);

/// The options for an export.
struct ExportOptions {
  std::optional<std::uint64_t> snapshot = {};  ///< its index; without it, Dump::last_snapshot()
  bool has_all_snapshots = false;              ///< whether all snapshots are exported, instead of one
  bool is_forced = false;                      ///< whether snapshots that are not whole are left out
  std::string table = {};        ///< for a form with tables: the only one to write; without it, all of them
  std::uint64_t part = 1;        ///< for a form with tables: the part of the rows of each table, from 1
  std::uint64_t part_count = 1;  ///< the number of consecutive parts of equal size
};

/// The result of an export.
struct Export {
  std::vector<std::string> files;  ///< the paths of the files that were written
  std::vector<Amount> amounts;     ///< what all of them contain
  std::vector<Loss> losses;        ///< what the form cannot hold
  std::vector<std::string> notes;  ///< sentences about what the files do not say; may change in any version
};

/// Writes one snapshot of `dump`, or all of them, to `output` (`-` is standard output). A form that holds one
/// snapshot in a file gets numbered files for all snapshots: `heap-0.txt`, `heap-1.txt` for `heap.txt`. A
/// form that holds one table in a file gets a file for each table: `heap-nodes.csv` for `heap.csv`; each has
/// the rows of all snapshots. Each file gets its name once it is complete. Errors: unsupported, if the form
/// cannot show what the dump contains, or there is no such snapshot, table or part; unreadable; unwritable,
/// including if the output is the input; limit.
[[nodiscard]] HEAPCHECK_API Result<Export> export_dump(const Dump& dump, const std::string& output,
                                                       ExportForm form, const ExportOptions& options = {});

}  // namespace heapcheck
