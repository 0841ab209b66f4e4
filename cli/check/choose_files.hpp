// The files that `validate` checks: those that the user names, in arguments or in a list, without those that
// are excluded or belong to another shard.
#pragma once

#include <cstdint>
#include <string>

#include "cli/system/find_files.hpp"
#include "cli/values.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// One of several equal parts of all files.
struct Shard {
  std::uint64_t number = 1;  ///< counted from 1
  std::uint64_t count = 1;
};

/// `2/8`. Errors: unsupported.
[[nodiscard]] Result<Shard> parse_shard(const std::string& text);

/// The number of the shard to which the file belongs: it depends only on its size and on its first and last
/// 64 KiB. That of a file that cannot be read is 1.
[[nodiscard]] std::uint64_t find_shard(const std::string& path, std::uint64_t shard_count);

/// The files that PATH, --files-from, --exclude and --shard stand for, each of them once. Says if there are
/// none. Errors: unsupported or unreadable, with a whole sentence.
[[nodiscard]] Result<FoundFiles> choose_files(const Values& values);

}  // namespace heapcheck::cli
