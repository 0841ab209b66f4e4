// What was read of a file when it was checked, or else is read now.
#pragma once

#include <memory>
#include <utility>
#include <variant>

#include "formats/read_content.hpp"

namespace heapcheck::conversion {

/// The model in `content`, which is empty afterwards; read from `source` where it is not there. Errors: those
/// of reading the source; unreadable, where it is of another format by now.
template <class Model>
Result<Model> take_model(core::SeekableSource& source, formats::Content& content, const Limits& limits) {
  if (std::holds_alternative<std::monostate>(content.model)) {
    auto input = formats::open(std::make_unique<core::RangeSource>(source, 0), limits);
    if (!input) return std::unexpected(input.error());
    core::SilentSink sink;
    content = formats::read_content(*input->detection.format, *input->window, limits, sink);
  }
  if (content.obstacle) return std::unexpected(*content.obstacle);
  formats::Model model = std::exchange(content.model, {});
  if (auto* const found = std::get_if<Model>(&model)) return std::move(*found);
  return std::unexpected(Error{ErrorKind::unreadable, "has changed while it was read"});
}

}  // namespace heapcheck::conversion
