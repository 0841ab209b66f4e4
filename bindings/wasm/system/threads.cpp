// Without threads, independent pieces of work are done one after another.
#include <utility>

#include "formats/core/threads/parallel.hpp"

namespace heapcheck::core {

void run_parallel(unsigned, std::size_t count, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source) { return source; }

}  // namespace heapcheck::core
