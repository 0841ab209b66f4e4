// Tells heap dumps from the other files in a folder, which `validate` leaves out.
#pragma once

#include <string>

#include "cli/system/find_files.hpp"

namespace heapcheck::cli {

/// Whether a file that cannot be read as a dump is left out: it was found in a folder, and is empty or of
/// unknown format. A file with the extension of a dump, which may be followed by that of a compressed file, is
/// checked, because it is presumably damaged. If there is a consumer, only the extensions of formats that it
/// reads count.
[[nodiscard]] bool is_other_file(const InputFile& file, bool is_of_unknown_format,
                                 const std::string& consumer);

}  // namespace heapcheck::cli
