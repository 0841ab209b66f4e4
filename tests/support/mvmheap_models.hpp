// Shared by the tests of all versions of MoarVM dumps: functions to read a whole dump and to build models.
#pragma once

#include <string>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/model.hpp"

namespace heapcheck::tests {

/// Keeps the findings and their rule ids. A rule whose findings were only counted has an id but no finding.
class FoundSink final : public core::FindingSink {
 public:
  void report(Finding finding) override {
    ids.emplace_back(finding.rule->id);
    findings.push_back(std::move(finding));
  }
  void skip(Skip) override {}
  void report_more(const Rule& rule, std::uint64_t) override { ids.emplace_back(rule.id); }
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 20; }

  std::vector<std::string> ids;
  std::vector<Finding> findings;
};

/// Everything that a reader returns for a file.
template <class Part, class Container>
struct ReadDump {
  std::vector<Part> parts;
  mvmheap::Tables tables;
  Container container;
  std::vector<std::string> ids;
  std::vector<Finding> findings;
};

/// Reads to the end. `Dump` is a ReadDump, or can be constructed from one.
template <class Dump, class Reader>
Dump read_parts(Reader& reader, const FoundSink& found) {
  Dump dump;
  typename decltype(dump.parts)::value_type part;
  while (reader.read_part(part)) dump.parts.push_back(part);
  dump.tables = reader.tables();
  dump.container = reader.container();
  dump.ids = found.ids;
  dump.findings = found.findings;
  return dump;
}

/// Adds a type and a static frame with these two names.
inline void add_rows(mvmheap::Tables& tables, std::uint64_t first_name, std::uint64_t second_name) {
  tables.types.repr_name.push_back(first_name);
  tables.types.type_name.push_back(second_name);
  tables.static_frames.name.push_back(first_name);
  tables.static_frames.cuid.push_back(second_name);
  tables.static_frames.line.push_back(7);
  tables.static_frames.file.push_back(first_name);
}

/// Adds two strings, plus a type and a static frame with these names.
inline void add_names(mvmheap::Tables& tables, const std::string& suffix) {
  const std::uint64_t first = tables.strings.count();
  tables.strings.add("P6opaque" + suffix);
  tables.strings.add("Name" + suffix);
  add_rows(tables, first, first + 1);
}

/// Appends a collectable. The first and the second refer to the next one, and the third refers to the first.
inline void add_collectable(mvmheap::Snapshot& snapshot, mvmheap::CollectableKind kind, std::uint64_t index,
                            std::uint64_t byte_count, std::uint64_t description = 0) {
  auto& collectables = snapshot.collectables;
  collectables.kind.push_back(static_cast<std::uint64_t>(kind));
  collectables.type_or_frame_index.push_back(index);
  collectables.size.push_back(byte_count);
  collectables.unmanaged_size.push_back(0);
  collectables.num_refs.push_back(1);
  collectables.refs_start.push_back(snapshot.references.count());
  snapshot.references.description.push_back(description);
  snapshot.references.target.push_back(collectables.count() % 3);
}

}  // namespace heapcheck::tests
