#include "formats/v8/heapsnapshot/context.hpp"

#include <fmt/format.h>

#include "formats/core/json/input.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "formats/v8/heapsnapshot/string_table.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

using core::ByteSpan;
using core::JsonToken;

class StringsReader {
 public:
  explicit StringsReader(Context& context)
      : context_(&context), wrong_(context, rules::strings_type, "a string") {
    strings_.extent = Extent::cut;
  }

  Strings read() {
    const std::uint64_t offset = context_->json.span().offset;
    context_->json.set_max_text(static_cast<std::size_t>(context_->max_string()));
    while (read_some()) {
    }
    wrong_.report();
    context_->json.set_max_text(static_cast<std::size_t>(context_->max_text()));
    if (context_->is_at_array_end()) strings_.extent = Extent::whole;
    strings_.span = {offset, context_->json.span().end() - offset};
    return std::move(strings_);
  }

 private:
  /// Reads the plain strings in the window or, if there are none, a single other value. Returns false at the
  /// end of the array.
  bool read_some() {
    const ByteSpan bytes = context_->json.peek_elements();
    const std::size_t taken = take_plain(bytes, context_->json.span().offset);
    if (taken != 0) {
      context_->json.take_elements(taken);
      return !context_->memory.is_spent();
    }
    return !context_->memory.is_spent() && read_one();
  }

  /// Reads complete strings, each with its comma. Returns their total length in bytes.
  std::size_t take_plain(ByteSpan bytes, std::uint64_t offset) {
    std::size_t taken = 0;
    for (std::size_t at = 0; at < bytes.size() && bytes[at] == '"';) {
      const std::size_t length = respell(bytes.subspan(at + 1), strings_.table.begin_string(offset + at));
      const std::size_t comma = at + 1 + length + 1;
      if (length == not_respelled || length > context_->max_string() || comma >= bytes.size() ||
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
    const JsonToken token = context_->json.next();
    if (token == JsonToken::array_end || token == JsonToken::error) return false;
    const Span span = context_->json.span();
    std::string& text = strings_.table.begin_string(span.offset);
    if (token == JsonToken::string) {
      append_spelling(context_->json.text(), text);
    } else {
      report_wrong();
    }
    return end_string(span.offset) && context_->goes_on();
  }

  void report_wrong() {
    ++strings_.wrong_values;
    const std::uint64_t index = strings_.table.count();
    wrong_.add(index, [index] { return fmt::format("/strings/{}", index); });
  }

  bool end_string(std::uint64_t offset) {
    const std::uint64_t memory = strings_.table.end_string();
    return context_->take_memory(memory, offset, "/strings");
  }

  Context* context_;
  WrongElements wrong_;
  Strings strings_;
};

}  // namespace

Strings read_strings(Context& context) { return StringsReader(context).read(); }

}  // namespace heapcheck::v8::heapsnapshot
