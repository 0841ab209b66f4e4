// Reads the strings in a section. In layout C, only the next section shows where the strings end, and a wrong
// length is not noticed until no string or section follows.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/utf8.hpp"
#include "formats/mvmheap/string_table.hpp"
#include "formats/mvmheap/v2/faults.hpp"
#include "formats/mvmheap/v2/recognise.hpp"
#include "formats/mvmheap/v2/section_reader.hpp"

namespace heapcheck::mvmheap::v2 {
namespace {

using core::ByteSpan;

constexpr std::size_t length_bytes = sizeof(std::uint64_t);
/// All names are shorter than this.
constexpr std::uint64_t absurd_length = std::uint64_t{1} << 32;
/// The longest name that a repaired length may produce.
constexpr std::uint64_t usual_length = 4096;

std::optional<std::size_t> find_nul(ByteSpan text) {
  const auto found = std::ranges::find(text, 0);
  return found == text.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - text.begin()));
}

bool is_chain(ByteSpan bytes, std::size_t at) {
  return at <= bytes.size() && is_string_chain(bytes.subspan(at));
}

/// Whether text is UTF-8 with at most one error.
bool is_nearly_utf8(ByteSpan text) {
  const auto first = core::find_invalid_utf8(text);
  return !first || !core::find_invalid_utf8(text.subspan(*first + 1));
}

/// The correct length of the string at `at`, as determined from the NUL bytes in the next length.
std::optional<std::uint64_t> find_length(ByteSpan bytes, std::size_t at) {
  const std::size_t text = at + length_bytes;
  if (text > bytes.size()) return std::nullopt;
  const auto nul = find_nul(bytes.subspan(text));
  if (!nul) return std::nullopt;
  for (std::size_t before = 0; before <= std::min(length_bytes, *nul); ++before) {
    const std::size_t length = *nul - before;
    if (length <= usual_length && is_chain(bytes, text + length) &&
        is_nearly_utf8(bytes.subspan(text, length)))
      return length;
  }
  return std::nullopt;
}

/// Whether the `length` bytes after the length at `at` are several complete strings, the first of which has a
/// wrong length.
bool spans_strings(ByteSpan bytes, std::size_t at, std::uint64_t length) {
  const std::size_t end = at + length_bytes + static_cast<std::size_t>(length);
  std::optional<std::uint64_t> next = find_length(bytes, at);
  while (next && *next < end - at && at < end) {
    at += length_bytes + static_cast<std::size_t>(*next);
    next = at < end ? grammar::string_length(bytes.subspan(at)) : std::nullopt;
  }
  return at == end;
}

enum class StringsEnd : std::uint8_t {
  section,  ///< another section follows
  input,    ///< the input ends inside the strings
  fault,    ///< no next string can be found
  full,     ///< a limit was reached
};

/// Reads the strings in one section. A string is not added until the next string has been seen, so that its
/// length can still be repaired.
class StringWalk {
 public:
  StringWalk(core::Window& window, Section& section, core::FindingSink& sink, StringTable& table)
      : window_(&window), section_(&section), sink_(&sink), table_(&table) {}

  /// `fits` returns whether the table may still grow.
  template <class Fits>
  StringsEnd run(Fits&& fits) {
    std::optional<StringsEnd> end;
    do {
      ahead_ = look_ahead(*window_);
      end = walk_window();
      if (!end && !refill()) end = take_long_string(fits);
    } while (!end && fits());
    const bool is_sound_end = end == StringsEnd::input && section_->certain;
    if (end == StringsEnd::section || is_sound_end) release();
    if (end && *end != StringsEnd::full) window_->consume(at_);
    return end.value_or(StringsEnd::full);
  }

  /// Blames the first string that contains a NUL. Call this if the number of strings does not match the count
  /// in the head.
  void report_nul();

 private:
  struct Held {
    std::size_t at;
    std::uint64_t length;
  };
  struct FirstNul {
    std::uint64_t offset;
    std::uint64_t index;
    std::uint64_t length;
  };
  struct Repair {
    std::size_t at;
    std::uint64_t length;
    std::uint64_t index;
  };

  std::optional<StringsEnd> walk_window();
  std::optional<StringsEnd> judge(std::uint64_t length);
  [[nodiscard]] std::uint64_t count() const { return table_->count() + (held_ ? 1 : 0); }
  [[nodiscard]] bool is_end(ByteSpan rest, std::uint64_t length) const;
  [[nodiscard]] std::optional<Repair> find_repair() const;
  void apply(const Repair& repair);
  void step(std::uint64_t length);
  void release();
  bool refill();
  template <class Fits>
  std::optional<StringsEnd> take_long_string(Fits&& fits);
  [[nodiscard]] std::uint64_t first_index() const { return section_->is_last ? 0 : section_->rows_before; }
  void note_fault(std::uint64_t index);
  void report(std::size_t at, std::uint64_t index, std::string message);

  core::Window* window_;
  Section* section_;
  core::FindingSink* sink_;
  StringTable* table_;
  Ahead ahead_;
  std::size_t at_ = 0;  // the position of the next length in the window
  std::optional<FirstNul> first_nul_;
  std::optional<Held> held_;  // the previous string, until it is added
};

/// Reads the strings in the window. Returns nothing if more bytes have to be visible.
std::optional<StringsEnd> StringWalk::walk_window() {
  constexpr std::size_t ample = 64 * 1024;  // enough bytes after a length to judge whether it is correct
  for (;;) {
    const ByteSpan rest = ahead_.bytes.subspan(at_);
    if (!ahead_.is_rest && rest.size() < section_look_ahead) return std::nullopt;
    const auto length = grammar::string_length(rest);
    if (is_end(rest, length.value_or(UINT64_MAX))) return StringsEnd::section;
    if (!length) return StringsEnd::input;
    const bool is_whole = *length <= rest.size() - length_bytes;
    const ByteSpan text =
        is_whole ? rest.subspan(length_bytes, static_cast<std::size_t>(*length)) : rest.subspan(length_bytes);
    // Names do not contain NULs, but lengths do. A string that seems to contain a NUL therefore extends into
    // the next one, so the length of the first is wrong. The exception is a single damaged name whose length
    // is correct and which is followed by other strings.
    const bool is_sound = *length < absurd_length && !find_nul(text);
    const bool is_damaged_name = is_whole && !is_sound &&
                                 is_chain(ahead_.bytes, at_ + length_bytes + text.size()) &&
                                 !spans_strings(ahead_.bytes, at_, *length);
    if (is_damaged_name && !first_nul_) first_nul_ = FirstNul{window_->offset() + at_, count(), *length};
    if ((is_whole && is_sound) || is_damaged_name) {
      step(*length);
    } else if (!ahead_.is_rest && (is_sound || (at_ != 0 && rest.size() < ample))) {
      return std::nullopt;
    } else if (is_sound) {
      return StringsEnd::input;
    } else if (const auto end = judge(*length)) {
      return end;
    }
  }
}

/// Repairs a length that cannot be correct: the length at the current position, or the length before it.
std::optional<StringsEnd> StringWalk::judge(std::uint64_t length) {
  const auto repair = find_repair();
  if (!repair) {
    report(at_, count(),
           fmt::format("length is {}, expected one that leads to another string or section", length));
    return StringsEnd::fault;
  }
  report(repair->at, repair->index,
         fmt::format("length is {}, expected {} to reach the next string",
                     grammar::string_length(ahead_.bytes.subspan(repair->at)).value_or(0), repair->length));
  apply(*repair);
  return std::nullopt;
}

/// Whether the strings end at the start of `rest`, where the next length would be.
bool StringWalk::is_end(ByteSpan rest, std::uint64_t length) const {
  if (find_section(rest)) return true;
  const bool may_end = length > rest.size() || count() == section_->declared_count;
  const auto next = guess_section(rest);
  return may_end && next && *next != SectionKind::strings;
}

std::optional<StringWalk::Repair> StringWalk::find_repair() const {
  if (held_) {
    const auto length = find_length(ahead_.bytes, held_->at);
    if (length && *length != held_->length) return Repair{held_->at, *length, table_->count()};
  }
  const auto length = find_length(ahead_.bytes, at_);
  return length ? std::optional(Repair{at_, *length, count()}) : std::nullopt;
}

void StringWalk::apply(const Repair& repair) {
  if (repair.at == at_) return step(repair.length);
  held_->length = repair.length;
  at_ = repair.at + length_bytes + static_cast<std::size_t>(repair.length);
}

void StringWalk::step(std::uint64_t length) {
  release();
  held_ = Held{at_, length};
  at_ += length_bytes + static_cast<std::size_t>(length);
}

/// Adds the string that was held back.
void StringWalk::release() {
  if (held_) {
    table_->add(core::as_text(
        ahead_.bytes.subspan(held_->at + length_bytes, static_cast<std::size_t>(held_->length))));
  }
  held_.reset();
}

void StringWalk::report_nul() {
  if (!first_nul_ || !section_->certain) return;
  note_fault(first_nul_->index);
  sink_->report(
      {&rules::strings_length,
       {{first_nul_->offset, length_bytes},
        std::nullopt,
        fmt::format("/strings/{}", first_index() + first_nul_->index)},
       fmt::format("length is {} and spans a NUL, expected one with which the section has {} instead of {}",
                   first_nul_->length, core::counted(section_->declared_count, "string"), section_->count)});
}

/// Moves the window to the string that was held back. Returns false if this does not make any more bytes
/// visible.
bool StringWalk::refill() {
  if (held_ && held_->at == 0) release();
  const std::size_t used = held_ ? held_->at : at_;
  window_->consume(used);
  at_ -= used;
  if (held_) held_->at = 0;
  return used != 0;
}

/// Reads a string that does not fit in the window.
template <class Fits>
std::optional<StringsEnd> StringWalk::take_long_string(Fits&& fits) {
  std::uint64_t left = grammar::string_length(window_->peek(length_bytes)).value_or(0);
  const std::uint64_t index = table_->count();
  const std::uint64_t offset = window_->offset();
  window_->consume(length_bytes);
  std::string text;
  while (left != 0) {
    const ByteSpan seen = window_->peek(1);
    const ByteSpan piece = seen.first(static_cast<std::size_t>(std::min<std::uint64_t>(seen.size(), left)));
    if (piece.empty()) return StringsEnd::input;
    // Names do not contain NULs, but the length of the next string does.
    if (find_nul(piece)) {
      note_fault(index);
      sink_->report(
          {&rules::strings_length,
           {{offset, length_bytes}, std::nullopt, fmt::format("/strings/{}", first_index() + index)},
           "length spans a NUL, expected one that leads to the next string"});
      return StringsEnd::fault;
    }
    text.append(core::as_text(piece));
    left -= piece.size();
    window_->consume(piece.size());
    if (!fits(text.capacity())) return StringsEnd::full;
  }
  table_->add(text);
  return std::nullopt;
}

void StringWalk::note_fault(std::uint64_t index) {
  section_->certain = false;
  if (section_->faults++ == 0) section_->first_fault = index;
}

void StringWalk::report(std::size_t at, std::uint64_t index, std::string message) {
  note_fault(index);
  sink_->report({&rules::strings_length,
                 {{window_->offset() + at, length_bytes},
                  std::nullopt,
                  fmt::format("/strings/{}", first_index() + index)},
                 std::move(message)});
}

/// If a wrong length was found and the section has more strings than its count because part of it occurs
/// twice, removes the copy. Returns whether the number of strings matches the section's count after that.
bool drop_copy(const Section& section, StringTable& added) {
  if (section.certain) return false;
  const auto names = find_repeated_names(added);
  if (!names || added.count() - names->count != section.declared_count) return false;
  added = remove_names(added, *names);
  return true;
}

}  // namespace

SectionOutcome SectionReader::read_strings(Section& section, const SectionPart& part, Tables& tables) {
  if (!read_head(section)) return SectionOutcome::truncated;
  StringTable added;
  const auto fits_more = [&](std::uint64_t extra = 0) {
    section.count = added.count();
    return fits_memory(section, part, tables, 2 * added.memory() + 2 * extra);
  };
  StringWalk walk(*window_, section, *sink_, added);
  const StringsEnd end = walk.run(fits_more);
  section.count = added.count();
  if (end == StringsEnd::full || !fits_more()) return SectionOutcome::stopped;
  if (end == StringsEnd::input) {
    if (section.certain) tables.strings.append(added);
    return SectionOutcome::truncated;
  }
  if (end == StringsEnd::fault) find_next_section(*window_);
  // If lengths are in doubt and the number of strings is wrong, the indices of the strings are unknown.
  const bool is_counted = section.declared_count == section.count ||
                          section.declared_count == section.rows_before || drop_copy(section, added);
  section.count = added.count();
  if (end == StringsEnd::section && !is_counted) walk.report_nul();
  if (end == StringsEnd::fault || (!section.certain && !is_counted)) return SectionOutcome::broken;
  tables.strings.append(added);
  return SectionOutcome::whole;
}

}  // namespace heapcheck::mvmheap::v2
