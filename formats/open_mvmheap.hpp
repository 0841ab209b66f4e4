// Opens a MoarVM dump of any version. An opened dump owns its reader and what that borrows.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/core/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"
#include "formats/detect.hpp"
#include "formats/mvmheap/dump.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::formats {

struct OpenedDump {
  core::Input input;
  std::unique_ptr<core::Window> window;
  Format format;
  std::unique_ptr<mvmheap::DumpReader> reader;
};

/// Opens the dump that `source` holds, decompressing it if its first bytes say so. The source, the
/// limits and the sink must outlive it. Errors: unreadable, where it is no MoarVM dump.
Result<OpenedDump> open_mvmheap(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::formats
