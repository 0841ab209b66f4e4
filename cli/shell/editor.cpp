// Reads lines with libedit, which lets users edit them and go back to earlier lines. Without libedit, lines
// are read as they are.
#include "cli/shell/prompt.hpp"

#ifdef HEAPCHECK_LIBEDIT

#include <fmt/format.h>
#include <histedit.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <span>
#include <string_view>
#include <utility>

#include "cli/output.hpp"

namespace heapcheck::cli {
namespace {

std::string_view find_common_start(const std::vector<std::string>& words) {
  std::string_view common = words.front();
  for (const std::string& word : words) {
    const auto end = std::ranges::mismatch(common, word).in1;
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  return common;
}

EditLine* make_edit_line() {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  return ::el_init("heapcheck", stdin, stdout, stderr);
}

class Editor final : public LineReader {
 public:
  explicit Editor(std::string prompt) : prompt_(std::move(prompt)) {
    if (!is_ready()) return;
    HistEvent event{};
    ::history(history_, &event, H_SETSIZE, 1000);
    ::history(history_, &event, H_SETUNIQUE, 1);
    ::el_set(editor_, EL_CLIENTDATA, this);
    ::el_set(editor_, EL_PROMPT, &show_prompt);
    ::el_set(editor_, EL_GETCFN, &on_read);
    ::el_set(editor_, EL_SIGNAL, 1);
    ::el_set(editor_, EL_HIST, &::history, history_);
    ::el_set(editor_, EL_EDITOR, "emacs");
    ::el_set(editor_, EL_ADDFN, "heapcheck-complete", "Complete a word", &on_tab);
    ::el_set(editor_, EL_BIND, "^I", "heapcheck-complete", nullptr);
    ::el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;
  ~Editor() override {
    if (editor_ != nullptr) ::el_end(editor_);
    if (history_ != nullptr) ::history_end(history_);
  }

  [[nodiscard]] bool is_ready() const { return editor_ != nullptr && history_ != nullptr; }

  void complete_with(const Completer& completer) override { completer_ = completer; }

  std::optional<std::string> read() override {
    int length = 0;
    const char* const typed = ::el_gets(editor_, &length);
    if (typed == nullptr || length <= 0) {
      write_output("", was_interrupted() ? "^C\n" : "\n");
      return was_interrupted() ? std::optional<std::string>("") : std::nullopt;
    }
    std::string line(typed, static_cast<std::size_t>(length));
    if (line.ends_with('\n')) line.pop_back();
    HistEvent event{};
    if (!line.empty()) ::history(history_, &event, H_ENTER, line.c_str());
    return line;
  }

 private:
  static Editor& of(EditLine* editor) {
    void* self = nullptr;
    ::el_get(editor, EL_CLIENTDATA, &self);
    return *static_cast<Editor*>(self);
  }
  static int on_read(EditLine* editor, wchar_t* character) { return of(editor).read_character(character); }
  static char* show_prompt(EditLine* editor) { return of(editor).prompt_.data(); }
  static unsigned char on_tab(EditLine* editor, int /*key*/) { return of(editor).complete(); }

  /// Returns 1, 0 at the end of the input and after an error, and -1 after Ctrl-C.
  int read_character(wchar_t* character) {
    std::mbstate_t state{};
    for (;;) {
      char byte = 0;
      const auto count = read_some(std::span(&byte, 1));
      if (!count) return -1;
      if (*count == 0) return 0;
      constexpr auto is_wrong = static_cast<std::size_t>(-1);
      constexpr auto is_part = static_cast<std::size_t>(-2);
      const std::size_t read = std::mbrtowc(character, &byte, 1, &state);
      if (read == is_wrong) state = {};
      if (read != is_wrong && read != is_part) return 1;
    }
  }

  /// Inserts what all possible completions have in common or, if that adds nothing, lists them.
  unsigned char complete() {
    const LineInfo* const line = ::el_line(editor_);
    const std::string before(line->buffer, line->cursor);
    const std::vector<std::string> words = completer_ ? completer_(before) : std::vector<std::string>();
    if (words.empty()) return CC_ERROR;
    std::string common(find_common_start(words));
    if (words.size() == 1 && !common.ends_with('=')) common += ' ';
    // The typed word is the part at the end of `before` with which all completions begin.
    std::size_t typed = std::min(before.size(), common.size());
    while (!before.ends_with(common.substr(0, typed))) --typed;
    if (typed == common.size()) return list(words);
    return ::el_insertstr(editor_, common.c_str() + typed) == 0 ? CC_REFRESH : CC_ERROR;
  }

  static unsigned char list(const std::vector<std::string>& words) {
    constexpr std::size_t most = 100;
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), most));
    write_output(
        "", fmt::format("\n{}{}\n", fmt::join(words.begin(), end, "  "), words.size() > most ? "  ..." : ""));
    return CC_REDISPLAY;
  }

  std::string prompt_;
  Completer completer_;
  EditLine* editor_ = make_edit_line();
  History* history_ = ::history_init();
};

}  // namespace

std::unique_ptr<LineReader> make_editor(std::string prompt) {
  auto editor = std::make_unique<Editor>(prompt);
  if (editor->is_ready()) return editor;
  return make_plain_reader(std::move(prompt));
}

}  // namespace heapcheck::cli

#else

namespace heapcheck::cli {

std::unique_ptr<LineReader> make_editor(std::string prompt) { return make_plain_reader(std::move(prompt)); }

}  // namespace heapcheck::cli

#endif
