#include "formats/v8/heapprofile/context.hpp"

#include <fmt/format.h>

#include "formats/core/excerpt.hpp"
#include "formats/core/faults.hpp"

namespace heapcheck::v8::heapprofile {

using core::JsonToken;

bool Context::within_memory(std::string_view path) {
  if (stopped_ || profile.memory() + container.memory() <= max_memory_) return !stopped_;
  stopped_ = true;
  sink.flush();
  sink.report({&core::rules::limit_memory,
               {json.span(), std::nullopt, std::string(path)},
               fmt::format("the profile needs more than {} bytes of memory", max_memory_)});
  sink.flush();
  return false;
}

/// Whether the current key was not met yet in objects of this kind; false also when there are too many.
bool Context::is_new(std::string_view kind) {
  constexpr std::size_t most_names = 64;
  constexpr std::size_t most_bytes = 200;
  if (unknown_.size() >= most_names) return false;
  return unknown_.insert(fmt::format("{} {}", kind, json.text().substr(0, most_bytes))).second;
}

void Context::report_unknown(std::string_view kind, std::string path) {
  sink.report({&rules::file_unknown,
               {json.span(), std::nullopt, std::move(path)},
               fmt::format("a {} has a member \"{}\", which V8 does not write", kind,
                           core::make_excerpt(json.text()))});
}

void Context::report_duplicate(std::string path) {
  sink.report(
      {&core::rules::json_object_duplicate_key,
       {json.span(), std::nullopt, std::move(path)},
       fmt::format("the object has a second `{}`; a member must occur once", std::string(json.text()))});
}

}  // namespace heapcheck::v8::heapprofile
