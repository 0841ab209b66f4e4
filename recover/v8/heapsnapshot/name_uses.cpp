#include "recover/v8/heapsnapshot/string_alignment.hpp"

#include <algorithm>
#include <utility>

#include "validate/v8/heapsnapshot/names.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

using format::ChunkedColumn;
using validation::v8::heapsnapshot::NamedRows;

/// Follows names in the order of their first use.
class NameCounter {
 public:
  void add(std::uint64_t name) {
    if (name < count_) return;
    if (name == count_ || name == after_gap_) {
      count_ = name + 1;
    } else {
      after_gap_ = name + 1;
    }
  }
  /// Adds the names of a section that has several columns of names and is not followed row by row.
  void add_largest(std::uint64_t largest, std::uint64_t names) {
    if (largest < count_ + names) count_ = std::max(count_, largest + 1);
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_ = 1;      // the first string is not a name
  std::uint64_t after_gap_ = 0;  // the name that confirms the name before it
};

template <class Use>
void for_each_name(const Snapshot& snapshot, Section section, std::string_view field, Use&& use) {
  const Field names(snapshot, section, field);
  if (!names) return;
  const NamedRows named(snapshot, section);
  for_each_value(*names.column, [&](std::uint64_t row, std::uint64_t name) {
    if (named.has(row)) use(row, name);
  });
}

/// Records the first uses of names.
class UseFinder {
 public:
  UseFinder(const Snapshot& snapshot, std::uint64_t count)
      : snapshot_(&snapshot), names_(static_cast<std::size_t>(count)), seen_(names_.size()) {
    add_nodes();
    add_edges();
  }
  [[nodiscard]] NameUses result() {
    const std::uint64_t kinds = first_edge_kind() + 2 * count_edge_types();
    return {std::move(names_), static_cast<std::uint32_t>(std::min(kinds, most_kinds))};
  }

 private:
  /// Files from real writers have about 40 kinds. Any more kinds are treated as unknown, because each kind
  /// takes memory.
  static constexpr std::uint64_t most_kinds = 1024;

  static std::uint32_t limit_kind(std::uint64_t kind) {
    return kind < most_kinds ? static_cast<std::uint32_t>(kind) : 0;
  }
  [[nodiscard]] std::uint64_t first_edge_kind() const {
    return 1 + snapshot_->schema.find_type_names(Section::nodes, "type")->size();
  }
  [[nodiscard]] std::uint64_t count_edge_types() const {
    return snapshot_->schema.find_type_names(Section::edges, "type")->size();
  }
  /// Returns the use of a name that is used for the first time.
  NameUse* take(std::uint64_t name) {
    if (name >= names_.size() || seen_[static_cast<std::size_t>(name)]) return nullptr;
    seen_[static_cast<std::size_t>(name)] = true;
    return &names_[static_cast<std::size_t>(name)];
  }
  void add_nodes() {
    const std::vector<std::string>& type_names = *snapshot_->schema.find_type_names(Section::nodes, "type");
    const ChunkedColumn& types = *snapshot_->find_column(Section::nodes, "type");
    const ChunkedColumn& sizes = *snapshot_->find_column(Section::nodes, "self_size");
    for_each_name(*snapshot_, Section::nodes, "name", [&](std::uint64_t row, std::uint64_t name) {
      NameUse* const use = take(name);
      if (use == nullptr || types[row] >= type_names.size()) return;
      use->kind = limit_kind(1 + types[row]);
      if (type_names[static_cast<std::size_t>(types[row])] == "string" && sizes[row] <= UINT32_MAX)
        use->text_size = static_cast<std::uint32_t>(sizes[row]);
    });
  }
  void add_edges() {
    const ChunkedColumn& types = *snapshot_->find_column(Section::edges, "type");
    std::uint64_t last_row = 0;
    std::uint64_t last_name = 0;
    for_each_name(*snapshot_, Section::edges, "name_or_index", [&](std::uint64_t row, std::uint64_t name) {
      NameUse* const use = take(name);
      if (use == nullptr) return;
      use->is_next = name == last_name + 1 && row == last_row + 1;
      use->kind = limit_kind(first_edge_kind() + 2 * types[row] + (use->is_next ? 1U : 0U));
      last_name = name;
      last_row = row;
    });
  }

  const Snapshot* snapshot_;
  std::vector<NameUse> names_;
  RowSet seen_;
};

}  // namespace

std::uint64_t count_names(const Snapshot& snapshot) {
  NameCounter counter;
  // Larger names are wrong rather than a sign of lost strings.
  const std::uint64_t limit = snapshot.strings.table.count() + snapshot.table(Section::nodes).row_count() +
                              snapshot.table(Section::edges).row_count();
  const auto add = [&](std::uint64_t, std::uint64_t name) {
    if (name < limit) counter.add(name);
  };
  for_each_name(snapshot, Section::nodes, "name", add);
  for_each_name(snapshot, Section::edges, "name_or_index", add);
  for (const format::ColumnName& info : validation::v8::heapsnapshot::name_columns) {
    const Field names(snapshot, info.section, info.field);
    if (!names || info.section == Section::nodes || info.section == Section::edges) continue;
    counter.add_largest(names.column->largest(), 2 * names.column->count());
  }
  return counter.count();
}

NameUses find_name_uses(const Snapshot& snapshot, std::uint64_t count) {
  return UseFinder(snapshot, count).result();
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
