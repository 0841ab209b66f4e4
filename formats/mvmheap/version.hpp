// What differs by version of a MoarVM dump, as one record a version: how a file is recognised, read and
// written. Each version defines its own (`<version>/version.hpp`); the table of formats lists them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "formats/core/bytes.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/output_file.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/dump.hpp"
#include "formats/mvmheap/found_snapshot.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::mvmheap {

/// What files of one version and layout can hold beside tables and graphs.
struct Capacity {
  bool holds_metas = false;         ///< file and snapshot metadata, highscores
  bool holds_table_growth = false;  ///< how long the tables were at each snapshot
  bool holds_closing_rows = false;  ///< rows that no snapshot knew
  /// Whether a name comes back as it was; null where every name does.
  bool (*holds_name)(std::string_view) = nullptr;
};

struct WriteOptions {
  int level = 9;  ///< of zstd, where the version has zstd frames
};

/// A layout in which a version is written.
struct WrittenLayout {
  std::string_view suffix;  ///< of the target's name, such as `:increments`; empty for the usual layout
  Capacity capacity;
  std::unique_ptr<DumpWriter> (*make_writer)(core::ByteSink& out, const FileMeta& meta,
                                             const WriteOptions& options);
};

struct Version {
  /// Whether a file that begins with these bytes is of this version.
  bool (*recognises)(core::ByteSpan first_bytes);
  /// `window` stands at the magic. The reader borrows window and sink.
  std::unique_ptr<DumpReader> (*make_reader)(core::Window& window, const Limits& limits,
                                             core::FindingSink& sink);
  /// Goes to a snapshot by the file's own index; null where the version has none. The source holds the
  /// uncompressed file. Empty where scanning has to find it instead.
  std::optional<FoundSnapshot> (*find_snapshot)(core::SeekableSource& source, const Limits& limits,
                                                std::uint64_t index) = nullptr;
  std::span<const WrittenLayout> layouts;  ///< the usual one first
};

}  // namespace heapcheck::mvmheap
