// Reports as text, so that they can be kept in a file. One line for each part, with fields between tabs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/check/check_files.hpp"

namespace heapcheck::cli {

/// `key` is the first line.
[[nodiscard]] std::string store_report(std::string_view key, const CheckedFile& file);

/// The report that store_report() wrote with this key; nothing if the text is a different one, or if it is
/// not complete. Findings have the rules that `reader` has for them.
[[nodiscard]] std::optional<CheckedFile> restore_report(std::string_view text, std::string_view key,
                                                        const InputFile& target, std::string_view reader);

}  // namespace heapcheck::cli
