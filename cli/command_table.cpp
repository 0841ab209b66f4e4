#include "cli/command_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "cli/about/commands.hpp"
#include "cli/ask/guard_command.hpp"
#include "cli/ask/node_commands.hpp"
#include "cli/check/command.hpp"
#include "cli/commands.hpp"
#include "cli/export/commands.hpp"
#include "cli/mcp/command.hpp"
#include "cli/reading_options.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

Choices target_names(std::initializer_list<Family> families) {
  Choices names;
  for (const Family family : families) {
    for (const Target target : targets_of(family)) names.push_back(name_of(target));
  }
  return names;
}

Choices all_targets() {
  return target_names({Family::mvmheap, Family::trace, Family::v8_heapsnapshot, Family::v8_heapprofile});
}

Choices text_or_json() { return {"text", "json"}; }

// Options for the commands that write dumps.

constexpr Option in_place{.name = "in-place",
                          .help = "Replace IN once the result is complete",
                          .manual =
                              "An input that is compressed as a whole, or that is inside a zip archive or an "
                              "HTML page, cannot be replaced."};

constexpr Option keep_times{.name = "keep-times",
                            .help = "Give the result the access and modification times of IN"};

constexpr Option level{.name = "level",
                       .kind = ValueKind::count,
                       .placeholder = "N",
                       .least = 1,
                       .most = 19,
                       .default_text = "9",
                       .help = "Compression level, from 1 to 19, for formats that use zstd",
                       .manual = "MoarVM uses 9."};

constexpr auto info_options = and_reading_options(
    {output_form(text_or_json, "Format of the result"),
     snapshot_index("Show only snapshot K of a MoarVM dump, counted from 0",
                    "The snapshot is looked up in the file's own index; if the index is wrong, the file is "
                    "read from the start."),
     quiet_but_errors});

constexpr auto convert_options = and_reading_options(
    {output_file("FILE", "The dump to write; - is standard output",
                 "Standard output must not be a terminal.\n"
                 "An existing file is replaced, but only once the result is complete; *IN* is never replaced "
                 "without `--in-place`."),
     in_place,
     keep_times,
     {.name = "to",
      .kind = ValueKind::choice,
      .is_required = true,
      .placeholder = "FORMAT",
      .choices = all_targets,
      .help = "Format to write",
      .manual = "`mvmheap-v2` puts all tables at the end; "
                "`mvmheap-v2:increments` puts new rows after each snapshot."},
     level,
     quiet_but_errors,
     {.name = "allow-loss",
      .help = "Write the file even if the format cannot represent everything; the exit status is then 3"},
     {.name = "keep-trace",
      .default_text = "write only the heap dumps",
      .help = "Keep all other events of a trace as they are",
      .manual = "They are kept byte for byte, and only the heap dumps are replaced."},
     {.name = "threshold",
      .kind = ValueKind::size,
      .placeholder = "BYTES",
      .default_text = "0, which leaves out nothing",
      .help = "With --to chrome-legacy: leave out stack frames and types with fewer bytes than this",
      .manual = "Chrome's own default was 1024.\n"
                "If anything is left out, it is listed as a loss, and the exit status is 3."},
     {.name = "share",
      .kind = ValueKind::percent,
      .placeholder = "PERCENT",
      .help = "With --to chrome-legacy: in the breakdown of each stack frame and type, leave out all entries "
              "from the first one that is smaller than this share of the entries before it",
      .manual =
          "Older versions of Chrome used 0.8 or 1 percent.\n"
          "The entries of each breakdown are sorted by size, largest first. If an entry is smaller than this "
          "share of the total of the entries before it, it is left out, together with all entries after it.",
      .excludes = "threshold"}});

constexpr auto recover_options = and_reading_options(
    {output_file("FILE", "The dump to write",
                 "An existing file is replaced, but only once the result is complete; *IN* is never replaced "
                 "without `--in-place`."),
     in_place,
     keep_times,
     {.name = "to",
      .kind = ValueKind::choice,
      .placeholder = "FORMAT",
      .choices = [] { return target_names({Family::mvmheap}); },
      .help = "Format to write",
      .manual = "Without this option, a MoarVM dump keeps its version.\n"
                "Traces and V8's files always keep their format."},
     output_form(text_or_json, "Format of the summary",
                 "`json` lists every part that was dropped, but at most 1,000 events of a trace."),
     level,
     quiet_but_errors,
     {.name = "allow-loss",
      .help = "With --to: write the file even if the format cannot represent everything that is kept",
      .manual = "Without this option, the losses are listed, and nothing is written."},
     {.name = "placeholder-names",
      .help = "Also keep snapshots whose names are lost, using placeholders such as <type 5>",
      .manual = "Their graphs must be complete."}});

constexpr Argument info_arguments[] = {
    {.name = "PATH", .kind = ValueKind::file, .help = "The file to read; - is standard input"}};
constexpr Argument dump_arguments[] = {
    {.name = "IN", .kind = ValueKind::file, .help = "The dump to read; - is standard input"}};
constexpr Command dump_commands[] = {
    validate_command,
    {.name = "info",
     .help = "Show the contents of a file: format, blocks, snapshots, totals",
     .manual = "The blocks are shown with their offsets and sizes.",
     .arguments = info_arguments,
     .options = info_options,
     .run = run_info},
    {.name = "convert",
     .help = "Convert a valid dump to another format or version",
     .manual = "A dump that is not valid is not converted.\n"
               "If *FORMAT* cannot represent everything, the losses are listed, and nothing is written "
               "without `--allow-loss`.\n"
               "A MoarVM dump can be written in any version of its format.\n"
               "The heap dumps of a trace can be written in either of their two formats: on their own or, "
               "with `--keep-trace`, inside the trace in place of the original ones.\n"
               "V8's heap snapshots and profiles can be written exactly as V8 writes them, whichever program "
               "wrote the input.\n"
               "The result is checked before it replaces *FILE*.",
     .arguments = dump_arguments,
     .options = convert_options,
     .run = run_convert},
    {.name = "recover",
     .help = "Write the intact parts of a damaged dump as a valid dump",
     .manual =
         "The result is checked before it replaces *FILE*.\n"
         "In a MoarVM dump, every snapshot is kept if its graph is complete and valid, its objects refer to "
         "the STables of their types, and its names are known.\n"
         "If a version 2 dump is truncated before its tables, its graphs are kept, with placeholders such "
         "as *<type 5>* for the names.\n"
         "In a Chrome trace, every complete event is kept byte for byte, except heap dumps that are damaged "
         "or whose names or maps are lost.\n"
         "A sampling heap profile is read up to the first syntax error in its JSON; every complete sample is "
         "kept, as is every node that has a function and a size, together with the nodes that lead to it.\n"
         "In a heap snapshot or timeline, the rows before and after the damage are kept, with placeholders "
         "in place of lost nodes.\n"
         "Edges from and to nodes whose positions are in doubt are dropped, and the summary states how many "
         "nodes and edges are likely but not certain to be correct.\n"
         "Lost names become placeholders such as *(lost 1234)*, and a *trace_function_count* that is too low "
         "is corrected.\n"
         "The summary states what was kept, not counting placeholders, and what was dropped and why; parts "
         "that were dropped for the same reason share a line.\n"
         "If nothing but placeholders would be left, no file is written, and the exit status is 1.",
     .arguments = dump_arguments,
     .options = recover_options,
     .run = run_recover}};

constexpr Command guard_commands[] = {assert_command};
constexpr Command other_commands[] = {export_command, report_command,  shell_command,  mcp_command,
                                      rules_command,  explain_command, config_command, completion_command};

template <std::size_t... counts>
constexpr auto join(const Command (&... lists)[counts]) {
  std::array<Command, (counts + ...)> all{};
  auto end = all.begin();
  ((end = std::ranges::copy(lists, end).out), ...);
  return all;
}

constexpr auto commands = join(dump_commands, question_commands, guard_commands, other_commands);

constexpr Option program_options[] = {
    {.name = "help", .short_name = 'h', .help = "Print this help message and exit"},
    {.name = "version", .help = "Print the version and exit"},
    {.name = "verbose",
     .help = "With --version: also print how the program was built, its libraries and its formats"}};

constexpr Program heapcheck_program{
    .name = "heapcheck",
    .help = "Checks heap dumps and reports exactly what is wrong with them, and where.",
    .footer =
        "Files: MoarVM heap dumps, traces with Chrome's heap dumps, V8 heap snapshots, timelines and\n"
        "sampling profiles; also compressed with gzip or zstd, and traces in zip files and HTML pages.\n"
        "To find a leak, start with `heapcheck suspects FILE LATER...`.\n"
        "Exit status: 0 valid; 1 findings, a --fail-on condition was met, or a rule is violated; 2 usage\n"
        "error; 3 written, but something was lost; 4 unreadable or of unknown format; 5 undecided (a limit\n"
        "was reached).\n"
        "For the options of a command, run `heapcheck COMMAND --help`.",
    .options = program_options,
    .commands = commands};

}  // namespace

const Program& program() { return heapcheck_program; }

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(program().commands, name, &Command::name);
  return found == program().commands.end() ? nullptr : &*found;
}

const Option* find_option(std::span<const Option> options, std::string_view name) {
  const auto found = std::ranges::find(options, name, &Option::name);
  return found == options.end() ? nullptr : &*found;
}

Choices choices_of(const Option& option) { return option.choices == nullptr ? Choices{} : option.choices(); }

std::string make_plain(std::string_view manual) {
  std::string text(manual);
  std::erase_if(text, [](char c) { return c == '`' || c == '*'; });
  return text;
}

std::string describe_value(const Option& option) {
  const Choices choices = choices_of(option);
  if (choices.empty()) return std::string(option.placeholder);
  constexpr std::size_t most_on_a_line = 3;
  const std::string_view between = choices.size() > most_on_a_line ? ", " : "|";
  std::string text;
  for (const std::string& choice : choices) text.append(text.empty() ? "" : between).append(choice);
  return text;
}

}  // namespace heapcheck::cli
