// Determines, before anything is written, what a conversion would write and lose. The plan has the same type
// for all formats; each family makes its own (mvmheap/plan.hpp, chrome/plan.hpp, v8/plan.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/model.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::conversion {

/// The request of the caller.
struct Request {
  Target target{};
  int level = 9;                           ///< of zstd, if the target is compressed
  bool keep_trace = false;                 ///< keep all other events of a trace
  std::optional<std::uint64_t> threshold;  ///< in bytes, only for chrome-legacy
  std::optional<double> share;             ///< in percent, only for chrome-legacy
  Limits limits;
};

struct Plan {
  std::vector<Amount> amounts;  ///< items in the input
  std::vector<Loss> losses;     ///< data that the target cannot hold
  std::vector<Loss> asked_for;  ///< data that the request leaves out
  /// May be called once, while the source and the content exist.
  std::function<Result<void>(core::ByteSink& out)> write;
};

/// Makes the plan for a sound dump of `format`. `source` holds the dump, and `content` holds the parts of it
/// that were kept when it was checked. Borrows both, and may leave `content` empty. Errors: unsupported, if
/// the target is not in the family of the format or does not support the request; those of reading the
/// source; limit.
Result<Plan> make_plan(core::SeekableSource& source, Format format, formats::Content& content,
                       const Request& request);

}  // namespace heapcheck::conversion
