// A case as other programs see it: a file, and what must be said of it. Made of the case's own
// words, so nothing here depends on what the validator finds.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/recipe/document.hpp"
#include "heapcheck/finding.hpp"

namespace heapcheck::conformance {

/// A finding that a validator must have.
struct RecordedFinding {
  const Rule* rule = nullptr;
  std::uint64_t offset = 0;                     ///< in the file
  std::optional<std::uint64_t> content_offset;  ///< in the decompressed content, where it lies in some
  std::string path;                             ///< empty where the case leaves it open
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
  std::string spec;  ///< paragraph below spec/
  std::string verdict;
  std::vector<RecordedFinding> findings;
  std::string for_reader;         ///< whose needs are checked too; empty for nobody's
  std::vector<CaseLimit> limits;  ///< caps that the case sets
  std::string compression;        ///< `gzip` or `zstd` around the whole file; else empty
  Bytes bytes;

  /// Whether it asks for more than a look at the file: for one reader's needs, for caps, or to undo a
  /// compression.
  [[nodiscard]] bool has_options() const {
    return !for_reader.empty() || !limits.empty() || !compression.empty();
  }
};

/// The case at `path`, a file below `folder`; else one sentence on why it has no record.
std::expected<CaseRecord, std::string> make_record(const std::filesystem::path& folder,
                                                   const std::filesystem::path& path);

/// The records of all `paths`, in their order; else why one of them has none, with its name.
std::expected<std::vector<CaseRecord>, std::string> make_records(
    const std::filesystem::path& folder, const std::vector<std::filesystem::path>& paths);

}  // namespace heapcheck::conformance
