// A case as other programs see it: a file and the expected findings. It is made only from the text of the
// case, so nothing here depends on the validator's findings.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/recipe/document.hpp"
#include "heapcheck/types/finding.hpp"

namespace heapcheck::conformance {

/// A finding that a validator must report.
struct RecordedFinding {
  const Rule* rule = nullptr;
  std::uint64_t offset = 0;  ///< the offset in the file
  /// The offset in the decompressed content, if the place is in compressed content.
  std::optional<std::uint64_t> content_offset;
  std::string path;  ///< empty if the case does not state it
};

struct CaseLimit {
  std::string name;
  std::uint64_t value = 0;
};

struct CaseRecord {
  std::string name;  ///< `mvmheap/v3/toc/count`
  std::string file;  ///< `mvmheap/v3/toc/count.mvmheap`
  std::string slug;  ///< `mvmheap/v3`
  std::string title;
  std::string why;
  std::string spec;  ///< the paragraph in spec/
  std::string verdict;
  std::vector<RecordedFinding> findings;
  std::string for_reader;         ///< the reader whose requirements are also checked; empty if there is none
  std::vector<CaseLimit> limits;  ///< limits that the case sets
  std::string compression;        ///< `gzip` or `zstd` around the whole file, or empty
  Bytes bytes;

  /// Whether the file alone is not enough because the case needs a reader, limits or decompression.
  [[nodiscard]] bool has_options() const {
    return !for_reader.empty() || !limits.empty() || !compression.empty();
  }
};

/// The record of the case at `path`, a file below `folder`, or one sentence that explains why there is none.
std::expected<CaseRecord, std::string> make_record(const std::filesystem::path& folder,
                                                   const std::filesystem::path& path);

/// The records of all `paths`, in the same order, or the first path that has no record and the reason.
std::expected<std::vector<CaseRecord>, std::string> make_records(
    const std::filesystem::path& folder, const std::vector<std::filesystem::path>& paths);

}  // namespace heapcheck::conformance
