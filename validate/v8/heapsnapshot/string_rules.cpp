#include "validate/v8/heapsnapshot/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/finding_groups.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/v8/heapsnapshot/quirks.hpp"
#include "validate/v8/heapsnapshot/consistency/consistency_rules.hpp"
#include "validate/v8/heapsnapshot/names.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

using format::StringTable;

void report_piece(const Snapshot& snapshot, const consistency::StringRun& run, core::FindingSink& sink) {
  sink.report({&consistency::rules::strings_twice,
               {snapshot.strings.find(run.first), std::nullopt, fmt::format("/strings/{}", run.first)},
               fmt::format("{} strings in a row also occur earlier, expected new ones", run.count)});
}

void report_repeated(const Snapshot& snapshot, std::uint32_t index, core::FindingSink& sink) {
  core::report_lazily(sink, rules::strings_repeated, [&] {
    const std::string text = core::make_excerpt(snapshot.strings.table[index]);
    return Finding{&rules::strings_repeated,
                   {snapshot.strings.find(index), std::nullopt, fmt::format("/strings/{}", index)},
                   fmt::format("string \"{}\" also occurs earlier, expected once", text)};
  });
}

void check_repeated(const Snapshot& snapshot, core::FindingSink& sink) {
  if (snapshot.strings.table.count() >= UINT32_MAX)
    return sink.skip({"/strings", "there are too many strings, 2^32 - 1 or more"});
  const std::vector<std::uint32_t> repeated = consistency::find_repeated_strings(snapshot.strings.table);
  if (const auto piece = consistency::find_repeated_piece(snapshot, repeated))
    return report_piece(snapshot, *piece, sink);
  for (const std::uint32_t index : repeated) report_repeated(snapshot, index, sink);
}

void check_first(const Snapshot& snapshot, core::FindingSink& sink) {
  const StringTable& strings = snapshot.strings.table;
  if (strings.count() == 0 || format::has_v8_mark(snapshot)) return;
  sink.report(
      {&rules::strings_first,
       {snapshot.strings.find(0), std::nullopt, "/strings/0"},
       fmt::format("the first string is \"{}\", expected \"<dummy>\"", core::make_excerpt(strings[0]))});
}

}  // namespace

void check_string_indices(const Snapshot& snapshot, core::FindingSink& sink) {
  std::uint64_t count = 0;
  std::uint64_t largest = 0;
  const std::uint64_t string_count = snapshot.strings.table.count();
  for_each_name_from(snapshot, string_count, [&](const Field&, std::uint64_t, std::uint64_t name) {
    ++count;
    largest = std::max(largest, name);
  });
  if (count > core::few_violations) {  // so many mean that strings are missing
    sink.report(
        {&rules::strings_index,
         {snapshot.strings.span, std::nullopt, "/strings"},
         fmt::format("{} names refer to missing strings, with indices up to {}, expected indices below {}",
                     count, largest, string_count)});
    return;
  }
  Cases cases(rules::strings_index, sink);
  for_each_name_from(snapshot, string_count, [&](const Field& field, std::uint64_t row, std::uint64_t name) {
    cases.add(field, row,
              [&] { return fmt::format("{} is {}, expected less than {}", field.name, name, string_count); });
  });
  cases.report();
}

void check_strings(const Snapshot& snapshot, core::FindingSink& sink) {
  check_first(snapshot, sink);
  check_repeated(snapshot, sink);
}

}  // namespace heapcheck::validation::v8::heapsnapshot
