// Macros for loops with instructions that not every x86-64 processor supports. Apart from HEAPCHECK_API,
// these are the project's only macros outside fuzz and test support.
//
// HEAPCHECK_HOT_LOOP is for the few loops over whole columns in which a check spends most of its time. It
// also compiles them for AVX2 and for AVX-512, and one version is chosen when the program starts. Sanitizers
// start before this choice can be made, so their builds use the plain loop.
//
// HEAPCHECK_AVX2 and HEAPCHECK_AVX512 are for functions with such instructions. They are called only if
// used_lanes() returns their lanes. By default, these are the widest lanes that the processor has. Nothing
// else depends on this choice, because all versions decode the same numbers from the same bytes.
#pragma once

#include <atomic>
#include <cstdint>

#if defined(__has_feature)
#define HEAPCHECK_HAS_FEATURE(name) __has_feature(name)
#else
#define HEAPCHECK_HAS_FEATURE(name) 0
#endif

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(HEAPCHECK_SANITIZED) && \
    !HEAPCHECK_HAS_FEATURE(coverage_sanitizer)
#define HEAPCHECK_HOT_LOOP __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HEAPCHECK_HOT_LOOP
#endif

#define HEAPCHECK_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define HEAPCHECK_AVX512 \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))

namespace heapcheck::core {

/// The instruction sets for decoding numbers, from narrow to wide.
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

/// The setting for the whole process: the widest lanes, unless use_lanes() has changed it.
inline std::atomic<Lanes>& lanes_setting() {
  static std::atomic<Lanes> lanes = find_widest_lanes();
  return lanes;
}

/// The lanes that are used to decode numbers.
[[nodiscard]] inline Lanes used_lanes() { return lanes_setting().load(std::memory_order_relaxed); }

/// Changes the lanes for the whole process. For tests only. The processor must support these lanes.
inline void use_lanes(Lanes lanes) { lanes_setting().store(lanes, std::memory_order_relaxed); }

}  // namespace heapcheck::core
