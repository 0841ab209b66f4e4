// Property: for any bytes, the page about a dump is at most 3 MB, its data is one JSON document, and
// nothing in the data can end this document.
#include <algorithm>
#include <string>

#include "export/page/page.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/source.hpp"
#include "fuzz/support/inputs.hpp"
#include "heapcheck/page.hpp"
#include "heapcheck/validate.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

void require_json(std::string_view text) {
  core::MemorySource source(core::as_bytes(text));
  core::Window window(source);
  core::JsonReader reader(window, Limits{});
  core::JsonToken token = reader.next();
  while (token != core::JsonToken::end && token != core::JsonToken::error) token = reader.next();
  require(token == core::JsonToken::end, "the data are JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto dump = open_bytes({data, size}, {.limits = fuzz::make_limits()});
  if (!dump) return 0;
  const Report report = heapcheck::validate(*dump);
  HeapPage made;
  constexpr std::size_t most_name_bytes = 100;  // the limit of the page does not apply to names of files
  const std::string name(core::as_text({data, std::min(size, most_name_bytes)}));
  if (!made.add(*dump, report, name, {.has_all_snapshots = true})) return 0;
  const auto page = made.make_page();
  require(page || page.error().kind == ErrorKind::limit, "a dump that was added has a page");
  if (!page) return 0;
  require(page->size() <= 3'000'000, "a page is at most 3 MB");
  const std::string_view start = exports::page::page_start();
  const std::string_view end = exports::page::page_end();
  require(page->starts_with(start) && page->ends_with(end), "the page is around its data");
  const auto json = std::string_view(*page).substr(start.size(), page->size() - start.size() - end.size());
  require(json.find('<') == std::string_view::npos, "nothing ends the data");
  require_json(json);
  return 0;
}
