#include "formats/chrome/process_names.hpp"

#include "formats/core/json/context.hpp"

namespace heapcheck::chrome {
namespace {

/// Longer names are truncated, as they are only shown to people.
constexpr std::size_t max_name = 1024;
/// The largest number of processes whose names are kept; a trace has a few dozen processes.
constexpr std::size_t max_processes = 10'000;

}  // namespace

void ProcessNames::read(Payload, core::JsonReader& json, const core::JsonPlace&, core::FindingSink&) {
  const core::JsonToken token = json.next();
  if (token == core::JsonToken::string) name_ = json.text().substr(0, max_name);
  core::skip_nested(json);
}

void ProcessNames::finish_event(const EventHead& head, bool is_kept, core::FindingSink&) {
  if (is_kept && head.pid && !name_.empty() && names_.size() < max_processes) names_[*head.pid] = name_;
  name_.clear();
}

}  // namespace heapcheck::chrome
