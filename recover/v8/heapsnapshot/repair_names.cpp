#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/core/keyed_hash.hpp"
#include "recover/v8/heapsnapshot/rebuild.hpp"
#include "recover/v8/heapsnapshot/repair.hpp"
#include "recover/v8/heapsnapshot/string_alignment.hpp"
#include "validate/v8/heapsnapshot/names.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

using format::StringTable;

/// The number of bytes that a placeholder takes up, including its index.
constexpr std::uint64_t name_memory = 64;

/// The placeholders that are needed. Names keep their indices, and unused indices below them also get
/// strings, as long as no more strings are needed for this than there are names without strings. The other
/// names get new indices after these.
struct LostNames {
  std::uint64_t max_count = 0;         ///< the number of placeholders that fit in memory
  std::uint64_t begin = 0;             ///< the first index without a string
  std::uint64_t end = 0;               ///< one more than the last index that is kept
  std::uint64_t limit = 0;             ///< this index and larger ones are not kept
  std::vector<std::uint64_t> distant;  ///< the indices that are not kept, in the order in which they occur
  std::unordered_map<std::uint64_t, std::uint64_t, core::KeyedHash> places;  ///< their positions in `distant`

  void add(std::uint64_t name) {
    if (name < limit) {
      end = std::max(end, name + 1);
    } else if (distant.size() <= max_count && places.try_emplace(name, distant.size()).second) {
      distant.push_back(name);
    }
  }
  [[nodiscard]] bool is_too_many() const { return end - begin + distant.size() > max_count; }
  [[nodiscard]] std::uint64_t index_of(std::uint64_t name) const {
    return name < limit ? name : end + places.at(name);
  }
};

LostNames find_lost_names(const Snapshot& snapshot, std::uint64_t max_count) {
  const std::uint64_t count = snapshot.strings.table.count();
  std::uint64_t names = 0;
  validation::v8::heapsnapshot::for_each_name_from(
      snapshot, count, [&](const Field&, std::uint64_t, std::uint64_t) { ++names; });
  LostNames lost{max_count, count, count, count + names, {}, {}};
  validation::v8::heapsnapshot::for_each_name_from(
      snapshot, count, [&](const Field&, std::uint64_t, std::uint64_t name) { lost.add(name); });
  return lost;
}

void add_string(StringTable& strings, std::string_view text) {
  strings.begin_string(0) += text;
  strings.end_string();
}

/// Makes a placeholder or one of the two strings that V8 always writes: the first string, and the empty name
/// of the root.
std::string make_placeholder(std::uint64_t index, std::uint64_t root_name) {
  if (index == lost_node_name) return std::string(validation::v8::heapsnapshot::lost_node_text);
  if (index == root_name) return {};
  return index == 0 ? "<dummy>" : fmt::format("(lost {})", index);
}

std::uint64_t find_root_name(const Snapshot& snapshot) {
  const format::ChunkedColumn& names = *snapshot.find_column(Section::nodes, "name");
  return names.count() == 0 ? 0 : names[0];
}

Error make_memory_error(const Limits& limits) {
  return {ErrorKind::limit, fmt::format("the placeholders for lost names need more than {} bytes of memory",
                                        limits.max_memory)};
}

/// Replaces a piece of the string table. A name gets a placeholder unless it has the same string whether
/// strings are counted from the start of the table or from the end. Returns the number of placeholders.
std::uint64_t replace_strings(Snapshot& snapshot, const StringPiece& piece) {
  const std::uint64_t root_name = find_root_name(snapshot);
  const StringTable old = std::exchange(snapshot.strings.table, {});
  StringTable& strings = snapshot.strings.table;
  std::uint64_t lost = 0;
  for (std::uint64_t i = 0; i < piece.begin; ++i) add_string(strings, old[i]);
  for (std::uint64_t name = piece.begin; name < piece.begin + piece.names; ++name) {
    const std::uint64_t from_back = name + piece.end - piece.begin - piece.names;
    const bool is_known =
        name < piece.end && from_back >= piece.begin && from_back < piece.end && old[name] == old[from_back];
    add_string(strings, is_known ? old[name] : std::string_view(make_placeholder(name, root_name)));
    lost += is_known ? 0U : 1U;
  }
  for (std::uint64_t i = piece.end; i < old.count(); ++i) add_string(strings, old[i]);
  return lost;
}

/// Assigns the new indices to names that do not keep their own indices.
void redirect_names(Snapshot& snapshot, const LostNames& lost) {
  for (const format::ColumnName& info : validation::v8::heapsnapshot::name_columns) {
    const Field names(snapshot, info.section, info.field);
    if (!names || names.column->largest() < lost.limit) continue;
    const validation::v8::heapsnapshot::NamedRows named(snapshot, info.section);
    replace_column(snapshot, info.section, info.field,
                   make_column(*names.column, [&](std::uint64_t row, std::uint64_t name) {
                     return named.has(row) ? lost.index_of(name) : name;
                   }));
  }
}

}  // namespace

Result<void> repair_strings(Snapshot& snapshot, const Limits& limits, Recovery& recovery) {
  const std::uint64_t before = snapshot.strings.table.count();
  if (const auto doubled = find_doubled_strings(snapshot)) (void)replace_strings(snapshot, *doubled);
  if (const auto piece = find_doubtful_strings(snapshot)) {
    if (piece->names > limits.max_memory / name_memory) return std::unexpected(make_memory_error(limits));
    recovery.lost_names = replace_strings(snapshot, *piece);
  }
  recovery.doubled_strings = before - std::min(before, snapshot.strings.table.count());
  return {};
}

Result<void> repair_names(Snapshot& snapshot, const Limits& limits, Recovery& recovery) {
  const LostNames lost = find_lost_names(snapshot, limits.max_memory / name_memory);
  if (lost.is_too_many()) return std::unexpected(make_memory_error(limits));
  StringTable& strings = snapshot.strings.table;
  const std::uint64_t root_name = find_root_name(snapshot);
  for (std::uint64_t i = lost.begin; i < lost.end; ++i) add_string(strings, make_placeholder(i, root_name));
  for (const std::uint64_t name : lost.distant) add_string(strings, make_placeholder(name, root_name));
  if (!lost.distant.empty()) redirect_names(snapshot, lost);
  recovery.lost_names += strings.count() - lost.begin + snapshot.strings.wrong_values;
  snapshot.strings.wrong_values = 0;
  snapshot.strings.extent = format::Extent::whole;
  return {};
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
