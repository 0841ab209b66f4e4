#include "formats/v8/heapsnapshot/strings_reader.hpp"

#include <fmt/format.h>

#include "formats/core/json/input.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "formats/v8/heapsnapshot/spelling.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

using core::ByteSpan;
using core::JsonToken;

class StringsReader {
 public:
  explicit StringsReader(Reading& reading) : reading_(&reading) { strings_.is_present = true; }

  Strings read() {
    const std::uint64_t offset = reading_->json.span().offset;
    reading_->json.set_max_text(static_cast<std::size_t>(reading_->max_string()));
    while (read_some()) {
    }
    reading_->json.set_max_text(static_cast<std::size_t>(reading_->max_text()));
    strings_.is_whole = reading_->json.token() == JsonToken::array_end && !reading_->is_full();
    strings_.span = {offset, reading_->json.span().end() - offset};
    return std::move(strings_);
  }

 private:
  /// Takes the plain strings in sight, and one that is not; false at the end of the array.
  bool read_some() {
    const ByteSpan bytes = reading_->json.peek_elements();
    const std::size_t taken = take_plain(bytes, reading_->json.span().offset);
    if (taken != 0) {
      reading_->json.take_elements(taken);
      return !reading_->is_full();
    }
    return !reading_->is_full() && read_one();
  }

  /// How many bytes of whole strings, each with its comma, were taken.
  std::size_t take_plain(ByteSpan bytes, std::uint64_t offset) {
    std::size_t taken = 0;
    for (std::size_t at = 0; at < bytes.size() && bytes[at] == '"';) {
      const std::size_t length = respell(bytes.subspan(at + 1), strings_.table.begin_string(offset + at));
      const std::size_t comma = at + 1 + length + 1;
      if (length == not_respelled || length > reading_->max_string() || comma >= bytes.size() ||
          bytes[comma] != ',') {
        strings_.table.drop_string();
        break;
      }
      if (!end_string(offset + at)) break;
      taken = at = comma + 1;
      while (at < bytes.size() && core::json::Input::is_space(bytes[at])) ++at;
    }
    return taken;
  }

  bool read_one() {
    const JsonToken token = reading_->json.next();
    if (token == JsonToken::array_end || token == JsonToken::error) return false;
    const Span span = reading_->json.span();
    std::string& text = strings_.table.begin_string(span.offset);
    if (token == JsonToken::string) {
      append_spelling(reading_->json.text(), text);
    } else {
      report_wrong(span);
    }
    return end_string(span.offset) && reading_->goes_on();
  }

  void report_wrong(Span span) {
    ++strings_.wrong_values;
    const bool is_described = reading_->wants(rules::strings_type);
    const std::string found = is_described ? describe_value(reading_->json) : std::string();
    reading_->skip_current();
    if (!reading_->goes_on()) return;
    if (!is_described) return reading_->count(rules::strings_type);
    reading_->report(rules::strings_type, span, fmt::format("/strings/{}", strings_.table.count()),
                     fmt::format("is {}, a string is required", found));
  }

  bool end_string(std::uint64_t offset) {
    const std::uint64_t memory = strings_.table.end_string();
    return reading_->charge(memory, offset, "/strings");
  }

  Reading* reading_;
  Strings strings_;
};

}  // namespace

Strings read_strings(Reading& reading) { return StringsReader(reading).read(); }

}  // namespace heapcheck::v8::heapsnapshot
