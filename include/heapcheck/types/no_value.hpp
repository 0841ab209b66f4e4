// What a variant holds if it has no value.
#pragma once

namespace heapcheck {

/// Like std::monostate, but not trivially copyable. If each alternative of a std::variant is trivial, a
/// string or a vector, libstdc++ 12 takes the variant for one that always has a value, and if there is no
/// memory to copy it, destroys the copy that was never made.
struct NoValue {
  // NOLINTBEGIN(modernize-use-equals-default)
  NoValue() noexcept {}                ///< Makes no value.
  NoValue(const NoValue&) noexcept {}  ///< Copies nothing.
  /// Copies nothing.
  NoValue& operator=(const NoValue&) noexcept { return *this; }
  // NOLINTEND(modernize-use-equals-default)
  ~NoValue() = default;
  /// All are equal.
  friend constexpr bool operator==(const NoValue& /*a*/, const NoValue& /*b*/) noexcept { return true; }
};

}  // namespace heapcheck
