// Checks the texts that choose rules, from the command line or from a configuration file.
#pragma once

#include <string>
#include <string_view>

namespace heapcheck::cli {

/// What is wrong with a list of patterns such as `mvm3.toc.*,json`, with a suggestion; empty if nothing is.
std::string check_rules(std::string_view list);

/// What is wrong with a list of items such as `mvm3.*=warning`; empty if nothing is.
std::string check_severities(std::string_view list);

}  // namespace heapcheck::cli
