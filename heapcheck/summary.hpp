// What is inside a file: format, blocks with offset and size, snapshots, totals. What `heapcheck info` shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heapcheck/dump.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck {

struct SummaryOptions {
  std::optional<std::uint64_t> snapshot = {};  ///< only the one of that index
};

/// What a file holds, as far as it could be read.
struct Summary {
  std::string text;          ///< for people: lines, each with its line feed
  std::string json;          ///< for programs: one JSON document
  std::uint64_t errors = 0;  ///< found while reading; validate() says which
  std::uint64_t limits = 0;  ///< reached while reading
};

/// `name` is what the file is called in the summary. Errors: unreadable, also where the file has no such
/// snapshot.
[[nodiscard]] HEAPCHECK_API Result<Summary> summarise(const Dump& dump, const std::string& name,
                                                      const SummaryOptions& options = {});

}  // namespace heapcheck
