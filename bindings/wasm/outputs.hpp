// Conversions and recoveries, and their outputs.
#pragma once

#include "bindings/wasm/state.hpp"

namespace heapcheck::wasm {

/// Converts or recovers a dump. Returns a JSON document about the result; the output itself is kept under the
/// name `output` of the request.
Response convert_dump(const Request& request);
Response recover_dump(const Request& request);
/// The bytes of an output, which is then removed; or, if the request has a `byte_count`, at most so many
/// bytes from `offset` on, and the output is removed after its last bytes.
Response give_output(const Request& request);

}  // namespace heapcheck::wasm
