// The order of columns and types in `meta`. Readers follow this order, whatever it is, but every known writer
// uses V8's. A different order is therefore damage if the rows do not match it. spec: v8/heapsnapshot.md#meta
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {

/// Two neighbouring names that V8 writes in the opposite order.
struct MetaOrder {
  std::string path;  ///< the path of the list
  bool is_types;     ///< whether they are types, because no row can contradict most orders of types
  std::string first;
  std::string second;
};

/// The first two such names among the types and columns of nodes and edges. Empty if there are none. Also
/// empty if a list does not contain exactly once each name that all versions of V8 write, because the file
/// then comes from another writer.
[[nodiscard]] std::optional<MetaOrder> find_other_order(const format::Schema& schema);

/// Puts the names of these lists into V8's order. Names that V8 does not use keep their places.
void restore_v8_order(format::Schema& schema);

/// Whether the rule is about the numbers in the rows of nodes and edges, whose meanings depend on the order.
[[nodiscard]] bool depends_on_order(const Rule& rule);

/// Counts the findings that depend on the order of columns and types, instead of reporting them.
class FindingCounts final : public core::FindingSink {
 public:
  void report(Finding finding) override { report_more(*finding.rule, 1); }
  void skip(Skip) override {}
  void report_more(const Rule& rule, std::uint64_t count) override;
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 0; }

  std::uint64_t errors = 0;
  std::uint64_t warnings = 0;
};

/// Passes on the findings that do not depend on the order of columns and types. Borrows the sink.
class OtherFindings final : public core::FindingSink {
 public:
  explicit OtherFindings(core::FindingSink& sink) : sink_(&sink) {}
  void report(Finding finding) override {
    if (!depends_on_order(*finding.rule)) sink_->report(std::move(finding));
  }
  void skip(Skip skip) override { sink_->skip(std::move(skip)); }
  void report_more(const Rule& rule, std::uint64_t count) override {
    if (!depends_on_order(rule)) sink_->report_more(rule, count);
  }
  [[nodiscard]] std::uint64_t wanted(const Rule& rule) const override {
    return depends_on_order(rule) ? 0 : sink_->wanted(rule);
  }

 private:
  core::FindingSink* sink_;
};

/// Whether the rows contradict an order, given the findings about everything except `meta`.
[[nodiscard]] bool is_contradicted(const Snapshot& snapshot, const FindingCounts& others);

/// Reports `order` if it is an order of types or if the rows contradict it, given the findings about
/// everything except `meta`. Returns whether the rows contradict the order.
bool report_order(const Snapshot& snapshot, const MetaOrder& order, const FindingCounts& others,
                  core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
