// The content of a dump in any format, which is passed on so that the dump does not have to be read again,
// and a function that reads this content.
#pragma once

#include <optional>
#include <variant>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/kept_dump.hpp"
#include "formats/read_trace.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::formats {

/// The model of a dump; empty if it did not fit in memory or was not wanted.
using Model = std::variant<std::monostate, mvmheap::KeptDump, Trace, v8::heapprofile::Reading,
                           v8::heapsnapshot::Snapshot>;

struct Content {
  Model model;
  /// Why this is not the complete content of the file, if the reason is not damage but a limit or an error of
  /// the source.
  std::optional<Error> obstacle;
  /// Whether the compression around the file is damaged, in which case any part of the content may be wrong.
  bool is_corrupt = false;
};

/// Reads the complete content of `window`, which is at the first byte of a file in that format, for callers
/// that need the content for something other than a check. Returns no model for a MoarVM dump, which is read
/// part by part (open.hpp). All findings go to the sink.
Content read_content(Format format, core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::formats
