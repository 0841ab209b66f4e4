#include "formats/mvmheap/seeking_reader.hpp"

#include <utility>

namespace heapcheck::mvmheap {

void SeekingReader::seek(std::uint64_t offset) {
  const bool is_near = offset >= window_.offset() && offset - window_.offset() <= window_.capacity();
  if (is_near && window_.skip(offset - window_.offset()) == offset - window_.offset()) return;
  range_ = core::RangeSource(*source_, offset);
  window_ = core::Window(range_, core::Window::default_capacity, offset);
}

void SeekingReader::report(const Rule& rule, Span place, const std::string& path, std::string message) {
  if (!error_) error_ = window_.error();
  if (!error_) sink_->report({&rule, {place, std::nullopt, path}, std::move(message)});
}

}  // namespace heapcheck::mvmheap
