// What a conversion would write, and what it would lose, before anything is written: one plan for all
// formats. Each family makes its own (mvmheap/plan.hpp, chrome/plan.hpp, v8/plan.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "formats/core/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/model.hpp"
#include "heapcheck/format.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::conversion {

/// What is asked for.
struct Request {
  Target target{};
  int level = 9;                           ///< of zstd, where the target compresses
  bool keep_trace = false;                 ///< of traces: keep all other events
  std::optional<std::uint64_t> threshold;  ///< bytes, to chrome-legacy
  std::optional<double> share;             ///< percent, to chrome-legacy
  Limits limits;
};

struct Plan {
  std::vector<Amount> amounts;  ///< what the input holds
  std::vector<Loss> losses;     ///< what the target cannot hold
  std::vector<Loss> asked_for;  ///< what the request leaves out
  /// To be called once, while source and content are there.
  std::function<Result<void>(core::ByteSink& out)> write;
};

/// The plan for a sound dump of that format, which is in `source`, and in `content` as far as it was kept
/// when it was checked. Borrows both, and may use the content up. Errors: unsupported, where the target is
/// not of the format's family, or what is asked for is not for it; those of reading the source; limit.
Result<Plan> make_plan(core::SeekableSource& source, Format format, formats::Content& content,
                       const Request& request);

}  // namespace heapcheck::conversion
