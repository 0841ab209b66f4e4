// Reads the trace in an HTML page that Catapult's `trace2html` wrote: gzip, encoded in base64, in a script
// element with the id `viewer-data`.
#pragma once

#include <memory>

#include "formats/core/source.hpp"

namespace heapcheck::core {

/// Returns whether a file begins like an HTML page.
[[nodiscard]] bool is_html(ByteSpan first_bytes);

/// The bytes that the page holds in base64. Errors: damaged, unknown_format if the page has no trace, and
/// unsupported if it has several.
std::unique_ptr<ByteSource> make_html_source(std::unique_ptr<ByteSource> source, const Limits& limits);

}  // namespace heapcheck::core
