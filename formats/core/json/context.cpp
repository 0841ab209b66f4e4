#include "formats/core/json/context.hpp"

#include <fmt/format.h>

#include "formats/core/faults.hpp"

namespace heapcheck::core {

void JsonContext::report_over_memory(Span span, std::string path) const {
  report(rules::limit_memory, span, path, fmt::format(fmt::runtime(over_memory_), memory.max()));
}

}  // namespace heapcheck::core
