// Makes the lists of the manual page, cli/heapcheck.1, from the table of commands.
#pragma once

#include <string>

namespace heapcheck::tests {

/// The sections COMMANDS and OPTIONS, in roff.
std::string make_manual_lists();

}  // namespace heapcheck::tests
