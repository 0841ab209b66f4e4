// The lists of the manual page, cli/heapcheck.1, as the table of commands has them.
#pragma once

#include <string>

namespace heapcheck::tests {

/// The sections COMMANDS and OPTIONS, in roff.
std::string make_manual_lists();

}  // namespace heapcheck::tests
