// What was read of a dump of any format: handed on to whoever asks next, so that it is not read again.
#pragma once

#include <optional>
#include <variant>

#include "formats/mvmheap/kept_dump.hpp"
#include "formats/read_trace.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::formats {

/// Nothing where it did not fit or was not wanted.
using Model = std::variant<std::monostate, mvmheap::KeptDump, Trace, v8::heapprofile::Reading,
                           v8::heapsnapshot::Snapshot>;

struct Content {
  Model model;
  /// Why it is not all that the file holds, other than that the file is damaged: a limit, or an error of its
  /// source.
  std::optional<Error> obstacle;
};

}  // namespace heapcheck::formats
