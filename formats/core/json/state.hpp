// Where between two tokens a JSON document is, inside an array or object or outside all of them.
#pragma once

#include <cstdint>

namespace heapcheck::core::json {

enum class State : std::uint8_t {
  value,          ///< a value comes next
  first_element,  ///< after `[`
  first_key,      ///< after `{`
  after_key,      ///< a colon comes next
  after_value,
  done,
  failed,
};

}  // namespace heapcheck::core::json
