// Reports on several dumps, in the forms of the program's `validate`, made piece by piece.
#pragma once

#include "bindings/wasm/state.hpp"

namespace heapcheck::wasm {

/// Begins a report, which replaces an unfinished one. Returns the piece before the first dump.
Response begin_report(const Request& request);
/// Checks a dump, or takes the error because of which it could not be opened. Returns a JSON document with
/// its piece of the report.
Response add_to_report(const Request& request);
/// Returns the piece after the last dump.
Response end_report(const Request& request);

}  // namespace heapcheck::wasm
