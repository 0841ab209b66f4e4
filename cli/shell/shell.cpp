// The command `shell`: questions about one dump, which is read once.
#include <unistd.h>

#include <utility>

#include "cli/ask/ask.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/shell/completion.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/prompt.hpp"
#include "cli/shell/session.hpp"

namespace heapcheck::cli {
namespace {

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
  return session.status();
}

}  // namespace

int run_shell(const Values& values) {
  const auto path = values.get<std::string>("FILE");
  if (path == "-") {
    print_error("found -, expected the path of a file, because standard input has the commands");
    return usage;
  }
  const Listener listener = find_listener();
  const auto reader = listener == Listener::person ? make_editor("> ") : make_plain_reader("");
  Progress progress(count_bytes(path).value_or(0), !values.get<bool>("no-progress"));
  auto dump = open_to_ask(values, values.get<std::string>("FILE"), "", progress);
  if (!dump) return dump.error();
  Session session(values, std::move(*dump), listener);
  progress.stop();
  if (const auto selected = session.select_first(); !selected) {
    print_file_error(path, selected.error().message);
    return usage;
  }
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
