// The differences between the versions of MoarVM dumps, with one record per version: how a file is
// recognised, read and written. Each version defines its own record (`<version>/version.hpp`), and the table
// of formats lists them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "formats/core/bytes.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/output/output_file.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/dump.hpp"
#include "formats/mvmheap/found_snapshot.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::mvmheap {

/// The data that files of one version and layout can contain in addition to tables and graphs.
struct Capacity {
  bool holds_metas = false;         ///< whether it can contain file and snapshot metadata, and highscores
  bool holds_table_growth = false;  ///< whether it can contain the lengths of the tables at each snapshot
  bool holds_closing_rows = false;  ///< whether it can contain rows that follow the last snapshot
  bool holds_missing_targets =
      false;  ///< whether it can contain references without targets, as 32-bit builds wrote
  /// Returns whether a name can be written and read back unchanged; null if every name can.
  bool (*holds_name)(std::string_view) = nullptr;
};

struct WriteOptions {
  int level = 9;  ///< the zstd compression level, for versions with zstd frames
};

/// A layout in which a version can be written.
struct WrittenLayout {
  std::string_view suffix;  ///< a part of the target's name, such as `:increments`; empty by default
  Capacity capacity;
  std::unique_ptr<DumpWriter> (*make_writer)(core::ByteSink& out, const FileMeta& meta,
                                             const WriteOptions& options);
};

struct Version {
  /// Whether the format is text, whose readers accept line ends with a carriage return.
  bool is_text = false;
  /// Whether a file that begins with these bytes is a file of this version.
  bool (*recognises)(core::ByteSpan first_bytes);
  /// Makes a reader, which borrows the window and the sink. `window` must be at the magic.
  std::unique_ptr<DumpReader> (*make_reader)(core::Window& window, const Limits& limits,
                                             core::FindingSink& sink);
  /// Finds a snapshot through the file's own index. Null if the version has no index. `source` contains the
  /// uncompressed file. The result is empty if the file has to be scanned for the snapshot instead.
  std::optional<FoundSnapshot> (*find_snapshot)(core::SeekableSource& source, const Limits& limits,
                                                std::uint64_t index) = nullptr;
  std::span<const WrittenLayout> layouts;  ///< the default layout first
};

}  // namespace heapcheck::mvmheap
