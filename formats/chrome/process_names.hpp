// Reads the names of processes from `process_name` events. Owns the names.
#pragma once

#include <map>
#include <string>

#include "formats/chrome/payload.hpp"
#include "formats/core/json/context.hpp"

namespace heapcheck::chrome {

class ProcessNames final : public PayloadReader {
 public:
  [[nodiscard]] bool reads(Payload payload) const override { return payload == Payload::process_name; }
  void read(Payload, core::JsonReader& json, const core::JsonPlace&, core::FindingSink&) override {
    if (json.next() == core::JsonToken::string) name_ = json.text().substr(0, max_name);
    core::skip_nested(json);
  }
  void forget(Payload) override { name_.clear(); }
  void finish_event(const EventHead& head, bool is_kept, core::FindingSink&) override {
    if (is_kept && head.pid && !name_.empty() && names_.size() < max_processes) names_[*head.pid] = name_;
    name_.clear();
  }

  /// The last name that the trace gives to each process, by process id.
  [[nodiscard]] const std::map<std::int64_t, std::string>& names() const { return names_; }

 private:
  /// Longer names are truncated, because they are only shown to users.
  static constexpr std::size_t max_name = 1024;
  /// The largest number of processes whose names are kept. A trace usually has a few dozen processes.
  static constexpr std::size_t max_processes = 10'000;

  std::string name_;  // the name in the event that is being read
  std::map<std::int64_t, std::string> names_;
};

}  // namespace heapcheck::chrome
