// The only code that opens a file of any format: it removes any compression around the file, recognises its
// format, and returns a window at its first byte. The result owns everything.
#pragma once

#include <memory>
#include <optional>

#include "formats/core/source.hpp"
#include "formats/core/transport/text_mode_source.hpp"
#include "formats/core/window.hpp"
#include "formats/detect.hpp"
#include "formats/mvmheap/found_snapshot.hpp"
#include "formats/mvmheap/kept_dump.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::formats {

struct OpenedInput {
  core::Input input;
  /// Between the input and the window if the file was written in text mode; otherwise null.
  std::unique_ptr<core::TextModeSource> text_mode;
  std::unique_ptr<core::Window> window;
  Detection detection;  ///< always has a format
};

/// Removes any compression, archive or page around a heap dump; see core::unwrap().
Result<core::Input> unwrap(std::unique_ptr<core::ByteSource> raw, const Limits& limits);

/// Opens a file of any format. Errors: unknown_format if the input does not look like a heap dump;
/// unreadable, including when the compression around the file is damaged at its very beginning; limit if a
/// limit prevents the file from being decompressed. If text mode added bytes to the file, the
/// window does not contain them.
Result<OpenedInput> open(std::unique_ptr<core::ByteSource> raw, const Limits& limits);

/// A MoarVM dump and its reader, which borrows `input`.
struct OpenedDump {
  Format format;
  OpenedInput input;  ///< empty if the dump was kept
  std::unique_ptr<mvmheap::DumpReader> reader;

  /// The reason why the input ended early, if its source failed.
  [[nodiscard]] std::optional<Error> error() const {
    return input.window ? input.window->error() : std::nullopt;
  }
};

/// Opens the MoarVM dump, of any version, in `source`. The source and the sink must outlive the result.
/// Errors: the errors of open(); unreadable if the dump belongs to a different family.
Result<OpenedDump> open_mvmheap(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink);

/// A MoarVM dump that is read several times: from the kept dump if there is one, and otherwise from its
/// source. Borrows both.
class RereadableDump {
 public:
  RereadableDump(core::SeekableSource& source, const Limits& limits) : source_(&source), limits_(limits) {}
  /// `kept` is a dump in the given format, or null.
  RereadableDump(core::SeekableSource& source, const Limits& limits, mvmheap::KeptDump* kept, Format format)
      : source_(&source), limits_(limits), kept_(kept), kept_format_(format) {}

  /// Opens the dump for reading, starting with its first part. For a kept dump, no findings are reported.
  /// Errors: the same as for open_mvmheap().
  [[nodiscard]] Result<OpenedDump> open(core::FindingSink& sink) const;
  /// Opens the bytes of the dump, even if it was kept.
  [[nodiscard]] Result<OpenedInput> open_bytes() const;

 private:
  core::SeekableSource* source_;
  Limits limits_;
  mvmheap::KeptDump* kept_ = nullptr;
  Format kept_format_{};
};

/// Reads the snapshot with that index from a MoarVM dump, with the tables of the whole file. Uses the file's
/// own index or, if that fails, reads the file from front to back. The snapshot may be incomplete, because
/// the file may be damaged. Errors: unreadable if the source is not a MoarVM dump; unsupported if it has no
/// such snapshot.
[[nodiscard]] Result<mvmheap::FoundSnapshot> read_snapshot(core::SeekableSource& source, const Limits& limits,
                                                           std::uint64_t index);

/// The error for a snapshot that is not in the file, which has `count` snapshots.
[[nodiscard]] Error make_missing_snapshot(std::uint64_t index, std::uint64_t count);

}  // namespace heapcheck::formats
