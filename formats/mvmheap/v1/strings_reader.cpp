#include "formats/mvmheap/v1/strings_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/core/faults.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/utf8.hpp"
#include "formats/mvmheap/v1/faults.hpp"
#include "formats/mvmheap/v1/grammar.hpp"
#include "formats/mvmheap/v1/names.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

/// How many bytes of a name to examine in one step, and how many bytes to examine after a quote to determine
/// whether it ends the name.
constexpr std::size_t run_reach = 32 * 1024;
constexpr std::size_t quote_reach = 64;
constexpr std::uint64_t names_per_mark = 256;

/// The number of backslashes at the end of `text`.
std::size_t count_backslashes(std::string_view text) {
  const std::size_t last = text.find_last_not_of('\\');
  return last == std::string_view::npos ? text.size() : text.size() - last - 1;
}

/// Whether `text` contains a run with an odd number of backslashes, which is impossible in a name that begins
/// with a quote.
bool has_odd_run(std::string_view text) {
  std::size_t at = text.find('\\');
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_not_of('\\', at), text.size());
    if ((end - at) % 2 != 0) return true;
    at = text.find('\\', end);
  }
  return false;
}

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

/// Whether no name in a real dump begins with this byte, because it cannot begin a UTF-8 sequence or is a
/// control character.
bool begins_no_name(std::uint8_t byte) { return byte < ' ' || (byte >= 0x7F && byte <= 0xBF) || byte > 0xF4; }

/// Whether `text` ends with a multi-byte character.
bool ends_with_wide_character(std::string_view text) {
  for (std::size_t count = 2; count <= std::min<std::size_t>(text.size(), 4); ++count) {
    const auto decoded = core::decode_utf8(core::as_bytes(text.substr(text.size() - count)));
    if (decoded && decoded->byte_count == count) return true;
  }
  return false;
}

std::string describe_wrong_escape(std::string_view text) {
  const std::string name = core::make_excerpt(text);
  if (text.starts_with("\\\""))
    return fmt::format("name \"{}\" begins with an escaped quote, expected the quote alone", name);
  return fmt::format("backslash in \"{}\" escapes neither a quote nor a backslash, expected it to be escaped",
                     name);
}

}  // namespace

void StringsReader::report(const Rule& rule, Span place, std::string message) {
  const std::string path = fmt::format("/strings/{}", table_->count());
  core::report_or_count(*sink_, {&rule, {place, std::nullopt, path}, std::move(message)});
}

StringsEnd StringsReader::read(StringTable& table, LineContainer& container) {
  table_ = &table;
  container_ = &container;
  container.strings.add(table.count(), window_->offset());
  const core::ByteSpan rest = window_->look(quote_reach);
  if (rest.empty() || grammar::line_end(rest) == rest.size()) {
    name_offset_ = window_->offset();
    window_->skip(rest.size());
    return StringsEnd::file;
  }
  if (window_->peek(1).front() == ']' && is_strings_end(0, true)) {
    consume_strings_end();
    return StringsEnd::line;
  }
  Step step = Step::name;
  while (step == Step::name) step = read_name();
  if (step == Step::strings) {
    restore_line_feeds();
    return StringsEnd::line;
  }
  return step == Step::file ? StringsEnd::file : StringsEnd::stopped;
}

/// Reads a name and the separator after it, or the end of the strings.
StringsReader::Step StringsReader::read_name() {
  text_.clear();
  lone_.reset();
  name_offset_ = window_->offset();
  if (table_->count() % names_per_mark == 0) container_->strings.add(table_->count(), name_offset_);
  const core::ByteSpan first = window_->peek(1);
  // If the separator before the name was damaged, the missing quote has already been reported.
  if (!std::exchange(lacks_quote_, false) && !first.empty() && first.front() != '"') {
    report(rules::strings_quote, {name_offset_, 1},
           fmt::format("name begins with {}, expected a quote",
                       core::make_excerpt(core::as_text(first.first(1)))));
    guess();
  } else {
    window_->consume(first.size() == 0 ? 0 : 1);
  }
  Step step = Step::inside;
  while (step == Step::inside) step = memory_.has_room(count_memory()) ? read_run() : Step::stopped;
  if (step == Step::name || step == Step::opened || step == Step::strings) add_name();
  if (step == Step::name) window_->consume(1);
  if (step == Step::opened) step = Step::name;
  if (step == Step::strings) consume_strings_end();
  return fits_memory() ? step : Step::stopped;
}

/// Reads a piece of the name, up to a quote. Afterwards, the window is after the piece or, if the name ends
/// there, after its closing quote.
StringsReader::Step StringsReader::read_run() {
  core::ByteSpan run = window_->look(run_reach);
  if (run.empty()) return Step::file;
  const std::size_t quote = core::as_text(run).find('"');
  run = run.first(std::min(run.size(), quote));
  if (const auto tables = find_tables(run)) {
    end_without_quote(*tables);
    return Step::strings;
  }
  text_.append(core::as_text(window_->look(run.size())));
  window_->consume(run.size());
  return quote == std::string_view::npos ? Step::inside : judge_quote();
}

/// Decides whether the quote at the front of the window ends the name or is part of it.
StringsReader::Step StringsReader::judge_quote() {
  const core::ByteSpan bytes = window_->look(quote_reach);
  // In a name that is empty so far or that begins with a quote or a backslash, any quote may be the closing
  // quote.
  const bool is_plain = !text_.empty() && text_.front() != '"' && text_.front() != '\\';
  const bool has_odd_backslash = count_backslashes(text_) % 2 != 0;
  if (!is_plain || !has_odd_backslash) {
    const bool is_separator = grammar::separator(bytes);
    if (is_separator || is_strings_end(1, is_plain)) {
      window_->consume(1);
      return is_separator ? Step::name : Step::strings;
    }
  }
  const Damage damage = is_plain && !has_odd_backslash ? find_damage(bytes) : Damage::none;
  if (damage != Damage::none) return end_at_damage(damage, bytes);
  const bool may_stand = is_plain ? has_odd_backslash : !text_.starts_with('\\') || text_.ends_with('\\');
  if (!may_stand && !lone_) lone_ = window_->offset();
  text_.push_back('"');
  window_->consume(1);
  return Step::inside;
}

/// The damaged byte if the quote at the front of `bytes` belongs to a name separator with one damaged byte:
/// the quote before the comma, the comma, or the quote after it.
StringsReader::Damage StringsReader::find_damage(core::ByteSpan bytes) const {
  // A quote before a comma or a bracket ends a name rather than beginning one.
  const bool opens = bytes.size() >= 4 && bytes[2] == '"' && bytes[3] != ',' && bytes[3] != ']';
  if (opens && bytes[1] != ',') return Damage::comma;
  if (bytes.size() >= 4 && bytes[1] == ',') return Damage::next_quote;
  return text_.size() >= 2 && text_.back() == ',' ? Damage::quote : Damage::none;
}

/// Whether the damaged byte may belong to a name, either because it replaced a quote or because it is the end
/// or the start of a name that lost its quote. A name may also contain a comma next to a byte that has turned
/// into a quote.
bool StringsReader::may_be_in_name(Damage damage, core::ByteSpan bytes) const {
  if (damage == Damage::next_quote) return !begins_no_name(bytes[2]);
  if (damage != Damage::quote) return false;
  const std::string_view before = std::string_view(text_).substr(0, text_.size() - 1);
  return is_printable(before.back()) || ends_with_wide_character(before);
}

/// Ends the name at a damaged separator. Afterwards, the window is at the byte before the quote of the next
/// name. `bytes` starts at the quote.
StringsReader::Step StringsReader::end_at_damage(Damage damage, core::ByteSpan bytes) {
  const bool is_comma = damage == Damage::comma;
  if (may_be_in_name(damage, bytes)) guess(damage == Damage::next_quote ? 1 : 0);
  if (damage == Damage::next_quote) {
    next_name_ = window_->offset() + 2;
    report(rules::strings_quote, {*next_name_, 1},
           fmt::format("byte after the comma is {:02x}, expected the quote of the next name", bytes[2]));
    lacks_quote_ = true;
    window_->consume(1);
    return Step::name;
  }
  const std::uint64_t at = is_comma ? window_->offset() : window_->offset() - 2;
  next_name_ = window_->offset() + (is_comma ? 2 : 0);
  report(rules::strings_quote, {at, 1},
         is_comma
             ? "quote is followed by neither a comma nor a bracket, expected a comma before the next name"
             : "name ends without a quote before the comma, expected one");
  if (is_comma) {
    window_->consume(1);
    return Step::name;
  }
  // The damaged quote and the comma were mistaken for the end of the name.
  text_.resize(text_.size() - 2);
  return Step::opened;
}

/// Whether there is a bracket `at` bytes ahead that ends the strings. The line or the file must end after the
/// bracket; if `may_be_joined` is true, the next line may also follow directly.
bool StringsReader::is_strings_end(std::size_t at, bool may_be_joined) {
  const core::ByteSpan bytes = window_->look(at + quote_reach);
  if (bytes.size() <= at || bytes[at] != ']') return false;
  const core::ByteSpan rest = bytes.subspan(at + 1);
  return rest.empty() || grammar::line_end(rest) || (may_be_joined && grammar::line_head(rest));
}

void StringsReader::consume_strings_end() {
  const core::ByteSpan bracket = window_->peek(1);
  if (!bracket.empty() && bracket.front() == ']') window_->consume(1);
  if (line_ends_->consume() || window_->at_end()) return;
  sink_->report({&rules::line_joined,
                 {{window_->offset(), 0}, std::nullopt, "/strings"},
                 "line starts right after the strings, expected a line feed before it"});
}

/// The first line feed in `run` that is followed by the tables. If there is one, the end of the strings is
/// damaged.
std::optional<std::size_t> StringsReader::find_tables(core::ByteSpan run) {
  for (std::size_t at = core::as_text(run).find('\n'); at != std::string_view::npos;) {
    const core::ByteSpan bytes = window_->look(at + 1 + starts_tables_bytes);
    if (starts_tables(bytes.subspan(at + 1))) return at;
    at = core::as_text(window_->look(run.size())).find('\n', at + 1);
  }
  return std::nullopt;
}

/// Ends the last name at a line feed `at` bytes ahead.
void StringsReader::end_without_quote(std::size_t at) {
  text_.append(core::as_text(window_->look(at)));
  window_->consume(at);
  lone_.reset();
  if (text_.ends_with('\r')) text_.pop_back();
  const bool has_bracket = text_.ends_with(']');
  if (has_bracket) text_.pop_back();
  if (text_.ends_with('"')) text_.pop_back();
  report(
      rules::strings_end, {window_->offset(), 1},
      fmt::format("found no {} at the end of the strings, expected \"]", has_bracket ? "quote" : "bracket"));
}

/// Adds the name that has just been read.
void StringsReader::add_name() {
  note_open_name();
  if (lone_) report_lone_quote();
  decoded_.clear();
  const auto wrong = decode_name(text_, decoded_);
  if (wrong && !lone_) {
    report(rules::strings_escape, {name_offset_ + 1 + *wrong, 1}, describe_wrong_escape(text_));
    if (text_.starts_with('"')) guess();  // such a name may include the next name
  }
  table_->add(decoded_);
  const std::uint64_t returned_before = returned_line_feeds_;
  count_line_feeds();
  // If MoarVM would have written this name differently, the start of the next name cannot be derived from its
  // length.
  if (lone_ || wrong || next_name_ || returned_line_feeds_ != returned_before)
    container_->strings.add(table_->count(), next_name_.value_or(window_->offset() + 1));
  next_name_.reset();
}

/// Counts the line feeds in the name that has just been read.
void StringsReader::count_line_feeds() {
  for (std::size_t at = decoded_.find('\n'); at != std::string::npos; at = decoded_.find('\n', at + 1)) {
    const bool is_returned = at != 0 && decoded_[at - 1] == '\r';
    ++(is_returned ? returned_line_feeds_ : bare_line_feeds_);
  }
}

/// Removes the carriage returns before line feeds from the names, if text mode added them: they precede every
/// line feed of the names, and the one after the strings. The window is after the latter.
void StringsReader::restore_line_feeds() {
  const bool is_converted = line_ends_->count() != 0 && line_ends_->have_all() && bare_line_feeds_ == 0;
  if (returned_line_feeds_ == 0 || !is_converted) return;
  StringTable restored;
  std::string name;
  for (std::uint64_t i = 0; i < table_->count(); ++i) {
    name.clear();
    for (const char c : (*table_)[StringIndex{i}]) {
      if (c == '\n') name.pop_back();
      name.push_back(c);
    }
    restored.add(name);
  }
  *table_ = std::move(restored);
}

/// Keeps track of names that may continue after their supposed end, as long as the text that follows can
/// belong to them.
void StringsReader::note_open_name() {
  const std::uint64_t index = table_->count();
  const Span place{name_offset_, window_->offset() - name_offset_};
  const bool begins_with_quote = text_.starts_with('"');
  if (open_ && open_->begins_with_quote && has_odd_run(text_)) open_.reset();
  if (open_ && !open_->begins_with_quote && index > open_->name.index + 1) open_.reset();
  if (begins_with_quote && !container_->first_quoted_name)
    container_->first_quoted_name = QuotedName{index, place};
  if (begins_with_quote || (text_.starts_with('\\') && text_.ends_with('\\'))) {
    if (!lone_) open_ = OpenName{{index, place}, begins_with_quote, false};
  }
}

/// Reports an unescaped quote that does not end a name. If an earlier name may include all such quotes,
/// reports only once.
void StringsReader::report_lone_quote() {
  guess();
  if (!open_) {
    return report(rules::strings_quote, {*lone_, 1},
                  "unescaped quote inside a name, expected a comma and a quote after it");
  }
  is_undecidable_ = true;
  if (!open_->is_reported) report_undecidable(open_->name);
  open_->is_reported = true;
}

/// Records that the end of the current name, or of the name `ahead` places after it, had to be guessed.
void StringsReader::guess(std::uint64_t ahead) {
  constexpr std::size_t most = 1000;
  is_undecidable_ = is_undecidable_ || guessed_.size() == most;
  if (!is_undecidable_) guessed_.push_back(table_->count() + ahead);
  known_ = false;
}

void StringsReader::report_undecidable(const QuotedName& name) {
  const std::string path = fmt::format("/strings/{}", name.index);
  Related quote{{{*lone_, 1}, std::nullopt, fmt::format("/strings/{}", table_->count())},
                "the unescaped quote"};
  sink_->report(
      {&rules::strings_undecidable,
       {name.place, std::nullopt, path},
       fmt::format("name {} may end later than it appears to, because name {} contains an unescaped quote",
                   name.index, table_->count()),
       {std::move(quote)}});
}

/// The memory in bytes that the names take up and that the rules for them need.
std::uint64_t StringsReader::count_memory() const {
  constexpr std::uint64_t per_row = 64;  // additional memory needed by rules
  return table_->memory() + per_row * table_->count() + text_.capacity() + decoded_.capacity();
}

bool StringsReader::fits_memory() {
  if (memory_.fits(count_memory())) return true;
  report(core::rules::limit_memory, {window_->offset(), 0}, memory_.describe_lack("strings"));
  return false;
}

}  // namespace heapcheck::mvmheap::v1
