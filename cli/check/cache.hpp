// A folder of reports on files that were checked before, with which runs over many files can be resumed or
// repeated. It contains one text file for each checked file and set of options.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/check/check_files.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// May be used by several threads and processes at once.
class Cache {
 public:
  /// Creates the folder if there is none. Errors: unwritable.
  [[nodiscard]] static Result<Cache> open(const std::string& folder);

  /// Everything that a report depends on.
  struct Key {
    std::string name;  ///< of the file in the folder: depends on the path of the checked file and on options
    std::string
        text;  ///< all of it: also the program, and the size, inode, times and some blocks of the file
  };
  /// Nothing if the file cannot be recognised later: standard input, a pipe, an empty file, or one that was
  /// changed just now, which could change again without a different time.
  [[nodiscard]] std::optional<Key> find_key(const std::string& path, const ValidateOptions& options,
                                            bool finds_lines) const;

  /// The kept report with this key. Its findings have the rules that a check with `options` would give them.
  [[nodiscard]] std::optional<CheckedFile> find(const Key& key, const InputFile& target,
                                                const ValidateOptions& options) const;
  /// Keeps a report, unless it reached a limit, the file could not be read, or the report cannot be written.
  void keep(const Key& key, const CheckedFile& file) const;

  /// Whether a path leads into the folder.
  [[nodiscard]] bool contains(const std::string& path) const;
  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  explicit Cache(std::string folder);

  std::string folder_;   // absolute
  std::string program_;  // identifies this build
};

// Reports as text: one line for each part, with fields between tabs.

/// `key` is the first line.
[[nodiscard]] std::string store_report(std::string_view key, const CheckedFile& file);

/// The report that store_report() wrote with this key; nothing if the text is something else or is
/// incomplete. Findings have the rules that `reader` has for them.
[[nodiscard]] std::optional<CheckedFile> restore_report(std::string_view text, std::string_view key,
                                                        const InputFile& target, std::string_view reader);

}  // namespace heapcheck::cli
