#include <array>
#include <string_view>

#include "formats/core/transport/decoders.hpp"
#include "formats/core/transport/decoding_source.hpp"

namespace heapcheck::core {
namespace {

constexpr std::string_view marker = "<script id=\"viewer-data\"";

constexpr std::uint8_t no_digit = 0xFF;
constexpr auto base64_digits = [] {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<std::uint8_t, 256> values{};
  values.fill(no_digit);
  for (std::size_t i = 0; i < digits.size(); ++i)
    values[static_cast<std::uint8_t>(digits[i])] = static_cast<std::uint8_t>(i);
  return values;
}();

class HtmlSource final : public DecodingSource {
 public:
  using DecodingSource::DecodingSource;

 protected:
  Result<std::size_t> decode(MutableByteSpan buffer) override;

 private:
  enum class State : std::uint8_t { before, tag, inside, after };

  Result<std::size_t> end(std::size_t made);
  void scan(std::uint8_t byte);
  [[nodiscard]] bool take_digit(std::uint8_t byte);

  State state_ = State::before;
  std::size_t matched_ = 0;  // the number of matched bytes of the marker
  bool is_first_ = true;     // whether no trace has been found yet
  std::uint32_t bits_ = 0;
  std::uint32_t bit_count_ = 0;
  bool is_padded_ = false;
};

Result<std::size_t> HtmlSource::decode(MutableByteSpan buffer) {
  std::size_t made = 0;
  while (made < buffer.size()) {
    const auto input = pending();
    if (!input) return fail(made, input.error().kind, input.error().message);
    if (input->empty()) return end(made);
    std::size_t at = 0;
    for (; at < input->size() && made < buffer.size(); ++at) {
      const std::uint8_t byte = (*input)[at];
      if (state_ != State::inside) {
        scan(byte);
      } else if (!take_digit(byte)) {
        return fail(made, ErrorKind::damaged, "the trace in the HTML page is not base64");
      }
      if (state_ == State::tag && !is_first_) {
        return fail(made, ErrorKind::unsupported, "is an HTML page with more than one trace");
      }
      if (bit_count_ < 8) continue;
      bit_count_ -= 8;
      buffer[made++] = static_cast<std::uint8_t>(bits_ >> bit_count_);
    }
    consume(at);
  }
  return made;
}

/// Returns how many bytes were decoded last, or the reason why the page cannot be read.
Result<std::size_t> HtmlSource::end(std::size_t made) {
  if (state_ == State::after) return made;
  if (state_ == State::before) {
    return fail(made, ErrorKind::unknown_format, "is an HTML page without a trace by trace2html");
  }
  return fail(made, ErrorKind::damaged, "the HTML page that contains the file is truncated");
}

/// Looks for the marker and then for the end of its tag.
void HtmlSource::scan(std::uint8_t byte) {
  const char character = static_cast<char>(byte);
  if (state_ == State::tag) {
    if (character == '>') {
      state_ = State::inside;
      is_first_ = false;
    }
    return;
  }
  matched_ = character == marker[matched_] ? matched_ + 1 : (character == marker[0] ? 1 : 0);
  if (matched_ < marker.size()) return;
  matched_ = 0;
  state_ = State::tag;
}

/// Adds a digit to the bits. Returns false if the byte is neither a digit nor white space, padding, or the
/// start of the next tag.
bool HtmlSource::take_digit(std::uint8_t byte) {
  if (byte == '<') {
    state_ = State::after;
    bit_count_ = 0;
    return true;
  }
  if (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t') return true;
  if (byte == '=') return is_padded_ = true;
  const std::uint8_t digit = base64_digits[byte];
  if (digit == no_digit || is_padded_) return false;
  bits_ = bits_ << 6 | digit;
  bit_count_ += 6;
  return true;
}

}  // namespace

bool is_html(ByteSpan first_bytes) {
  std::string start;
  for (const std::uint8_t byte : first_bytes.first(std::min<std::size_t>(first_bytes.size(), 5))) {
    start += static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
  }
  return start == "<!doc" || start == "<html";
}

std::unique_ptr<ByteSource> make_html_source(std::unique_ptr<ByteSource> source, const Limits& limits) {
  return std::make_unique<HtmlSource>(std::move(source), limits);
}

}  // namespace heapcheck::core
