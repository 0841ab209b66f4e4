// What was read of a dump of any format, passed on to whoever needs it next, so that it is not read again.
#pragma once

#include <optional>
#include <variant>

#include "formats/mvmheap/kept_dump.hpp"
#include "formats/read_trace.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::formats {

/// Empty if it did not fit or was not wanted.
using Model = std::variant<std::monostate, mvmheap::KeptDump, Trace, v8::heapprofile::Reading,
                           v8::heapsnapshot::Snapshot>;

struct Content {
  Model model;
  /// Why this is not all of the file's content, apart from damage: a limit, or an error of its source.
  std::optional<Error> obstacle;
};

}  // namespace heapcheck::formats
