// What `heapcheck recover` does for each family of formats: the command checks paths, opens input and
// output, and hands them to the family's function, which writes what is whole and says what that was.
#pragma once

#include <string>

#include "cli/rewrite.hpp"
#include "formats/core/output_file.hpp"
#include "formats/core/source.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::cli {

struct RecoverSettings : RewriteSettings {
  bool placeholder_names = false;
};

/// What came of it, in words for people; lines end in line feeds and begin with two blanks.
struct RecoverOutcome {
  bool has_kept = false;
  bool has_lost = false;  ///< something is not there any more or is not what it was
  std::string nothing;    ///< what none was kept of, as `no snapshot`
  std::string format;     ///< of what was written
  std::string report;     ///< what was kept and what was not, and what was done to it
  std::string dropped;    ///< of that, what was not kept
  std::string losses;     ///< what the format that is written cannot hold
};

/// Each writes what is whole in the file that `source` holds to `out`. Errors: unreadable; limit;
/// unwritable. That options go with the format is for the caller to see to.
Result<RecoverOutcome> recover_mvmheap(core::SeekableSource& source, const RecoverSettings& settings,
                                       core::ByteSink& out);
Result<RecoverOutcome> recover_heapprofile(core::SeekableSource& source, const RecoverSettings& settings,
                                           core::ByteSink& out);
Result<RecoverOutcome> recover_heapsnapshot(core::SeekableSource& source, const RecoverSettings& settings,
                                            core::ByteSink& out);

}  // namespace heapcheck::cli
