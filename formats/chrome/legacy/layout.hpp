// Names with a special meaning in legacy heap dumps. spec: chrome/legacy.md#values
#pragma once

#include <string_view>

namespace heapcheck::chrome::legacy {

/// The name of a frame that represents its caller's own memory.
inline constexpr std::string_view self_name = "<self>";
/// The name that readers give to the frame or type of memory that is not covered by any entry. It is not
/// written if readers can derive it.
inline constexpr std::string_view other_name = "<other>";

}  // namespace heapcheck::chrome::legacy
