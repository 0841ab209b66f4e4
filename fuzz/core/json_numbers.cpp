// Property: numbers in JSON have the values that the C library computes, read one by one or in bulk, and a
// number that does not fit in a type has no value of that type. The input is the text between `[` and `]`.
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "formats/core/json/reader.hpp"
#include "fuzz/support/inputs.hpp"
#include "fuzz/support/lanes.hpp"

using namespace heapcheck;
using core::JsonToken;
using fuzz::require;

namespace {

std::optional<std::uint64_t> parse_unsigned(const std::string& text) {
  if (text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  errno = 0;
  const std::uint64_t value = std::strtoull(text.c_str(), nullptr, 10);
  return errno == 0 ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> parse_signed(const std::string& text) {
  if (text.find_first_not_of("-0123456789") != std::string::npos) return std::nullopt;
  errno = 0;
  const std::int64_t value = std::strtoll(text.c_str(), nullptr, 10);
  return errno == 0 ? std::optional(value) : std::nullopt;
}

void check_real(const std::string& text, std::optional<double> real) {
  const double value = std::strtod(text.c_str(), nullptr);
  const bool is_zero = text.find_first_of("123456789") >= text.find_first_of("eE");
  const bool has_value = std::isfinite(value) && (value != 0 || is_zero);
  require(real.has_value() == has_value, "a number that fits in a double has a value");
  require(!real || (*real == value && std::signbit(*real) == std::signbit(value)), "it is the nearest one");
}

void check_number(const core::JsonReader& reader) {
  const std::string text(reader.text());
  if (reader.truncated_text()) return;
  require(reader.is_integer() == (text.find_first_of(".eE") == std::string::npos), "integers are recognised");
  require(reader.as_unsigned() == parse_unsigned(text), "an unsigned value matches the text");
  require(reader.as_signed() == parse_signed(text), "a signed value matches the text");
  check_real(text, reader.as_double());
}

struct Numbers {
  std::vector<std::uint64_t> first;  ///< the unsigned numbers at the front
  bool has_error = false;
  bool operator==(const Numbers&) const = default;
};

Numbers read(core::ByteSpan bytes, std::size_t capacity, bool in_bulk) {
  core::MemorySource source(bytes, capacity / 2);
  core::Window window(source, capacity);
  core::JsonReader reader(window, fuzz::make_limits());
  Numbers numbers;
  bool is_first = true;
  reader.next();
  if (in_bulk) reader.read_unsigned_array(numbers.first, SIZE_MAX);
  while (reader.next() < JsonToken::end) {
    if (reader.token() == JsonToken::number) check_number(reader);
    is_first = is_first && reader.token() == JsonToken::number && reader.as_unsigned() && reader.is_integer();
    if (is_first) numbers.first.push_back(*reader.as_unsigned());
  }
  numbers.has_error = reader.error().has_value();
  return numbers;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = '[' + std::string(core::as_text({data, size})) + ']';
  const Numbers one_by_one = read(core::as_bytes(text), 64, false);
  fuzz::with_all_lanes([&] {
    require(read(core::as_bytes(text), 512, true) == one_by_one, "bulk reading returns the same numbers");
  });
  return 0;
}
