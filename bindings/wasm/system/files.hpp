// The outputs of conversions and recoveries, which the module keeps in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heapcheck::wasm {

/// Removes the output with that name, and returns its bytes; empty if there is none.
[[nodiscard]] std::vector<std::uint8_t> take_output(const std::string& name);
/// The bytes of the output with that name; empty if there is none. They are valid until it is taken.
[[nodiscard]] std::span<const std::uint8_t> view_output(const std::string& name);

}  // namespace heapcheck::wasm
