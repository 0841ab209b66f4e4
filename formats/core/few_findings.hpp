// Reports a few violations of one rule one by one. Many have one cause, such as misaligned values, so only
// the first of them is reported, with their number. Borrows the sink.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "formats/core/finding_sink.hpp"

namespace heapcheck::core {

/// More violations than this are taken to have one cause.
inline constexpr std::uint64_t few_violations = 3;

class FewFindings {
 public:
  explicit FewFindings(FindingSink& sink) : sink_(&sink) {}
  FewFindings(const FewFindings&) = delete;
  FewFindings& operator=(const FewFindings&) = delete;
  /// Reports what was added.
  ~FewFindings() {
    if (count_ > few_violations) {
      findings_.resize(1);
      findings_[0].message += "; found " + std::to_string(count_) + " such values";
    }
    for (Finding& finding : findings_) report_or_count(*sink_, std::move(finding));
  }

  /// Adds the finding that `make` returns. Calls `make` only for the first few findings.
  template <class Make>
  void add(const Make& make) {
    if (++count_ <= few_violations) findings_.push_back(make());
  }

 private:
  FindingSink* sink_;
  std::vector<Finding> findings_;
  std::uint64_t count_ = 0;
};

}  // namespace heapcheck::core
