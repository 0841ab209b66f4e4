// Findings in an event whose kind is not yet known. They are kept for each payload until the kind is known,
// and are then passed on or dropped. Borrows the sink that receives them.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "formats/chrome/payload.hpp"
#include "formats/core/finding_sink.hpp"

namespace heapcheck::chrome {

class EventFindings final : public core::FindingSink {
 public:
  explicit EventFindings(core::FindingSink& next) : next_(&next) {}

  /// Attributes findings to `payload` until the next call to enter() or leave().
  void enter(Payload payload) { current_ = static_cast<std::size_t>(payload); }
  /// Attributes findings to the event itself from now on.
  void leave() { current_ = payload_count; }

  void report(Finding finding) override {
    ++part().kept[finding.rule];
    has_limit_ = has_limit_ || finding.rule->stage == Stage::limit;
    part().findings.push_back(std::move(finding));
  }
  void skip(Skip skip) override { part().skips.push_back(std::move(skip)); }
  void report_more(const Rule& rule, std::uint64_t count) override { part().more[&rule] += count; }
  /// The findings for other payloads are not counted, because they may still be dropped.
  [[nodiscard]] std::uint64_t wanted(const Rule& rule) const override {
    const auto& kept = parts_[current_].kept;
    const auto count = kept.find(&rule);
    const std::uint64_t wanted = next_->wanted(rule);
    return count == kept.end() ? wanted : wanted - std::min(wanted, count->second);
  }

  [[nodiscard]] bool has_any() const {
    return std::ranges::any_of(parts_,
                               [](const Part& part) { return !part.findings.empty() || !part.more.empty(); });
  }
  /// Whether a limit was reached.
  [[nodiscard]] bool has_limit() const { return has_limit_; }

  void pass_on() {
    for (Part& part : parts_) {
      for (Finding& finding : part.findings) core::report_or_count(*next_, std::move(finding));
      for (Skip& skip : part.skips) next_->skip(std::move(skip));
      for (const auto& [rule, count] : part.more) next_->report_more(*rule, count);
    }
    forget();
  }
  void forget(Payload payload) { parts_[static_cast<std::size_t>(payload)] = {}; }
  void forget() {
    parts_ = {};
    has_limit_ = false;
  }

 private:
  struct Part {
    std::vector<Finding> findings;
    std::vector<Skip> skips;
    std::map<const Rule*, std::uint64_t> more;
    std::map<const Rule*, std::uint64_t> kept;  // the number of findings
  };
  Part& part() { return parts_[current_]; }

  core::FindingSink* next_;
  std::array<Part, payload_count + 1> parts_;
  std::size_t current_ = payload_count;
  bool has_limit_ = false;
};

}  // namespace heapcheck::chrome
