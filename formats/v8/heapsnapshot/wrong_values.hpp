// Reports the elements of a section that are not of its type. Those that are close to each other have one
// cause, such as a lost `]`, and one finding. Borrows the context.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/v8/heapsnapshot/context.hpp"

namespace heapcheck::v8::heapsnapshot {

class WrongValues {
 public:
  WrongValues(Context& context, const Rule& rule, std::string_view expected)
      : context_(&context), rule_(&rule), expected_(expected) {}

  /// Adds the current value, which has that index, and skips it. Calls `make_path` if it is the first of a
  /// run.
  template <class MakePath>
  void add(std::uint64_t index, const MakePath& make_path) {
    if (count_ == 0 || index - last_ > few_values) {
      report();
      span_ = context_->json.span();
      path_ = make_path();
      found_ = describe_value(context_->json);
    }
    last_ = index;
    context_->skip_nested();
    if (context_->goes_on()) ++count_;
  }

  /// Reports the values that were added since the last call. To be called at the end of the section.
  void report() {
    if (count_ == 0) return;
    std::string message = fmt::format("found {}, expected {}", found_, expected_);
    if (count_ > 1) message += fmt::format("; {} values are wrong", count_);
    context_->report(*rule_, span_, path_, std::move(message));
    count_ = 0;
  }

 private:
  static constexpr std::uint64_t few_values = 64;  // wrong values that are not further apart are one run

  Context* context_;
  const Rule* rule_;
  std::string_view expected_;
  Span span_;
  std::string path_;
  std::string found_;
  std::uint64_t last_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace heapcheck::v8::heapsnapshot
