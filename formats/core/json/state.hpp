// Where between two tokens a JSON document stands, inside an array or object or outside of all.
#pragma once

#include <cstdint>

namespace heapcheck::core::json {

enum class State : std::uint8_t {
  value,          ///< a value comes next
  first_element,  ///< behind `[`
  first_key,      ///< behind `{`
  after_key,      ///< a colon comes next
  after_value,
  done,
  failed,
};

}  // namespace heapcheck::core::json
