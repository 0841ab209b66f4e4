// Reads the names of processes from `process_name` events. Owns the names.
#pragma once

#include <map>
#include <string>

#include "formats/chrome/payload.hpp"

namespace heapcheck::chrome {

class ProcessNames final : public PayloadReader {
 public:
  [[nodiscard]] bool reads(Payload payload) const override { return payload == Payload::process_name; }
  void read(Payload payload, core::JsonReader& json, const core::JsonPlace& place,
            core::FindingSink& sink) override;
  void forget(Payload) override { name_.clear(); }
  void finish_event(const EventHead& head, bool is_kept, core::FindingSink& sink) override;

  /// The last name of each process in the trace, by process id.
  [[nodiscard]] const std::map<std::int64_t, std::string>& names() const { return names_; }

 private:
  std::string name_;  // in the event that is being read
  std::map<std::int64_t, std::string> names_;
};

}  // namespace heapcheck::chrome
