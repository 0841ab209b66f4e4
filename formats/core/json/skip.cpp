#include "formats/core/json/skip.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "formats/core/codec.hpp"
#include "formats/core/json/block.hpp"
#include "formats/core/json/grammar.hpp"
#include "formats/core/json/input.hpp"
#include "formats/core/text/utf8.hpp"

namespace heapcheck::core::json {
namespace {

std::size_t lowest(std::uint64_t mask) { return static_cast<std::size_t>(std::countr_zero(mask)); }
std::size_t highest(std::uint64_t mask) { return 63 - static_cast<std::size_t>(std::countl_zero(mask)); }
std::uint64_t bits_up_to(std::size_t index) { return (std::uint64_t{2} << index) - 1; }
std::uint64_t bits_from(std::size_t index) { return index < 64 ? ~std::uint64_t{0} << index : 0; }

/// Sets each bit to the parity of the bits up to it. Applied to quotes, this marks the insides of strings.
std::uint64_t make_parity(std::uint64_t mask) {
  for (unsigned shift = 1; shift < 64; shift *= 2) mask ^= mask << shift;
  return mask;
}

bool ends_scalar(std::uint8_t byte) {
  return byte == ',' || byte == ']' || byte == '}' || Input::is_space(byte);
}

/// For one block: the parts of the text outside strings, and the quotes.
struct Tokens {
  std::uint64_t inside = 0;  ///< from opening quotes up to closing quotes
  std::uint64_t opening = 0;
  std::uint64_t closing = 0;
  std::uint64_t comma = 0;
  std::uint64_t colon = 0;
  std::uint64_t open = 0;
  std::uint64_t close = 0;
  std::uint64_t curly = 0;
  std::uint64_t space = 0;
  std::uint64_t scalar = 0;        ///< the bytes of numbers and literals, or of anything that is not a token
  std::uint64_t scalar_first = 0;  ///< the first byte of each of these
};

/// For one block: the bytes that follow a certain token, with or without white space in between.
struct Followers {
  std::uint64_t comma = 0;
  std::uint64_t value_sign = 0;  ///< `:` or `[`, after which any value may come
  std::uint64_t curly = 0;       ///< `{`
  std::uint64_t key = 0;         ///< a string after a comma or `{`
};

/// One bit each for the first byte of the next block.
struct Carries {
  std::uint64_t comma = 0;
  std::uint64_t value_sign = 0;
  std::uint64_t curly = 0;
  std::uint64_t key = 0;
  std::uint64_t key_string = 0;  ///< whether the string that continues is a key
  std::uint64_t string = 0;
  std::uint64_t scalar = 0;
  std::uint64_t zero = 0;  ///< whether the last byte is a 0 that begins a number
  std::uint64_t escaped = 0;
};

/// The bytes that follow the bytes in `mask`, with or without white space in between.
std::uint64_t find_followers(std::uint64_t mask, std::uint64_t space, std::uint64_t& carry) {
  std::uint64_t after = mask << 1 | carry;
  carry = mask >> 63;
  if (space == 0) return after;
  carry |= static_cast<std::uint64_t>(__builtin_add_overflow(after, space, &after));
  return after & ~space;
}

class Skipper {
 public:
  Skipper(ByteSpan bytes, State state, Nesting& nesting, const SkipOptions& options)
      : bytes_(bytes), nesting_(&nesting), options_(options), state_(state) {
    carries_.comma = state == State::value ? 1 : 0;
    carries_.value_sign = state == State::first_element ? 1 : 0;
    carries_.curly = state == State::first_key ? 1 : 0;
    carries_.key = state == State::after_key ? 1 : 0;
  }

  Skipped run() {
    take_blocks();
    return end_ == SkipEnd::bracket ? Skipped{reached_, State::failed, end_} : find_place();
  }
  /// Skips elements of the innermost array as long as they are objects without any string being looked for.
  SkippedObjects run_over_objects(std::string_view letters, std::string_view word) {
    letters_ = letters;
    for (const char letter : word.empty() ? std::string() : std::string(word) + '"')
      word_ |= std::uint64_t{static_cast<std::uint8_t>(letter)} << (8 * word_length_++);
    element_depth_ = nesting_->depth();
    take_blocks();
    while (nesting_->depth() > element_depth_) nesting_->pop();
    return elements_;
  }

 private:
  void take_blocks() {
    while (end_ == SkipEnd::bytes && bytes_.size() - base_ >= block_bytes) take_block();
  }
  void take_block();
  bool check_block(std::uint64_t& signs);
  bool stop() {
    end_ = SkipEnd::unclear;
    return false;
  }
  bool check_escapes(BlockMasks& masks, const UnusualMasks& unusual);
  Tokens find_tokens(const BlockMasks& masks, std::uint64_t space);
  Followers find_followers_of(const Tokens& tokens);
  bool check_strings(const Tokens& tokens, const UnusualMasks& unusual);
  bool has_letter(const Tokens& tokens) const;
  bool has_word(const Tokens& tokens) const;
  bool check_scalars(const Tokens& tokens, const BlockMasks& masks);
  bool check_odd_scalars(std::uint64_t odd, std::uint64_t first);
  std::size_t find_scalar_end(std::size_t offset) const;
  bool check_nesting(const Tokens& tokens, const Followers& followers);
  bool take_bracket(std::size_t index, bool opens, bool is_object);
  bool is_next_element(std::size_t offset) const;
  void undo_brackets(std::uint64_t brackets);
  Skipped find_place() const;

  ByteSpan bytes_;
  Nesting* nesting_;
  SkipOptions options_;
  State state_;
  SkipEnd end_ = SkipEnd::bytes;
  std::size_t base_ = 0;
  std::size_t reached_ = 0;  ///< after the last comma, colon or bracket, or at the bracket that ends the skip
  Carries carries_;
  std::size_t element_depth_ = SIZE_MAX;  ///< the depth of the elements of run_over_objects()
  std::string_view letters_;
  std::uint64_t word_ = 0;  ///< the string being looked for and a quote, with the first byte lowest
  unsigned word_length_ = 0;
  SkippedObjects elements_;
  std::size_t scalar_offset_ = 0;       ///< the start of the last number or literal
  std::size_t scalar_checked_end_ = 0;  ///< everything before this is known to be correct
  std::size_t utf8_checked_end_ = 0;
};

/// Finds escapes and removes escaped quotes from the masks. Returns whether all escapes are correct.
bool Skipper::check_escapes(BlockMasks& masks, const UnusualMasks& unusual) {
  std::uint64_t escaped = carries_.escaped;
  carries_.escaped = 0;
  for (std::uint64_t rest = unusual.backslash & ~escaped; rest != 0;) {
    const std::size_t index = lowest(rest);
    const auto found = escape(bytes_.subspan(base_ + index));
    if (!found || (found->byte_count > 2 && !letters_.empty())) return false;
    const std::uint64_t next = std::uint64_t{2} << index;
    carries_.escaped = index == 63 ? 1 : 0;
    escaped |= next;
    rest &= ~(bits_up_to(index) | next);
  }
  masks.quote &= ~escaped;
  return true;
}

Tokens Skipper::find_tokens(const BlockMasks& masks, std::uint64_t space) {
  Tokens tokens;
  tokens.inside = make_parity(masks.quote) ^ (0 - carries_.string);
  carries_.string = tokens.inside >> 63;
  const std::uint64_t outside = ~tokens.inside;
  tokens.opening = masks.quote & tokens.inside;
  tokens.closing = masks.quote & outside;
  tokens.comma = masks.comma & outside;
  tokens.colon = masks.colon & outside;
  tokens.open = masks.open & outside;
  tokens.close = masks.close & outside;
  tokens.curly = masks.curly;
  tokens.space = space & outside;
  const std::uint64_t signs = tokens.comma | tokens.colon | tokens.open | tokens.close;
  tokens.scalar = outside & ~(masks.quote | signs | tokens.space);
  tokens.scalar_first = tokens.scalar & ~(tokens.scalar << 1 | carries_.scalar);
  carries_.scalar = tokens.scalar >> 63;
  return tokens;
}

Followers Skipper::find_followers_of(const Tokens& tokens) {
  Followers followers;
  followers.comma = find_followers(tokens.comma, tokens.space, carries_.comma);
  followers.value_sign =
      find_followers(tokens.colon | (tokens.open & ~tokens.curly), tokens.space, carries_.value_sign);
  followers.curly = find_followers(tokens.open & tokens.curly, tokens.space, carries_.curly);
  // Adding to the first bit of a string carries over to the bit after its last bit.
  std::uint64_t after = (tokens.opening & (followers.comma | followers.curly)) | carries_.key_string;
  carries_.key_string = static_cast<std::uint64_t>(__builtin_add_overflow(after, tokens.inside, &after));
  followers.key = find_followers(after & tokens.closing, tokens.space, carries_.key);
  return followers;
}

/// Returns whether each token may follow the previous token, regardless of the array or object around them.
bool fit(const Tokens& tokens, const Followers& followers) {
  const std::uint64_t value_first = tokens.opening | tokens.scalar_first | tokens.open;
  const std::uint64_t value_wanted = followers.comma | followers.value_sign | followers.curly;
  const std::uint64_t curly_close = tokens.close & tokens.curly;
  const std::uint64_t wrong = (value_first & ~value_wanted) | ((tokens.comma | tokens.colon) & value_wanted) |
                              (tokens.close & followers.comma) | (curly_close & followers.value_sign) |
                              (followers.curly & ~(tokens.opening | curly_close)) |
                              (tokens.colon & ~followers.key);
  return wrong == 0;
}

bool Skipper::check_strings(const Tokens& tokens, const UnusualMasks& unusual) {
  if ((unusual.control & tokens.inside) != 0) return false;
  if (!options_.strict_utf8) return true;
  std::uint64_t high = unusual.high & tokens.inside;
  while (high != 0) {
    const std::size_t offset = base_ + lowest(high);
    if (offset >= utf8_checked_end_) {
      const auto decoded = decode_utf8(bytes_.subspan(offset));
      if (!decoded) return false;
      utf8_checked_end_ = offset + decoded->byte_count;
    }
    high &= bits_from(utf8_checked_end_ - base_);
  }
  return true;
}

/// Returns whether a string that begins in the block is, or may be, the word being looked for.
bool Skipper::has_word(const Tokens& tokens) const {
  if (word_length_ == 0) return false;
  const std::uint64_t end_later = ~std::uint64_t{0} << (64 - word_length_);
  std::uint64_t rest = tokens.opening & (tokens.closing >> word_length_ | end_later);
  for (; rest != 0; rest &= rest - 1) {
    const std::size_t offset = base_ + lowest(rest) + 1;
    const bool is_late = bytes_.size() - offset < sizeof(std::uint64_t);
    if (is_late || (decode_le<std::uint64_t>(&bytes_[offset]) ^ word_) << (64 - 8 * word_length_) == 0)
      return true;
  }
  return false;
}

/// Returns whether a string that begins in the block is, or may be, one of the letters being looked for.
bool Skipper::has_letter(const Tokens& tokens) const {
  if (letters_.empty()) return false;
  const std::uint64_t end_later = std::uint64_t{3} << 62;
  for (std::uint64_t rest = tokens.opening & (tokens.closing >> 2 | end_later); rest != 0; rest &= rest - 1) {
    const ByteSpan text = bytes_.subspan(base_ + lowest(rest) + 1);
    if (text.size() < 2) return true;
    const bool is_letter = letters_.find(static_cast<char>(text[0])) != std::string_view::npos;
    if (is_letter && text[1] == '"') return true;
  }
  return false;
}

bool Skipper::check_scalars(const Tokens& tokens, const BlockMasks& masks) {
  const std::uint64_t zero_first = tokens.scalar_first & masks.zero;
  const bool leading_zero = ((zero_first << 1 | carries_.zero) & tokens.scalar & masks.digit) != 0;
  carries_.zero = zero_first >> 63;
  if (leading_zero) return false;
  const std::uint64_t odd = tokens.scalar & ~masks.digit;
  const bool right = odd == 0 || check_odd_scalars(odd, tokens.scalar_first);
  if (tokens.scalar_first != 0) scalar_offset_ = base_ + highest(tokens.scalar_first);
  return right;
}

/// Checks the numbers and literals that contain the bytes in `odd`, which are not digits.
bool Skipper::check_odd_scalars(std::uint64_t odd, std::uint64_t first) {
  for (;;) {
    if (scalar_checked_end_ > base_) odd &= bits_from(scalar_checked_end_ - base_);
    if (odd == 0) return true;
    const std::uint64_t before = first & bits_up_to(lowest(odd));
    const std::size_t end = find_scalar_end(before == 0 ? scalar_offset_ : base_ + highest(before));
    if (end == 0) return false;
    scalar_checked_end_ = end;
  }
}

/// The end of the number or literal at `offset`, or 0 if it is malformed or may continue.
std::size_t Skipper::find_scalar_end(std::size_t offset) const {
  const ByteSpan rest = bytes_.subspan(offset);
  std::size_t length = 0;
  if (rest[0] == '-' || (rest[0] >= '0' && rest[0] <= '9')) {
    if (const auto lexeme = number(rest)) length = lexeme->byte_count;
  } else if (const auto lexeme = literal(rest)) {
    length = lexeme->byte_count;
  }
  if (length == 0 || length == rest.size() || !ends_scalar(rest[length])) return 0;
  return offset + length;
}

/// Follows the brackets to the end of the block or of the skip, and checks that only objects have keys.
bool Skipper::check_nesting(const Tokens& tokens, const Followers& followers) {
  const std::uint64_t array_only = (followers.comma & ~tokens.opening) | (followers.key & ~tokens.colon);
  const std::uint64_t brackets = tokens.open | tokens.close;
  std::uint64_t in_object = nesting_->in_object() ? ~std::uint64_t{0} : 0;
  const SkippedObjects elements_before = elements_;
  std::uint64_t rest = brackets;
  for (; rest != 0; rest &= rest - 1) {
    const std::uint64_t bit = rest & (0 - rest);
    if (!take_bracket(lowest(rest), (tokens.open & bit) != 0, (tokens.curly & bit) != 0)) break;
    const std::uint64_t after = 0 - (bit << 1);
    in_object = nesting_->in_object() ? in_object | after : in_object & ~after;
  }
  const std::uint64_t looked_at = rest ^ (rest - 1);
  const std::uint64_t wrong = (tokens.colon & ~in_object) | (array_only & in_object);
  if (end_ == SkipEnd::unclear || (wrong & looked_at) != 0) {
    // The caller reads this block again token by token to find the place of the error.
    undo_brackets(brackets & ~rest);
    elements_ = elements_before;
    return false;
  }
  if (rest != 0) reached_ = base_ + lowest(rest);
  return true;
}

/// Opens or closes an array or object. Returns false if this is not allowed or not needed.
bool Skipper::take_bracket(std::size_t index, bool opens, bool is_object) {
  if (opens ? nesting_->depth() >= options_.max_depth : is_object != nesting_->in_object()) {
    return stop();
  } else if (opens) {
    if (nesting_->depth() == element_depth_ && !(is_object && is_next_element(base_ + index))) return stop();
    nesting_->push(is_object);
  } else if (nesting_->depth() == options_.depth + 1) {
    end_ = SkipEnd::bracket;
  } else {
    nesting_->pop();
    if (nesting_->depth() == element_depth_) elements_ = {base_ + index + 1, elements_.count + 1};
  }
  return end_ == SkipEnd::bytes;
}

/// Returns whether the element at `offset` directly follows the last object.
bool Skipper::is_next_element(std::size_t offset) const {
  return std::ranges::all_of(bytes_.first(offset).subspan(elements_.byte_count),
                             [](std::uint8_t byte) { return byte == ',' || Input::is_space(byte); });
}

/// Undoes the changes that `brackets` made to the nesting. These brackets are correct.
void Skipper::undo_brackets(std::uint64_t brackets) {
  while (brackets != 0) {
    const std::size_t index = highest(brackets);
    brackets &= ~(std::uint64_t{1} << index);
    const std::uint8_t byte = bytes_[base_ + index];
    if (byte == '{' || byte == '[') {
      nesting_->pop();
    } else {
      nesting_->push(byte == '}');
    }
  }
}

/// The end of what was skipped: just after the last bracket, or just before the last comma or colon.
Skipped Skipper::find_place() const {
  if (reached_ == 0) return {0, state_, end_};
  switch (bytes_[reached_ - 1]) {
    case '{':
      return {reached_, State::first_key, end_};
    case '[':
      return {reached_, State::first_element, end_};
    case ':':
      return {reached_ - 1, State::after_key, end_};
    case ',':
      return {reached_ - 1, State::after_value, end_};
    default:
      return {reached_, State::after_value, end_};
  }
}

bool Skipper::check_block(std::uint64_t& signs) {
  BlockMasks masks = make_masks(bytes_.data() + base_);
  const bool is_unusual = (masks.unusual | carries_.escaped) != 0;
  const UnusualMasks unusual = is_unusual ? make_unusual_masks(bytes_.data() + base_) : UnusualMasks{};
  if (is_unusual && !check_escapes(masks, unusual)) return false;
  const Tokens tokens = find_tokens(masks, unusual.space);
  const Followers followers = find_followers_of(tokens);
  if (is_unusual && !check_strings(tokens, unusual)) return false;
  if (has_letter(tokens) || has_word(tokens)) return false;
  signs = tokens.comma | tokens.colon | tokens.open | tokens.close;
  return fit(tokens, followers) && check_scalars(tokens, masks) && check_nesting(tokens, followers);
}

void Skipper::take_block() {
  std::uint64_t signs = 0;
  if (!check_block(signs)) {
    stop();
  } else if (end_ == SkipEnd::bytes) {
    if (signs != 0) reached_ = base_ + highest(signs) + 1;
    base_ += block_bytes;
    // There are no objects in this block. Looking far ahead from each of many numbers would take a long time.
    if (nesting_->depth() == element_depth_ && base_ >= elements_.byte_count + block_bytes) stop();
  }
}

}  // namespace

Skipped skip_blocks(ByteSpan bytes, State state, Nesting& nesting, const SkipOptions& options) {
  return Skipper(bytes, state, nesting, options).run();
}

SkippedObjects skip_objects_without(std::string_view letters, std::string_view word, ByteSpan bytes,
                                    Nesting& nesting, SkipOptions options) {
  options.depth = nesting.depth() - 1;
  return Skipper(bytes, State::first_element, nesting, options).run_over_objects(letters, word);
}

}  // namespace heapcheck::core::json
