// Provides the model of a file: the one that was kept when the file was checked or, if there is none, a new
// one.
#pragma once

#include <memory>
#include <utility>
#include <variant>

#include "formats/core/source.hpp"
#include "formats/model.hpp"
#include "formats/open.hpp"

namespace heapcheck::conversion {

/// Moves the model out of `content`, or reads it from `source` if `content` has none. Errors: those of
/// reading the source; unreadable, if the source now has a different format.
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
  return core::make_changed();
}

}  // namespace heapcheck::conversion
