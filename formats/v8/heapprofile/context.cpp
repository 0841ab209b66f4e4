#include "formats/v8/heapprofile/context.hpp"

#include <fmt/format.h>

#include "formats/core/faults.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::v8::heapprofile {

/// Whether the current key is new in objects of this kind. Also false if too many keys were seen before.
bool Context::is_new(std::string_view kind) {
  constexpr std::size_t most_names = 64;
  constexpr std::size_t most_bytes = 200;
  if (unknown_.size() >= most_names) return false;
  return unknown_.insert(fmt::format("{} {}", kind, json.text().substr(0, most_bytes))).second;
}

std::string Context::describe_unknown(std::string_view kind) const {
  return fmt::format("a {} has a member \"{}\", which V8 does not write", kind,
                     core::make_excerpt(json.text()));
}

}  // namespace heapcheck::v8::heapprofile
