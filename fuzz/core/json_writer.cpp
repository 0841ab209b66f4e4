// Property: anything written as JSON is read back unchanged, in both layouts.
#include <algorithm>
#include <cmath>
#include <optional>

#include "fuzz/core/json_program.hpp"
#include "fuzz/support/property.hpp"

using namespace heapcheck;
using namespace heapcheck::core;
using namespace heapcheck::fuzz;

namespace {

bool is_same(std::optional<double> a, double b) { return a == b && std::signbit(*a) == std::signbit(b); }

void check_layout(std::string_view program, JsonLayout layout) {
  std::string out;
  const std::vector<ExpectedToken> expected = JsonProgram(program, out, layout).run();
  MemorySource source(as_bytes(out));
  Window window(source, 100);
  JsonReader reader(window, Limits{});
  for (const ExpectedToken& item : expected) {
    require(reader.next() == item.token, "the tokens written are read back");
    require(item.real ? is_same(reader.as_double(), *item.real) : reader.text() == item.text,
            "the values written are read back");
  }
  require(reader.next() == JsonToken::end && !reader.skip_whitespace(), "nothing else is read back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Pretty output of nested values grows with the square of their depth, and longer programs do not test
  // anything new.
  constexpr std::size_t longest_program = 4096;
  const std::string_view program = as_text({data, std::min(size, longest_program)});
  check_layout(program, JsonLayout::compact);
  check_layout(program, JsonLayout::pretty);
  return 0;
}
