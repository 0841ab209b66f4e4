// Writes the page about heap dumps: its data as JSON, and one HTML file that contains them. Borrows the data.
#pragma once

#include <string>
#include <string_view>

#include "export/page/data.hpp"
#include "formats/core/output/json_writer.hpp"

namespace heapcheck::exports::page {

/// spec: heap-report.schema.json
[[nodiscard]] std::string make_json(const PageData& data, core::JsonLayout layout);

/// The page with these data, on which nothing in a name has an effect. It needs no other file.
[[nodiscard]] std::string make_page(const PageData& data);

/// The start of a name, at most `most_name_bytes` long, and an ellipsis if it was cut.
[[nodiscard]] std::string cut_name(std::string_view name);

/// The page before and after its data, from export/page/web/.
[[nodiscard]] std::string_view page_start();
[[nodiscard]] std::string_view page_end();

}  // namespace heapcheck::exports::page
