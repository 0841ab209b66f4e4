// A folder of reports on files that were checked before, so that runs over many files can be resumed or
// repeated. It contains one text file for each combination of a checked file and a set of options.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/check/check_files.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// Safe for use by several threads and processes at once.
class Cache {
 public:
  /// Creates the folder if there is none. Errors: unwritable.
  [[nodiscard]] static Result<Cache> open(const std::string& folder);

  /// Everything that a report depends on.
  struct Key {
    std::string name;  ///< its file name in the folder, which depends on the path of the checked file and on
                       ///< the options
    std::string text;  ///< the whole key, which also covers the program and the file's size, inode, times and
                       ///< some of its blocks
  };
  /// The key of a file. Returns nothing if the file could not be recognised later. This applies to standard
  /// input, a pipe, an empty file, and a file that was changed just now, which could change again without
  /// getting a different time.
  [[nodiscard]] std::optional<Key> find_key(const std::string& path, const ValidateOptions& options,
                                            bool finds_lines) const;

  /// The kept report with this key. Its findings refer to the rules that a check with `options` would use.
  [[nodiscard]] std::optional<CheckedFile> find(const Key& key, const InputFile& target,
                                                const ValidateOptions& options) const;
  /// Keeps a report, unless a limit was reached, the file could not be read, or the report cannot be written.
  void keep(const Key& key, const CheckedFile& file) const;

  /// Whether a path leads into the folder.
  [[nodiscard]] bool contains(const std::string& path) const;
  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  explicit Cache(std::string folder);

  std::string folder_;   // absolute
  std::string program_;  // identifies this build
};

// Stores reports as text, with one line for each part and tabs between fields.

/// `key` is the first line.
[[nodiscard]] std::string store_report(std::string_view key, const CheckedFile& file);

/// The report that store_report() wrote with this key, or nothing if the text is something else or is
/// incomplete. Its findings refer to the rules that apply for `reader`.
[[nodiscard]] std::optional<CheckedFile> restore_report(std::string_view text, std::string_view key,
                                                        const InputFile& target, std::string_view reader);

}  // namespace heapcheck::cli
