// Measures the memory that the server uses.
#pragma once

#include <cstdint>

namespace heapcheck::cli::mcp {

/// The memory that the process itself uses, without the files that it maps.
class MemoryMeter {
 public:
  /// Opens what it reads, because the sandbox forbids this later.
  MemoryMeter();
  MemoryMeter(const MemoryMeter&) = delete;
  MemoryMeter& operator=(const MemoryMeter&) = delete;
  ~MemoryMeter();
  /// In bytes; 0 if it is not known.
  [[nodiscard]] std::uint64_t measure() const;

 private:
  int file_;
};

}  // namespace heapcheck::cli::mcp
