// What recovering needs to know of findings: nothing but whether reading ended for a reason that is no
// damage, so that a file is not taken for shorter than it is.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::recovery::v8 {

/// Remembers whether a limit was reached, and drops all other findings.
class LimitWatch final : public core::FindingSink {
 public:
  void report(Finding finding) override {
    if (finding.rule->stage == Stage::limit) limit_ = std::move(finding.message);
  }
  void skip(Skip) override {}
  void report_more(const Rule&, std::uint64_t) override {}
  [[nodiscard]] std::uint64_t wanted(const Rule& rule) const override {
    return rule.stage == Stage::limit ? 1 : 0;
  }

  /// Why what was read from `window` is not all that there is; nothing where it is, or where it is damaged.
  [[nodiscard]] std::optional<Error> find_obstacle(const core::Window& window) const {
    if (const auto& error = window.error(); error && error->kind != ErrorKind::damaged) return error;
    if (limit_) return Error{ErrorKind::limit, *limit_};
    return std::nullopt;
  }

 private:
  std::optional<std::string> limit_;
};

}  // namespace heapcheck::recovery::v8
