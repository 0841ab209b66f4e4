#include "export/page/page.hpp"

#include "formats/core/text/utf8.hpp"

namespace heapcheck::exports::page {

std::string cut_name(std::string_view name) {
  if (name.size() <= most_name_bytes) return std::string(name);
  constexpr std::string_view ellipsis = "\xe2\x80\xa6";
  std::string_view start = name.substr(0, most_name_bytes - ellipsis.size());
  start.remove_suffix(core::find_cut_utf8(core::as_bytes(start)));
  return std::string(start).append(ellipsis);
}

std::string make_page(const PageData& data) {
  std::string page(page_start());
  // A browser ends the data at the first `</script`, wherever it is.
  for (const char letter : make_json(data, core::JsonLayout::line)) {
    if (letter == '<')
      page += "\\u003c";
    else
      page += letter;
  }
  return page.append(page_end());
}

}  // namespace heapcheck::exports::page
