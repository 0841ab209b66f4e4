// Property: names that can_hold() accepts are unchanged after writing and reading, whatever names are next to
// them, and make_holdable() returns names that can_hold() accepts. The input is a list of names separated by
// the byte 0xFF.
#include <algorithm>

#include "formats/mvmheap/v1/names.hpp"
#include "formats/mvmheap/v1/reader.hpp"
#include "formats/mvmheap/v1/writer.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v1;
using fuzz::require;

namespace {

void check_coding(std::string_view name) {
  std::string text;
  encode_name(name, text);
  require(encoded_name_bytes(name) == text.size(), "the length of a written name is predicted");
  std::string decoded;
  require(!decode_name(text, decoded) && decoded == name, "a written name decodes to itself");
}

void check_names(const mvmheap::Tables& tables) {
  core::MemorySink sink;
  Writer writer(sink);
  require(writer.finish(tables).has_value(), "acceptable names are written");
  core::MemorySource source(sink.bytes());
  core::Window window(source);
  validation::Collector collector(20);
  FrontReader reader(window, {}, collector);
  LinePart part;
  while (reader.read_part(part)) require(part.strings_known, "the reader marks written names as known");
  require(collector.take_findings().empty(), "written names are read without findings");
  require(reader.tables() == tables, "names do not change");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = core::as_text({data, size});
  mvmheap::Tables tables;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\xFF'), rest.size());
    const std::string_view name = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    check_coding(name);
    if (can_hold(name)) tables.strings.add(name);
    const std::string held = make_holdable(name);
    require(can_hold(held), "make_holdable() returns an acceptable name");
    require(!can_hold(name) || held == name, "an acceptable name is left alone");
    tables.strings.add(held);
  }
  check_names(tables);
  return 0;
}
