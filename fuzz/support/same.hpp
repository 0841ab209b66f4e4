// Compares records by some of their members.
#pragma once

namespace heapcheck::fuzz {

/// Whether two records are equal in these members: `same<&Line::kind, &Line::span>(a, b)`.
template <auto... members>
inline constexpr auto same = [](const auto& a, const auto& b) { return ((a.*members == b.*members) && ...); };

}  // namespace heapcheck::fuzz
