#include "cli/command_table.hpp"

#include <algorithm>

#include "cli/commands.hpp"
#include "heapcheck/format.hpp"
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

Choices consumer_names() {
  const auto names = reader_names();
  return {names.begin(), names.end()};
}

constexpr Option output_form(Choices (*choices)(), std::string_view help, std::string_view manual) {
  return {.name = "output",
          .kind = ValueKind::choice,
          .placeholder = "FORM",
          .choices = choices,
          .default_text = "text",
          .help = help,
          .manual = manual};
}

// What every command that reads dumps has.

constexpr Option max_memory{
    .name = "max-memory",
    .kind = ValueKind::limit,
    .placeholder = "SIZE",
    .default_text = "8G",
    .help = "Memory for the columns of one snapshot, such as 512M",
    .manual =
        "The most memory, for each file that is read at a time, that the columns of one snapshot, "
        "the shared tables and what rules add to them may take; the result is *undecided* if "
        "that is not enough.\n"
        "*SIZE* is a number of bytes, or one with a suffix such as `K`, `M` or `G`."};

constexpr Option max_expanded{
    .name = "max-expanded",
    .kind = ValueKind::limit,
    .placeholder = "SIZE",
    .default_text = "16M, or 1000 times its compressed size",
    .help = "Size that one compressed block may expand to, such as 2G",
    .manual =
        "The most that one compressed block of a dump may expand to; the result is *undecided* if "
        "that is not enough.\n"
        "All blocks together may expand to as much, or to 64 MiB, or to 300 times their "
        "compressed size, whichever is more.\n"
        "Compression around a whole file may expand to 1 TiB."};

constexpr Option quiet_but_errors{
    .name = "quiet", .help = "Print nothing but errors", .manual = "Prints nothing but errors."};

constexpr Option no_progress{
    .name = "no-progress",
    .help = "Do not say how far reading has come; a terminal is told where it takes long",
    .manual =
        "Does not say how far reading has come.\n"
        "Only a terminal is told, on standard error, and only where reading takes longer than a "
        "second."};

// What the commands that write dumps share.

constexpr Option output_file(std::string_view help, std::string_view manual) {
  return {.name = "output-file",
          .short_name = 'o',
          .kind = ValueKind::file,
          .placeholder = "FILE",
          .help = help,
          .manual = manual};
}

constexpr Option in_place{.name = "in-place",
                          .help = "Write over IN when the result is complete",
                          .manual =
                              "Writes over *IN* when the result is complete, instead of to another file.\n"
                              "Not for an input that is compressed whole."};

constexpr Option level{
    .name = "level",
    .kind = ValueKind::count,
    .placeholder = "N",
    .least = 1,
    .most = 19,
    .default_text = "9",
    .help = "Level of zstd, from 1 to 19, where the format compresses",
    .manual = "The level of zstd, from 1 to 19, for formats that compress; MoarVM's own is 9."};

constexpr Option validate_options[] = {
    output_form(text_or_json, "Form of the report",
                "The form of the report: `text`, one line for each finding, or `json`, one document for "
                "all files."),
    {.name = "output-file",
     .kind = ValueKind::file,
     .placeholder = "FILE",
     .help = "Write the report here instead of to standard output",
     .manual = "Writes the report to *FILE* instead of standard output."},
    {.name = "fail-level",
     .kind = ValueKind::choice,
     .placeholder = "LEVEL",
     .choices = [] { return Choices{"error", "warning", "note"}; },
     .default_text = "error",
     .help = "Least severity that makes the exit status 1",
     .manual = "The least severity that makes the exit status 1."},
    {.name = "max-per-rule",
     .kind = ValueKind::count,
     .placeholder = "N",
     .least = 0,
     .most = 10000,
     .default_text = "20",
     .help = "Findings of one rule that are described; the rest is counted",
     .manual = "Describes at most *N* findings of one rule in a file; the rest is counted in one line."},
    {.name = "for",
     .kind = ValueKind::choice,
     .placeholder = "READER",
     .choices = consumer_names,
     .default_text = "none",
     .help = "Check also what this reader needs beyond the format",
     .manual = "Checks also what this reader needs of a file beyond its format: an error where the reader "
               "fails, a warning where it shows something else than the file says.\n"
               "`devtools` is Chrome DevTools, which reads V8 heap snapshots and sampling heap profiles; "
               "`memlab` reads heap snapshots.\n"
               "A file of a format that the reader does not read cannot be checked (exit status 4); in a "
               "folder, it is passed over."},
    {.name = "jobs",
     .kind = ValueKind::count,
     .placeholder = "N",
     .least = 1,
     .most = 256,
     .default_text = "one a core",
     .help = "Files to check at the same time",
     .manual = "Works with *N* threads.\nThe report does not depend on it."},
    max_memory,
    max_expanded,
    {.name = "quiet",
     .help = "Print no report; the exit status says it all",
     .manual = "Prints no report; the exit status says it all."},
    no_progress,
    {.name = "color",
     .kind = ValueKind::choice,
     .placeholder = "WHEN",
     .choices = [] { return Choices{"auto", "always", "never"}; },
     .default_text = "auto",
     .help = "When to colour the text",
     .manual = "Colours in the text report: `auto` colours on a terminal, unless `NO_COLOR` is set."},
};

constexpr Option info_options[] = {
    output_form(text_or_json, "Form of the result", "The form of what is shown."),
    {.name = "snapshot",
     .kind = ValueKind::count,
     .placeholder = "K",
     .least = 0,
     .most = UINT32_MAX,
     .help = "Of a MoarVM dump, only its snapshot K, counted from 0",
     .manual = "Shows only snapshot *K* of a MoarVM dump, counted from 0.\n"
               "It is found by the file's own index, and by reading from the front where the index does not "
               "hold."},
    max_memory,
    max_expanded,
    quiet_but_errors,
    no_progress,
};

constexpr Option convert_options[] = {
    output_file("The dump to write; - is standard output",
                "The file to write; `-` is standard output, which must be no terminal.\n"
                "A file that is there already is replaced, but only when the result is complete; *IN* is "
                "never written over unless `--in-place` asks for it."),
    in_place,
    {.name = "to",
     .kind = ValueKind::choice,
     .is_required = true,
     .placeholder = "FORMAT",
     .choices = all_targets,
     .help = "Format to write",
     .manual = "The format to write.\n"
               "`mvmheap-v2` has all tables at the end, which the published analyser reads; "
               "`mvmheap-v2:increments` has new rows after each snapshot."},
    level,
    max_memory,
    max_expanded,
    quiet_but_errors,
    no_progress,
    {.name = "allow-loss",
     .help = "Write also what loses something that the format cannot hold; the exit status is 3 then",
     .manual = "Writes also what loses something that *FORMAT* cannot hold; the exit status is 3 then."},
    {.name = "keep-trace",
     .default_text = "its heap dumps only",
     .help = "Of a trace, keep all other events as they are",
     .manual = "Of a trace, keeps all other events, byte for byte, and exchanges the heap dumps only."},
    {.name = "threshold",
     .kind = ValueKind::size,
     .placeholder = "BYTES",
     .default_text = "0, all of it",
     .help = "To chrome-legacy: leave out what is smaller",
     .manual = "To `chrome-legacy`: writes an entry for stack frames and types that hold so many bytes or "
               "more; Chrome's own default was 1024.\n"
               "What is left out is listed as loss, and the exit status is 3."},
    {.name = "share",
     .kind = ValueKind::percent,
     .placeholder = "PERCENT",
     .help = "To chrome-legacy: of what a node breaks down into, largest first, stop at what adds less "
             "than this share",
     .manual = "The same by share, as older Chromes did with 0.8 or 1: of the parts that a stack frame or "
               "type breaks down into, the largest come first, and the first one that adds less than this "
               "share of those before it is left out, with all after it.\n"
               "Not together with `--threshold`.",
     .excludes = "threshold"},
};

constexpr Option recover_options[] = {
    output_file("The dump to write",
                "The file to write.\n"
                "A file that is there already is replaced, but only when the result is complete; *IN* is "
                "never written over unless `--in-place` asks for it."),
    in_place,
    {.name = "to",
     .kind = ValueKind::choice,
     .placeholder = "FORMAT",
     .choices = [] { return target_names({Family::mvmheap}); },
     .help = "Format to write",
     .manual = "The format to write of a MoarVM dump; the input's own version where it is not given.\n"
               "A file of V8 is written in its own format."},
    level,
    max_memory,
    max_expanded,
    quiet_but_errors,
    no_progress,
    {.name = "placeholder-names",
     .help = "Keep also snapshots whose names are lost, with names such as <type 5>",
     .manual = "Keeps also snapshots whose graph is whole but whose names are lost, with placeholders for "
               "them."},
};

constexpr Option rules_options[] = {output_form([] { return Choices{"text", "json", "md"}; },
                                                "Form of the list",
                                                "The form of the list; `md` is Markdown.")};

constexpr Command commands[] = {
    {.name = "validate",
     .help = "Check heap dumps against their format and its rules",
     .manual = "Checks each *PATH* and reports findings.\n"
               "`-` is standard input; a folder is walked, and files of no known format in it are passed "
               "over and counted, unless their names end as those of dumps (*.mvmheap*, *.heapsnapshot*, "
               "*.heaptimeline*, *.heapprofile*, also with *.gz* or *.zst*).",
     .argument = Argument{.name = "PATH",
                          .is_repeated = true,
                          .help = "Files to check; - is standard input, a folder is walked"},
     .options = validate_options,
     .run = run_validate},
    {.name = "info",
     .help = "Show what is inside: format, blocks, snapshots, totals",
     .manual = "Shows what is inside a file: format, layout, blocks with offset and size, snapshots, "
               "and totals.",
     .argument = Argument{.name = "PATH", .help = "The file; - is standard input"},
     .options = info_options,
     .run = run_info},
    {.name = "convert",
     .help = "Write a sound dump in another format or version",
     .manual = "Writes the sound dump *IN* as *FILE* in another format or version.\n"
               "What *FORMAT* cannot hold is counted first and listed as loss; without `--allow-loss` "
               "nothing is written then.\n"
               "A dump that is not valid is not converted.\n"
               "A MoarVM dump can be written as any of its versions, heap dumps of a trace in either of "
               "their formats: as a trace of their own, or with `--keep-trace` in the place of those that "
               "the trace holds.\n"
               "A heap file of V8 can be written as V8 itself writes it, whatever program wrote it.\n"
               "The result is checked before it gets its name.",
     .argument =
         Argument{.name = "IN", .kind = ValueKind::file, .help = "The dump to read; - is standard input"},
     .options = convert_options,
     .run = run_convert},
    {.name = "recover",
     .help = "Write what is whole in a damaged dump, as a sound dump",
     .manual = "Writes what is whole in the damaged dump *IN* as *FILE*: every snapshot whose graph is whole "
               "and sound and whose names are known.\n"
               "The result is checked before it gets its name.\n"
               "A dump of version 2 that was cut before its tables keeps its graphs, with placeholders such "
               "as *<type 5>* for names.\n"
               "A file of V8 is read up to the first place that is no JSON; nothing after it is kept.\n"
               "Of a sampling heap profile every node whose function and size are there is kept, with the "
               "nodes that lead to it, and every whole sample.\n"
               "Of a heap snapshot or timeline whole rows are kept, without edges into nothing, and of "
               "nodes and edges none after a missing or surplus number, as far as that shows; lost names "
               "become placeholders such as *(lost 1234)*, and a *trace_function_count* that is too low is "
               "repaired.",
     .argument =
         Argument{.name = "IN", .kind = ValueKind::file, .help = "The dump to read; - is standard input"},
     .options = recover_options,
     .run = run_recover},
    {.name = "rules",
     .help = "List every rule: its id, its severity and what must hold",
     .manual = "Lists every rule: id, severity and title.",
     .options = rules_options,
     .run = run_rules},
    {.name = "explain",
     .help = "Say what a rule checks, why, and what the specification says",
     .manual = "Shows the rule *ID*: what must hold, what goes wrong when it does not, and the "
               "paragraph of the specification.",
     .argument = Argument{.name = "ID", .help = "The rule, such as mvm3.toc.entry-bounds"},
     .run = run_explain}};

constexpr Option program_options[] = {
    {.name = "help",
     .short_name = 'h',
     .help = "Print this help message and exit",
     .manual = "Shows a summary of the options and ends."},
    {.name = "version", .help = "Print the version and exit", .manual = "Shows the version and ends."}};

constexpr Program heapcheck_program{
    .name = "heapcheck",
    .help = "Checks heap dumps: says exactly what is wrong with them and where.",
    .footer =
        "Exit status: 0 sound, 1 findings, 2 wrong usage, 3 written but something was lost,\n"
        "4 cannot be read or is of no known format, 5 undecided (a limit was reached). `heapcheck "
        "COMMAND --help` says more.",
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
