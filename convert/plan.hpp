// Determines, before anything is written, what a conversion would write and lose. The plan has the same type
// for all formats, and each family makes its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/model.hpp"
#include "formats/open.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::conversion {

/// What the caller requests.
struct Request {
  Target target{};
  int level = 9;                           ///< the zstd level, if the target is compressed
  bool keep_trace = false;                 ///< whether to keep all other events of a trace
  std::optional<std::uint64_t> threshold;  ///< in bytes, only for chrome-legacy
  std::optional<double> share;             ///< in percent, only for chrome-legacy
  Limits limits;
};

struct Plan {
  std::vector<Amount> amounts;  ///< items in the input
  std::vector<Loss> losses;     ///< data that the target cannot represent
  std::vector<Loss> asked_for;  ///< data that the request leaves out
  /// Can be called once, as long as the source and the content exist.
  std::function<Result<void>(core::ByteSink& out)> write;
};

/// Makes the plan for a sound dump in `format`. `source` provides the dump, and `content` contains the parts
/// of it that were kept when it was checked. Borrows both, and may leave `content` empty. Errors: unsupported
/// if the target is not in the family of the format or does not support the request; any error from reading
/// the source; limit.
Result<Plan> make_plan(core::SeekableSource& source, Format format, formats::Content& content,
                       const Request& request);

/// Moves the model out of `content`, or reads it from `source` if `content` does not contain it because it
/// was not kept when the file was checked. Errors: any error from reading the source; unreadable if the
/// source now has a different format.
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

namespace mvmheap {
/// Plans how to write a MoarVM dump in a different version.
Result<Plan> make_plan(core::SeekableSource& source, Format format, formats::Content& content,
                       const Request& request);
}  // namespace mvmheap

namespace chrome {
/// Plans how to write the heap dumps of a trace in the other format, or in the canonical form of their own
/// format. Errors: unsupported if the trace contains no heap dumps or dumps in both formats.
Result<Plan> make_plan(core::SeekableSource& source, formats::Content& content, const Request& request);
}  // namespace chrome

namespace v8 {
/// The loss of `unknown_members` members that V8 does not write, or no loss if the number is 0.
std::vector<Loss> find_losses(std::uint64_t unknown_members);
}  // namespace v8

}  // namespace heapcheck::conversion
