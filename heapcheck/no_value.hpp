// What a variant holds if it has no value.
#pragma once

namespace heapcheck {

/// Like std::monostate, but not trivially copyable. If each alternative of a std::variant is trivial, a
/// string or a vector, libstdc++ 12 takes the variant for one that always has a value, and if there is no
/// memory to copy it, destroys the copy that was never made.
struct NoValue {
  NoValue() noexcept {}                                          // NOLINT(modernize-use-equals-default)
  NoValue(const NoValue&) noexcept {}                            // NOLINT(modernize-use-equals-default)
  NoValue& operator=(const NoValue&) noexcept { return *this; }  // NOLINT(modernize-use-equals-default)
  ~NoValue() = default;
  friend constexpr bool operator==(const NoValue&, const NoValue&) noexcept { return true; }
};

}  // namespace heapcheck
