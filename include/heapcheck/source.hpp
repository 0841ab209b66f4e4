// Opens a heap dump that the caller reads itself, instead of one in a file or in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heapcheck/dump.hpp"
#include "heapcheck/types/api.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck {

/// An input that the caller reads, such as an object in a store or a file that a user chose in a browser.
struct CallerSource {
  std::uint64_t byte_count = 0;  ///< the size of the whole input
  /// Fills the front of `buffer`, which is not empty, with the bytes that start at `offset`, which is below
  /// `byte_count`. Returns the number of bytes, which is at least 1. The bytes must not change as long as
  /// the dump is used. If ReadOptions::limits allows several threads, any thread may make the call, but only
  /// one at a time. Errors: unreadable, with the reason.
  std::function<Result<std::size_t>(std::uint64_t offset, std::span<std::uint8_t> buffer)> read_at = {};
};

/// Opens an input that the caller reads, as open() does with a file. Errors: also unreadable if `read_at`
/// returns no bytes or more than there is room for.
[[nodiscard]] HEAPCHECK_API Result<Dump> open_source(CallerSource source, const ReadOptions& options = {});

/// The line number of each finding, as find_lines() returns it for a file.
[[nodiscard]] HEAPCHECK_API std::vector<std::uint64_t> find_lines(const Dump& dump, const Report& report);

}  // namespace heapcheck
