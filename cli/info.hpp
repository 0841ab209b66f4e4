// What `heapcheck info` tells of a file, whatever its format: each format's unit (info_mvmheap.hpp,
// info_chrome.hpp) reads it, and shows it as text or JSON.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "formats/core/finding_sink.hpp"
#include "formats/core/json/writer.hpp"
#include "formats/core/window.hpp"
#include "formats/detect.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::cli {

struct Info {
  Info() = default;
  Info(const Info&) = delete;
  Info& operator=(const Info&) = delete;
  virtual ~Info() = default;

  /// Appends lines for people, each with its line feed.
  virtual void append_text(std::string& out) const = 0;
  /// Adds members to the object that is open.
  virtual void write_json(core::JsonWriter& json) const = 0;

  Format format{};
  bool is_foreign = false;  ///< nothing in the file is of the format
  std::uint64_t byte_count = 0;
  std::uint64_t errors = 0;  ///< found while reading; `validate` says which
  std::uint64_t limits = 0;  ///< reached while reading
};

/// Counts errors and limits and forgets them: info shows what is there, validate says what is wrong.
class ErrorCounter final : public core::FindingSink {
 public:
  explicit ErrorCounter(Info& info) : info_(&info) {}
  void report(Finding finding) override { report_more(*finding.rule, 1); }
  void report_more(const Rule& rule, std::uint64_t count) override {
    if (rule.stage == Stage::limit) {
      info_->limits += count;
    } else if (rule.severity == Severity::error) {
      info_->errors += count;
    }
  }
  void skip(Skip) override {}
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 0; }

 private:
  Info* info_;
};

}  // namespace heapcheck::cli
