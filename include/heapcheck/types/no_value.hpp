// The variant alternative that has no value.
#pragma once

namespace heapcheck {

/// Like std::monostate, but not trivially copyable. If every alternative of a std::variant is trivial, a
/// string or a vector, libstdc++ 12 assumes that the variant always has a value. If memory runs out while
/// such a variant is copied, libstdc++ 12 then destroys a copy that was never made.
struct NoValue {
  // NOLINTBEGIN(modernize-use-equals-default)
  NoValue() noexcept {}                ///< Makes an object without a value.
  NoValue(const NoValue&) noexcept {}  ///< Copies nothing.
  /// Copies nothing.
  NoValue& operator=(const NoValue&) noexcept { return *this; }
  // NOLINTEND(modernize-use-equals-default)
  ~NoValue() = default;
  /// All objects are equal.
  friend constexpr bool operator==(const NoValue& /*a*/, const NoValue& /*b*/) noexcept { return true; }
};

}  // namespace heapcheck
