#include "convert/mvmheap/targets.hpp"

#include "formats/format.hpp"

namespace heapcheck::conversion::mvmheap {

const model::WrittenLayout& layout_of(Target target) {
  return formats::info_of(target.format).version->layouts[target.layout];
}

Target usual_target(Format format, const Survey& survey) {
  const auto layouts = formats::info_of(format).version->layouts;
  if (survey.count_grown() == 0) return {.format = format};
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    if (layouts[i].capacity.holds_table_growth)
      return {.format = format, .layout = static_cast<std::uint8_t>(i)};
  }
  return {.format = format};
}

}  // namespace heapcheck::conversion::mvmheap
