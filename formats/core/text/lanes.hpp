// Which wide instructions decode numbers: by default, the widest that the processor has. Nothing else may
// depend on this: all of them decode the same numbers from the same bytes.
#pragma once

#include <atomic>
#include <cstdint>

namespace heapcheck::core {

/// Instructions that decode numbers, from narrow to wide.
enum class Lanes : std::uint8_t { none, avx2, avx512 };

/// The widest lanes that this processor has.
[[nodiscard]] inline Lanes find_widest_lanes() {
#if defined(__x86_64__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") &&
                        __builtin_cpu_supports("popcnt");
  if (!has_avx2) return Lanes::none;
  const bool has_avx512 = __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vbmi") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return has_avx512 ? Lanes::avx512 : Lanes::avx2;
#else
  return Lanes::none;
#endif
}

/// The setting for the whole process. It is the widest lanes unless use_lanes() has changed it.
inline std::atomic<Lanes>& lanes_setting() {
  static std::atomic<Lanes> lanes = find_widest_lanes();
  return lanes;
}

/// The lanes that decode numbers.
[[nodiscard]] inline Lanes used_lanes() { return lanes_setting().load(std::memory_order_relaxed); }

/// Changes the lanes for the whole process, for tests only. The processor must have them.
inline void use_lanes(Lanes lanes) { lanes_setting().store(lanes, std::memory_order_relaxed); }

}  // namespace heapcheck::core
