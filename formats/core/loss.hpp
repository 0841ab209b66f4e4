// What a conversion or a recovery could not keep, or had to make up.
#pragma once

#include <cstdint>
#include <string>

namespace heapcheck::core {

struct Loss {
  std::string what;         ///< a kind of thing, in the plural
  std::uint64_t count = 0;  ///< of these
  std::string reason;       ///< a few words
};

}  // namespace heapcheck::core
