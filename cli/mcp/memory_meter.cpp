#include "cli/mcp/memory_meter.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace heapcheck::cli::mcp {

MemoryMeter::MemoryMeter() : file_(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC)) {}
MemoryMeter::~MemoryMeter() {
  if (file_ >= 0) ::close(file_);
}

std::uint64_t MemoryMeter::measure() const {
  std::array<char, 200> text{};
  if (file_ < 0 || ::pread(file_, text.data(), text.size() - 1, 0) <= 0) return 0;
  unsigned long long all = 0;
  unsigned long long resident = 0;
  unsigned long long shared = 0;
  if (std::sscanf(text.data(), "%llu %llu %llu", &all, &resident, &shared) != 3 || resident < shared)
    return 0;
  return (resident - shared) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace heapcheck::cli::mcp
