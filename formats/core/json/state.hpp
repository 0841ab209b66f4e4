// The state of a JSON document between two tokens: the kind of token that may come next.
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
