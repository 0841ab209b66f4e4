// Recovers dumps in every format. The subfolders contain the code for each format.
#pragma once

#include <optional>
#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/model.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/recovery.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::recovery {

/// A dump that has been validated. If its content was kept, it is consumed; otherwise, it is read again.
struct Input {
  core::SeekableSource& source;
  formats::Content& content;
  const Report& report;
  const Limits& limits;
};

/// The parts of RecoverOptions that concern the output.
struct Request {
  std::optional<Target> target = {};
  bool allow_loss = false;
  bool placeholder_names = false;
  int level = 0;  ///< the zstd level
};

/// The targets to which a damaged dump of `format` can be recovered. Traces keep their format.
[[nodiscard]] std::vector<Target> find_targets(Format format);

/// Writes the intact parts of a dump to `out`. Errors: any error that can occur when a dump of its family is
/// recovered; unwritable.
[[nodiscard]] Result<Recovery> recover(const Input& input, const Request& request, core::ByteSink& out);

}  // namespace heapcheck::recovery
