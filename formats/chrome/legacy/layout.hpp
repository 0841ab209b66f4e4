// Names that have a meaning of their own in legacy heap dumps. spec: chrome/legacy.md#values
#pragma once

#include <string_view>

namespace heapcheck::chrome::legacy {

/// The name of a frame that stands for the memory of its caller itself.
inline constexpr std::string_view self_name = "<self>";
/// The name of the frame or type that readers give to what no entry accounts for. It is never written where
/// it can be worked out.
inline constexpr std::string_view other_name = "<other>";

}  // namespace heapcheck::chrome::legacy
