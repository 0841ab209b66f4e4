#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/about/manual.hpp"
#include "cli/about/roff.hpp"

namespace heapcheck::cli {
namespace {

/// Options that are the same in all of these commands.
struct OptionGroup {
  std::vector<std::string_view> commands;
  std::vector<const Option*> options;
};

bool is_same_option(const Option& a, const Option& b) {
  return a.name == b.name && a.help == b.help && a.manual == b.manual &&
         describe_value(a) == describe_value(b);
}

/// The commands that have exactly this option.
std::vector<std::string_view> owners_of(const Option& option) {
  std::vector<std::string_view> owners;
  for (const Command& command : program().commands) {
    const Option* own = find_option(command.options, option.name);
    if (own != nullptr && is_same_option(*own, option)) owners.push_back(command.name);
  }
  return owners;
}

/// The groups of options. The options that most commands share come first.
std::vector<OptionGroup> make_option_groups() {
  std::vector<OptionGroup> groups;
  for (const Command& command : program().commands) {
    for (const Option& option : command.options) {
      auto owners = owners_of(option);
      if (owners.front() != command.name) continue;
      auto group = std::ranges::find(groups, owners, &OptionGroup::commands);
      if (group == groups.end()) group = groups.insert(groups.end(), {std::move(owners), {}});
      group->options.push_back(&option);
    }
  }
  // Not std::stable_sort: clang warns that the one in gcc 12's library uses a deprecated function.
  std::vector<OptionGroup> sorted;
  for (std::size_t count = program().commands.size(); count > 0; --count) {
    for (const OptionGroup& group : groups) {
      if (group.commands.size() == count) sorted.push_back(group);
    }
  }
  return sorted;
}

}  // namespace

std::string make_manual_lists() {
  std::string text = ".SH COMMANDS\n";
  for (const Command& command : program().commands)
    text += fmt::format(".TP\n{}\n{}\n", bold(command.name), to_roff(command.manual));
  text += ".SH OPTIONS\n.SS All commands\n" + option_to_roff(*find_option(program().options, "help"));
  text += ".SS Without a command\n";
  for (const Option& option : program().options) {
    if (option.name != "help") text += option_to_roff(option);
  }
  for (const OptionGroup& group : make_option_groups()) {
    const auto last = group.commands.end() - 1;
    text += fmt::format(".SS {}{}{}\n", fmt::join(group.commands.begin(), last, ", "),
                        last == group.commands.begin() ? "" : " and ", *last);
    for (const Option* option : group.options) text += option_to_roff(*option);
  }
  return text;
}

}  // namespace heapcheck::cli
