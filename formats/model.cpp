#include "formats/model.hpp"

#include <string>
#include <utility>

#include "formats/v8/heapsnapshot/reader.hpp"

namespace heapcheck::formats {
namespace {

/// Passes everything on and records the last limit that was reached.
class LimitWatch final : public core::FindingSink {
 public:
  explicit LimitWatch(core::FindingSink& next) : next_(&next) {}

  void report(Finding finding) override {
    if (finding.rule->stage == Stage::limit) limit_ = finding.message;
    next_->report(std::move(finding));
  }
  void skip(Skip skip) override { next_->skip(std::move(skip)); }
  void report_more(const Rule& rule, std::uint64_t count) override { next_->report_more(rule, count); }
  [[nodiscard]] std::uint64_t wanted(const Rule& rule) const override {
    return rule.stage == Stage::limit ? 1 : next_->wanted(rule);
  }
  [[nodiscard]] const std::optional<std::string>& limit() const { return limit_; }

 private:
  core::FindingSink* next_;
  std::optional<std::string> limit_;
};

Model read_model(Format format, core::Window& window, const Limits& limits, core::FindingSink& sink) {
  switch (family_of(format)) {
    case Family::mvmheap:
      return {};
    case Family::trace:
      return read_trace(window, limits, sink);
    case Family::v8_heapprofile:
      return v8::heapprofile::read_profile(window, limits, sink);
    case Family::v8_heapsnapshot:
      return v8::heapsnapshot::read_snapshot(window, limits, sink);
  }
  return {};
}

}  // namespace

Content read_content(Format format, core::Window& window, const Limits& limits, core::FindingSink& sink) {
  LimitWatch watch(sink);
  Content content{.model = read_model(format, window, limits, watch), .obstacle = std::nullopt};
  if (watch.limit()) content.obstacle = Error{ErrorKind::limit, *watch.limit()};
  if (const auto& error = window.error(); error && error->kind != ErrorKind::damaged)
    content.obstacle = error;
  return content;
}

}  // namespace heapcheck::formats
