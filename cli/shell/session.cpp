#include "cli/shell/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <system_error>
#include <utility>

#include "cli/ask/ask.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/prompt.hpp"
#include "cli/system/limits.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/parse_number.hpp"

namespace heapcheck::cli {
namespace {

std::unexpected<Error> out_of_memory() {
  return std::unexpected(Error{ErrorKind::limit, "out of memory; --max-memory SIZE sets the limit"});
}

/// Reads a snapshot and computes the data that most questions need.
Result<LoadedHeap> load(const Dump& dump, std::uint64_t index) try {
  const auto snapshot = dump.snapshot(index);
  if (!snapshot) return std::unexpected(snapshot.error());
  auto graph = snapshot->graph();
  if (!graph) return std::unexpected(graph.error());
  LoadedHeap loaded{.heap = Heap(std::move(*graph)), .format = dump.format(), .snapshot = index};
  loaded.heap.prepare();
  return loaded;
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

/// Whether a question is about growth if there are several snapshots, and about one snapshot otherwise.
bool shows_growth(std::string_view question) { return question == "suspects" || question == "leaks"; }

/// The snapshots that the words name. If there is only one word, the last snapshot is added.
Result<std::vector<std::uint64_t>> parse_indices(const std::vector<std::string>& words, std::uint64_t last) {
  std::vector<std::uint64_t> indices;
  for (const std::string& word : words) {
    if (const auto index = core::parse_number(word)) indices.push_back(*index);
  }
  if (words.size() > 3 || indices.size() != words.size())
    return std::unexpected(Error{
        ErrorKind::unsupported,
        fmt::format("found \"{}\", expected the indices of up to three snapshots", fmt::join(words, " "))});
  if (indices.size() > 1) return indices;
  if (indices.front() == last)
    return std::unexpected(
        Error{ErrorKind::unsupported, "found the last snapshot, expected an earlier one to compare it with"});
  indices.push_back(last);
  return indices;
}

/// The options of a question about several snapshots, or about the selected one. The indices of several
/// snapshots are the words of the N argument or, if the command does not have that argument, `all`. Snapshots
/// are found through the file's index, so that damage before a snapshot does not matter.
Result<OptionValues> make_dump_options(std::string_view question, const Values& values,
                                       const std::vector<std::uint64_t>& all,
                                       std::optional<std::uint64_t> selected) {
  auto options = make_question_options(question, values);
  if (!options) return options;
  const auto names = options_of(question);
  if (std::ranges::find(names, "snapshots") == names.end()) {
    // Questions about growth choose the first and the last snapshot themselves.
    if (!shows_growth(question) && selected) (*options)["snapshot"] = *selected;
    return options;
  }
  if (!values.has("N")) {
    (*options)["snapshots"] = fmt::format("{}", fmt::join(all, ","));
    return options;
  }
  const auto indices = parse_indices(values.get<std::vector<std::string>>("N"), all.back());
  if (!indices) return std::unexpected(indices.error());
  (*options)["snapshots"] = fmt::format("{}", fmt::join(*indices, ","));
  return options;
}

/// The rows that follow those of `page`, as text in the same form.
Page make_next(Page page, const std::stop_token& stop = {}) {
  Answer rows = take_rows(*page.answer, page.end, page.most, [&stop] { return stop.stop_requested(); });
  if (stop.stop_requested()) return {};
  if (page.answer->is_limited) rows.more_hint = "`more` shows the next rows";
  page.end = rows.text ? count_rows(*page.answer) : page.end + rows.table.rows.size();
  page.text = write_answer(rows, page.form);
  return page;
}

/// The first rows, in the form that --output names.
Page make_page(Answer answer, const Values& values, const std::stop_token& stop = {}) {
  return make_next({.answer = std::make_shared<const Answer>(std::move(answer)),
                    .form = find_answer_form(values),
                    .most = most_rows(values)},
                   stop);
}

/// Says that the answer has no later rows. The answers of some questions contain only the rows that their
/// limit allows.
Error describe_end(const Page& page) {
  const bool may_lack_rows = page.answer != nullptr && (page.answer->text || !page.answer->is_limited) &&
                             count_rows(*page.answer) >= page.most;
  return {ErrorKind::unsupported,
          may_lack_rows ? "found no later rows of this answer; if rows are left out, the same command with "
                          "--limit N shows N rows"
                        : "found no more rows, expected an answer with more rows"};
}

/// The columns of the list of snapshots. The dumps of a trace have no nodes and edges.
std::vector<Column> list_columns(bool is_trace) {
  constexpr Column index{"index", "Snapshot", Unit::number};
  constexpr Column size{"size", "Size", Unit::bytes};
  if (is_trace) return {index, {"process", "Process"}, {"dump", "Dump"}, size};
  return {index, {"nodes", "Nodes", Unit::count}, {"edges", "Edges", Unit::count}, size};
}

Listener find_listener() {
  const bool is_terminal = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
  return is_terminal ? Listener::person : Listener::script;
}

int run_lines(Session& session, LineReader& reader) {
  for (std::uint64_t number = 1; !session.is_over(); ++number) {
    forget_interrupt();
    const auto line = reader.read();
    if (!line) break;
    forget_interrupt();
    session.run(*line, number);
  }
  return reader.error() == 0 ? session.status() : refuse_input(reader.error());
}

}  // namespace

Session::Session(Values values, Dump dump, Listener listener)
    : values_(std::move(values)),
      file_(values_.get<std::string>("FILE")),
      dump_(std::move(dump)),
      listener_(listener) {
  for (const Snapshot& snapshot : dump_.snapshots()) {
    if (!snapshot.is_whole()) continue;
    snapshots_.push_back({.index = snapshot.index(),
                          .nodes = snapshot.node_count(),
                          .edges = snapshot.edge_count(),
                          .bytes = snapshot.byte_count(),
                          .process = snapshot.process()});
  }
}

Result<void> Session::select_first() {
  if (snapshots_.empty()) {
    // If the file is a trace, the answer to this question states what the trace contains instead.
    const auto answer = ask(dump_, "retained");
    if (!answer) return std::unexpected(answer.error());
    print(answer->text.value_or(""));
    end();
    return {};
  }
  const auto chosen = values_.find<std::uint64_t>("snapshot");
  has_selected_ = chosen.has_value();
  const auto selected = select_row(chosen.value_or(snapshots_.back().index));
  return selected ? Result<void>() : std::unexpected(selected.error());
}

std::string Session::greet() const {
  const std::string count = core::counted(snapshots_.size(), "heap snapshot");
  return fmt::format(
      "This file contains {}. Snapshot {} is selected.\n"
      "Type `help` for the commands, or `exit` to exit.\n\n",
      count, selected_);
}

std::vector<std::string> Session::find_type_names() {
  using namespace std::chrono_literals;
  const bool is_loaded = loading_.valid() && loading_.wait_for(0s) == std::future_status::ready;
  if (is_loaded) heap_ = loading_.get();
  std::vector<std::string> names;
  if (answering_.valid() || !heap_ || !*heap_) return names;
  for (NodeTotals& row : (*heap_)->heap.top(TopOf::objects, TopBy::size))
    names.push_back(std::move(row.name));
  return names;
}

void Session::run(std::string_view line, std::uint64_t number) {
  Result<void> done;
  try {
    done = run_words(line);
  } catch (const std::bad_alloc&) {
    done = out_of_memory();
  } catch (const std::system_error& error) {
    done = std::unexpected(Error{ErrorKind::limit, describe_system_error(error)});
  }
  if (done) return;
  if (status_ == sound) status_ = status_of(done.error().kind);
  print_error(listener_ == Listener::script ? fmt::format("line {}: {}", number, done.error().message)
                                            : done.error().message);
}

Result<void> Session::run_words(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t\r");
  if (start == std::string_view::npos || line[start] == '#') return {};  // an empty line or a comment
  const auto words = parse_line(line);
  if (!words) return std::unexpected(words.error());
  const auto command = find_shell_command(words->front());
  if (!command) return std::unexpected(command.error());
  const auto values = read_words(**command, std::span(*words).subspan(1), values_);
  if (!values) return std::unexpected(values.error());
  if ((*command)->run != nullptr) return (*command)->run(*this, *values);
  const std::string_view question = (*command)->question;
  return needs_dump(question) ? ask_about_dump(question, *values) : ask_about(question, *values);
}

/// Whether the selected heap is not enough to answer the question. As on the command line, suspects and leaks
/// of several snapshots are what grew, unless one of them was selected. Only the graphs of V8's heap
/// snapshots have call stacks, and Chrome's traces have no graphs.
bool Session::needs_dump(std::string_view question) const {
  const Family family = family_of(dump_.format());
  if (family == Family::trace) return true;
  if (question == "tree") return family != Family::v8_heapsnapshot;
  return shows_growth(question) && snapshots_.size() > 1 && !has_selected_;
}

/// Waits until no thread uses the dump: for the selected snapshot, whether or not it can be read, and for an
/// answer that was abandoned because of Ctrl-C. Returns false if Ctrl-C is pressed while waiting.
bool Session::wait_for_dump() {
  using namespace std::chrono_literals;
  if (answering_.valid() && !wait_for(answering_)) return false;
  answering_ = {};
  if (loading_.valid()) {
    const bool is_ready = loading_.wait_for(0s) == std::future_status::ready;
    if (!is_ready && listener_ == Listener::person)
      print_note("Wait a moment, while I finish loading the snapshot...\n\n");
    if (!wait_for(loading_)) return false;
    heap_ = loading_.get();
  }
  return true;
}

Result<void> Session::ask_about(std::string_view question, const Values& values) {
  if (!wait_for_dump()) return {};
  if (!*heap_) return std::unexpected(heap_->error());
  const auto options = make_question_options(question, values);
  if (!options) return std::unexpected(options.error());
  return show_page(
      [question, values, options = *options, &heap = **heap_](const std::stop_token& stop) -> Result<Page> {
        auto answer = ask(heap, question, options);
        if (!answer) return std::unexpected(answer.error());
        return make_page(std::move(*answer), values, stop);
      });
}

Result<void> Session::ask_about_dump(std::string_view question, const Values& values) {
  if (!wait_for_dump()) return {};
  std::vector<std::uint64_t> whole;
  for (const auto& snapshot : snapshots_) whole.push_back(snapshot.index);
  const auto options =
      make_dump_options(question, values, whole, has_selected_ ? std::optional(selected_) : std::nullopt);
  auto asked = options ? Question::make(question, *options) : std::unexpected(options.error());
  if (!asked) return std::unexpected(asked.error());
  return show_page([asked = *asked, values, &dump = dump_,
                    file = file_](const std::stop_token& stop) mutable -> Result<Page> {
    if (const auto added = asked.add(file, dump); !added) return std::unexpected(added.error());
    auto answer = asked.finish();
    if (!answer) return std::unexpected(answer.error());
    return make_page(std::move(*answer), values, stop);
  });
}

Result<void> Session::show_more() {
  if (!wait_for_dump()) return {};
  if (last_.answer == nullptr || last_.end >= count_rows(*last_.answer))
    return std::unexpected(describe_end(last_));
  return show_page(
      [last = last_](const std::stop_token& stop) -> Result<Page> { return make_next(last, stop); });
}

/// Prints the page that `make` makes, unless Ctrl-C is pressed before it is made.
Result<void> Session::show_page(std::function<Result<Page>(const std::stop_token& stop)> make) {
  stop_ = std::stop_source();
  answering_ = std::async(std::launch::async,
                          [make = std::move(make), token = stop_.get_token()] { return make(token); });
  if (!wait_for(answering_)) {
    stop_.request_stop();
    return {};
  }
  Result<Page> page = answering_.get();
  if (!page) return std::unexpected(page.error());
  const bool is_new = page->answer != last_.answer;
  last_ = std::move(*page);
  print(last_.text);
  if (is_new) print_remarks(last_.answer->remarks, last_.form);
  return {};
}

void Session::print(std::string_view text) {
  constexpr std::size_t most_bytes = 4096;  // printed between two checks for Ctrl-C
  while (!text.empty() && !was_interrupted()) {
    const std::string_view part = text.substr(0, most_bytes);
    if (!write_output("", part)) {
      status_ = usage;
      return end();
    }
    text.remove_prefix(part.size());
  }
}

Result<void> Session::list_snapshots() {
  const bool is_trace = family_of(dump_.format()) == Family::trace;
  Answer answer{.facts = {{"snapshot", selected_}},
                .table = {.key = "snapshots", .columns = list_columns(is_trace)}};
  for (const Row& row : snapshots_) {
    if (is_trace)
      answer.table.rows.push_back({row.index, row.process.name, row.process.dump, row.bytes});
    else
      answer.table.rows.push_back({row.index, row.nodes, row.edges, row.bytes});
  }
  last_ = make_page(std::move(answer), values_);
  print(last_.text);
  return {};
}

Result<void> Session::select(std::string_view index) {
  const auto number = core::parse_number(index);
  if (!number)
    return std::unexpected(
        Error{ErrorKind::unsupported, fmt::format("found \"{}\", expected the index of a snapshot", index)});
  const auto is_selected = select_row(*number);
  if (!is_selected) return std::unexpected(is_selected.error());
  if (!*is_selected) return {};
  has_selected_ = true;
  if (listener_ == Listener::person) print(fmt::format("Snapshot {} is selected.\n", selected_));
  return {};
}

/// Returns whether the snapshot was selected, which it is not if Ctrl-C is pressed while this waits.
Result<bool> Session::select_row(std::uint64_t index) {
  if (std::ranges::find(snapshots_, index, &Row::index) == snapshots_.end())
    return std::unexpected(
        Error{ErrorKind::unsupported,
              fmt::format("no snapshot {}: found {}", index, core::counted(snapshots_.size(), "snapshot"))});
  if (!wait_for_dump()) return false;
  // If no thread can be started, the snapshot that was selected before stays selected.
  auto loading = std::async(std::launch::async, [&dump = dump_, index] { return load(dump, index); });
  last_ = {};
  selected_ = index;
  heap_.reset();
  loading_ = std::move(loading);
  return true;
}

int run_shell(const Values& values) {
  const auto path = values.get<std::string>("FILE");
  if (path == "-")
    return refuse_usage(
        "found -, expected the path of a file, because the questions come from standard input");
  const Listener listener = find_listener();
  const bool can_edit = listener == Listener::person && can_move_cursor();
  const auto reader =
      can_edit ? make_editor("> ") : make_plain_reader(listener == Listener::person ? "> " : "");
  Progress progress(count_bytes(path).value_or(0), make_reading(values).shows_progress);
  auto dump = open_to_ask(values, values.get<std::string>("FILE"), "", progress);
  if (!dump) return dump.error();
  Session session(values, std::move(*dump), listener);
  // From here on, snapshots are read while the user types, so a progress bar would overwrite the line.
  progress.stop();
  if (const auto selected = session.select_first(); !selected) {
    print_file_error(path, selected.error().message);
    return usage;
  }
  if (session.is_over()) return session.status();
  if (listener == Listener::person) {
    catch_interrupts();
    reader->complete_with([&session](std::string_view before) {
      return complete(before, [&session] { return session.find_type_names(); });
    });
    session.print(session.greet());
  }
  return run_lines(session, *reader);
}

}  // namespace heapcheck::cli
