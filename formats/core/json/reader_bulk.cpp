// The functions of JsonReader that hand bulk data to leaf parsers.
#include <algorithm>
#include <array>

#include "formats/core/json/leaf.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/json/skip.hpp"

namespace heapcheck::core {
namespace {

/// Elements on the way from the leaf parser to the caller.
using Batch = std::array<std::uint64_t, 2048>;

bool ends_element(std::uint8_t byte) { return byte == ',' || byte == ']' || json::Input::is_space(byte); }

}  // namespace

std::size_t JsonReader::read_unsigned_array(std::vector<std::uint64_t>& out, std::size_t max_count) {
  input_.attach();
  text_.clear();
  span_ = {input_.offset(), 0};
  Batch batch;
  std::size_t count = 0;
  while (count < max_count) {
    const std::size_t wanted = std::min(batch.size(), max_count - count);
    const std::size_t taken = take_batch(std::span(batch).first(wanted));
    out.insert(out.end(), batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(taken));
    count += taken;
    if (taken < wanted) break;
  }
  if (count == max_count) take_comma();
  span_.length = input_.offset() - span_.offset;
  return count;
}

ByteSpan JsonReader::peek_elements(std::size_t ahead) {
  input_.attach();
  text_.clear();
  if (!nesting_.in_array() || !value_may_follow() || !to_element()) return {};
  if (ahead != 0) input_.look_ahead(ahead);
  return show_sight();
}

ByteSpan JsonReader::peek_members(std::size_t ahead) {
  input_.attach();
  text_.clear();
  if (!nesting_.in_object() || (state_ != State::after_value && state_ != State::after_key)) return {};
  if (ahead != 0) input_.look_ahead(ahead);
  return show_sight();
}

ByteSpan JsonReader::show_sight() {
  input_.want(json::Input::sight);
  span_ = {input_.offset(), input_.available()};
  return input_.bytes();
}

void JsonReader::take_elements(std::size_t byte_count) {
  take_members(byte_count);
  state_ = State::value;
}

void JsonReader::take_members(std::size_t byte_count) {
  span_ = {input_.offset(), byte_count};
  input_.advance(byte_count);
  state_ = State::after_value;
}

std::size_t JsonReader::skip_objects_without(std::string_view letters, std::string_view word) {
  constexpr std::size_t step = 8192;  // limits the work wasted on a large object
  const Span before = span_;
  const ByteSpan bytes = peek_elements();
  span_ = before;
  if (bytes.empty()) return 0;
  const json::SkippedObjects skipped = json::skip_objects_without(
      letters, word, bytes.first(std::min(bytes.size(), step)), nesting_, {0, max_depth_, strict_utf8_});
  if (skipped.count == 0) return 0;
  span_ = {input_.offset(), skipped.byte_count};
  input_.advance(skipped.byte_count);
  state_ = State::after_value;
  return skipped.count;
}

/// Moves to the next element of an array. Returns whether the bytes so far allow an element there.
bool JsonReader::to_element() {
  if (!input_.skip_space()) return false;
  if (state_ == State::after_value) {
    if (input_.front() != ',') return false;
    input_.advance(1);
    state_ = State::value;
    return input_.skip_space();
  }
  return true;
}

/// Takes the element that begins at the next byte if the element is a plain unsigned integer. Returns whether
/// it was taken.
bool JsonReader::take_element(std::uint64_t& value) {
  constexpr std::size_t longest_element = 32;
  if (input_.available() < longest_element) input_.want(longest_element);
  const auto lexeme = json::decode_unsigned(input_.bytes());
  if (!lexeme || !ends_element(input_.data()[lexeme->byte_count])) return false;
  input_.advance(lexeme->byte_count);
  state_ = State::after_value;
  value = lexeme->value;
  return true;
}

/// Fills the front of `values` with elements of an array as long as they are plain unsigned integers, and
/// returns their number. Runs of elements in the common form are decoded by the leaf parser.
std::size_t JsonReader::take_batch(std::span<std::uint64_t> values) {
  if (!nesting_.in_array() || !value_may_follow()) return 0;
  std::size_t count = 0;
  while (count < values.size() && to_element()) {
    const json::UnsignedRun run = json::decode_unsigned_run(input_.bytes(), values.subspan(count));
    if (run.count == 0) {
      if (!take_element(values[count])) break;
      ++count;
    } else {
      input_.advance(run.byte_count);
      count += run.count;
      state_ = State::value;
    }
  }
  return count;
}

/// Takes the comma directly after an element, with or without a line feed before the comma, as the leaf
/// parser does.
void JsonReader::take_comma() {
  constexpr std::size_t longest = 2;
  if (state_ != State::after_value) return;
  if (input_.available() < longest) input_.want(longest);
  const std::string_view next = as_text(input_.bytes());
  const std::size_t byte_count = next.starts_with(',') ? 1 : next.starts_with("\n,") ? 2 : 0;
  input_.advance(byte_count);
  if (byte_count != 0) state_ = State::value;
}

}  // namespace heapcheck::core
