#include <fmt/format.h>

#include <algorithm>

#include "validate/v8/heapsnapshot/mend.hpp"
#include "validate/v8/heapsnapshot/names.hpp"
#include "validate/v8/heapsnapshot/rebuild.hpp"

namespace heapcheck::validate::v8::heapsnapshot {
namespace {

using format::StringTable;

/// Which strings are to be made up.
struct LostNames {
  std::uint64_t begin = 0;   ///< the first one
  std::uint64_t end = 0;     ///< behind the last one that keeps its index
  std::uint64_t limit = 0;   ///< names from here on share the one at `end`
  bool has_distant = false;  ///< there are such
};

/// An index stays what it is as long as there are as many names as that makes strings: where a wrong
/// number leads far behind them, it costs one string.
LostNames find_lost_names(const Snapshot& snapshot) {
  const std::uint64_t count = snapshot.strings.table.count();
  std::uint64_t names = 0;
  for_each_name_from(snapshot, count, [&](const Field&, std::uint64_t, std::uint64_t) { ++names; });
  LostNames lost{count, count, count + names, false};
  for_each_name_from(snapshot, count, [&](const Field&, std::uint64_t, std::uint64_t name) {
    if (name < lost.limit) {
      lost.end = std::max(lost.end, name + 1);
    } else {
      lost.has_distant = true;
    }
  });
  return lost;
}

void add_string(StringTable& strings, std::string_view text) {
  strings.begin_string(0) += text;
  strings.end_string();
}

/// What can be told of V8's strings: the first one, and that its root has no name.
std::string make_placeholder(std::uint64_t index, std::uint64_t root_name) {
  if (index == root_name) return {};
  return index == 0 ? "<dummy>" : fmt::format("(lost {})", index);
}

/// Leads names from `limit` on to the string `index`.
void redirect_names(Snapshot& snapshot, std::uint64_t limit, std::uint64_t index) {
  for (const NameColumn& info : name_columns) {
    const Field names(snapshot, info.section, info.field);
    if (!names || names.column->largest() < limit) continue;
    const NamedRows named(snapshot, info.section);
    replace_column(snapshot, info.section, info.field,
                   make_column(*names.column, [&](std::uint64_t row, std::uint64_t name) {
                     return name >= limit && named.has(row) ? index : name;
                   }));
  }
}

}  // namespace

void mend_names(Snapshot& snapshot, Recovery& recovery) {
  const LostNames lost = find_lost_names(snapshot);
  StringTable& strings = snapshot.strings.table;
  const std::uint64_t root_name = (*snapshot.find_column(Section::nodes, "name"))[0];
  for (std::uint64_t i = lost.begin; i < lost.end; ++i) add_string(strings, make_placeholder(i, root_name));
  if (lost.has_distant) {
    add_string(strings, "(lost)");
    redirect_names(snapshot, lost.limit, lost.end);
  }
  recovery.lost_names = strings.count() - lost.begin + snapshot.strings.wrong_values;
  snapshot.strings.wrong_values = 0;
  snapshot.strings.is_present = snapshot.strings.is_whole = true;
}

}  // namespace heapcheck::validate::v8::heapsnapshot
