// How the program was built, for `heapcheck --version --verbose`.
#pragma once

#include <string>

namespace heapcheck::cli {

/// A line for each fact: the revision if it is known, the compiler, the libraries, and the formats.
std::string describe_build();

}  // namespace heapcheck::cli
