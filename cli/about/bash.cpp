// The completion for bash: a function for each question about the table of commands, and one that asks them.
#include <fmt/format.h>

#include <iterator>
#include <map>

#include "cli/about/completion.hpp"

namespace heapcheck::cli {
namespace {

/// The patterns of a `case` command, by the commands that they select.
using Cases = std::map<std::string, std::string>;

void add_case(Cases& cases, const std::string& action, const std::string& pattern) {
  std::string& patterns = cases[action];
  if (!patterns.empty()) patterns += " | ";
  patterns += pattern;
}

std::string set_offer(const Offer& offer) {
  if (offer.has_files) return "files=1";
  return offer.words.empty() ? ":" : fmt::format("words={}", quote_single(join_words(offer.words), "'\\''"));
}

/// A function that runs the commands of the case that "$1 $2" fits, and fails if it fits none.
std::string make_case_function(std::string_view comment, std::string_view name, const Cases& cases) {
  std::string text = fmt::format("\n# {}\n{}() {{\n  case \"$1 $2\" in\n", comment, name);
  for (const auto& [action, patterns] : cases)
    fmt::format_to(std::back_inserter(text), "    {}) {} ;;\n", patterns, action);
  return text + "    *) return 1 ;;\n  esac\n}\n";
}

std::string make_value_function() {
  Cases cases;
  for (const Command& command : program().commands) {
    for (const Option& option : command.options) {
      if (option.kind == ValueKind::none) continue;
      const std::string action = set_offer(offer_for(option));
      add_case(cases, action, fmt::format("'{} --{}'", command.name, option.name));
      if (option.short_name != '\0')
        add_case(cases, action, fmt::format("'{} -{}'", command.name, option.short_name));
    }
  }
  return make_case_function("Sets what is offered for the value of option $2 of command $1.",
                            "_heapcheck_value", cases);
}

std::string make_argument_function() {
  Cases cases;
  for (const Command& command : program().commands) {
    const std::vector<Offer> offers = offers_for_arguments(command);
    for (std::size_t i = 0; i < offers.size(); ++i) {
      const bool is_for_rest = has_repeated_argument(command) && i + 1 == offers.size();
      const std::string pattern =
          is_for_rest ? fmt::format("'{} rest'", command.name) : fmt::format("'{} {}'", command.name, i);
      add_case(cases, set_offer(offers[i]), pattern);
    }
  }
  return make_case_function("Sets what is offered for argument $2 of command $1, counted from 0, or `rest`.",
                            "_heapcheck_argument", cases);
}

std::string list_option_words(std::span<const Option> options) {
  std::string text;
  for (const Option& option : options) text.append(text.empty() ? "" : " ").append("--").append(option.name);
  return text;
}

std::string make_options_function() {
  std::string text = "\n# Sets the options of command $1.\n_heapcheck_options() {\n  case $1 in\n";
  for (const Command& command : program().commands) {
    if (command.options.empty()) continue;
    fmt::format_to(std::back_inserter(text), "    {}) words='{} --help' ;;\n", command.name,
                   list_option_words(command.options));
  }
  fmt::format_to(std::back_inserter(text), "    '') words='{}' ;;\n", list_option_words(program().options));
  return text + "    *) words=--help ;;\n  esac\n}\n";
}

std::string make_commands_function() {
  Choices names;
  for (const Command& command : program().commands) names.emplace_back(command.name);
  return fmt::format("\n_heapcheck_commands() {{ words='{}'; }}\n", join_words(names));
}

/// `line` is the words before the cursor. Bash takes `:` and `=` as words, so they are joined again, and what
/// is offered must not have the part up to the last of them.
constexpr std::string_view main_function = R"(
_heapcheck() {
  local words='' files='' word current option='' command='' index=0 breaks typed
  local line=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((${#line[@]})) && [[ $word =~ ^[:=]+$ || ${line[-1]} == *[:=] ]]; then
      line[-1]+=$word
    else
      line+=("$word")
    fi
  done
  current=${line[-1]}
  unset 'line[-1]'

  for word in "${line[@]}"; do
    if [[ -n $option ]]; then
      option=''
    elif [[ -z $command ]]; then
      if [[ $word != -* ]]; then command=$word; fi
    elif [[ $word == -?* ]]; then
      if _heapcheck_value "$command" "$word"; then option=$word; fi
    else
      index=$((index + 1))
    fi
  done

  words='' files='' typed=$current
  if [[ -n $option ]]; then
    _heapcheck_value "$command" "$option"
  elif [[ -n $command && $current == --*=* ]]; then
    typed=${current#*=}
    _heapcheck_value "$command" "${current%%=*}"
  elif [[ $current == -* ]]; then
    _heapcheck_options "$command"
  elif [[ -z $command ]]; then
    _heapcheck_commands
  else
    _heapcheck_argument "$command" "$index" || _heapcheck_argument "$command" rest
  fi

  COMPREPLY=()
  if [[ -n $files ]]; then
    compopt -o default
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$typed")
  breaks=${COMP_WORDBREAKS//[^:=]/}
  if [[ -n $breaks && $typed == *["$breaks"]* ]]; then
    word=${typed%"${typed##*["$breaks"]}"}
    COMPREPLY=("${COMPREPLY[@]#"$word"}")
  fi
}

complete -F _heapcheck heapcheck
)";

}  // namespace

std::string make_bash_completion() {
  std::string text =
      "# Completes the command lines of heapcheck in bash. Made by `heapcheck completion bash`.\n"
      "# shellcheck shell=bash disable=SC2034 # the functions set the variables of _heapcheck\n";
  text += make_commands_function() + make_options_function() + make_value_function();
  return text.append(make_argument_function()).append(main_function);
}

}  // namespace heapcheck::cli
