#include "validate/mvmheap/snapshot_pass.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <random>

#include "formats/core/source.hpp"
#include "heapcheck/validate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"
#include "validate/mvmheap/view.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using namespace heapcheck::validation::mvmheap;

namespace {

constexpr std::uint64_t named = 2;
constexpr std::uint64_t to_stable = 0 << 2 | named;
constexpr std::uint64_t to_context = 1 << 2 | named;

/// Bytes that can be read only once, like a pipe, or again, in which case the readings are counted.
class Once final : public core::ByteSource {
 public:
  explicit Once(core::ByteSpan bytes) : source_(bytes) {}
  Result<std::size_t> read(core::MutableByteSpan buffer) override { return source_.read(buffer); }

 private:
  core::MemorySource source_;
};

class Counted final : public core::ByteSource {
 public:
  Counted(core::ByteSpan bytes, int& rewinds) : source_(bytes), rewinds_(&rewinds) {}
  Result<std::size_t> read(core::MutableByteSpan buffer) override { return source_.read(buffer); }
  bool rewind() override {
    ++*rewinds_;
    return source_.rewind();
  }

 private:
  core::MemorySource source_;
  int* rewinds_;
};

std::string report_on(std::unique_ptr<core::ByteSource> source) {
  const Report report = validation::check_source(std::move(source), {});
  return make_json(std::array{NamedReport{"dump", &report}});
}

/// A graph as MoarVM writes it: it takes the collectable that it met last, writes all its references, and
/// numbers the collectables that it meets in them. The root refers to STables and objects, each object to its
/// STable, sometimes after another reference, and then to any collectables.
model::Snapshot make_graph(std::mt19937_64& random, std::uint64_t objects) {
  constexpr std::uint64_t types = 5;
  model::Snapshot graph;
  auto& [kind, index, size, unmanaged_size, starts, counts] = graph.collectables;
  const std::uint64_t rows = 1 + types + objects;
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> edges(rows);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const bool is_root = row == 0;
    const bool is_stable = row >= 1 && row <= types;
    kind.push_back(is_root ? 9 : is_stable ? 3 : 1);
    index.push_back(is_root ? 0 : is_stable ? row - 1 : random() % types);
    size.push_back(is_root ? 0 : 24);
    unmanaged_size.push_back(is_root ? 0 : random() % 3);
    if (!is_root) edges[0].emplace_back(row << 2 | 1, row);
    if (is_root || is_stable) continue;
    if (random() % 3 == 0) edges[row].emplace_back(to_context, 0);
    edges[row].emplace_back(to_stable, 1 + index[row]);
    for (std::uint64_t i = random() % 4; i != 0; --i) edges[row].emplace_back(i << 2 | 1, random() % rows);
  }
  std::vector<std::uint64_t> start_of(rows);
  std::uint64_t start = edges[0].size();
  for (std::uint64_t row = rows; row-- > 1;) {  // the collectable that was met last comes first
    if (!edges[row].empty()) start_of[row] = start;
    start += edges[row].size();
  }
  for (std::uint64_t row = 0; row < rows; ++row) {
    starts.push_back(start_of[row]);
    counts.push_back(edges[row].size());
  }
  const auto write = [&](std::uint64_t row) {
    for (const auto& [description, target] : edges[row]) {
      graph.references.description.push_back(description);
      graph.references.target.push_back(target);
    }
  };
  write(0);
  for (std::uint64_t row = rows; row-- > 1;) write(row);
  return graph;
}

/// Appends up to `most` values of a column to another column.
template <class T>
void move_piece(const model::Column<T>& from, model::Column<T>& to, std::uint64_t most) {
  for (std::uint64_t i = to.count(); i < from.count() && most != 0; ++i, --most) to.push_back(from[i]);
}

/// Shows a snapshot to the pass in pieces: column by column, as in version 3, or row by row, as in the
/// others.
model::Snapshot show(const model::Snapshot& all, SnapshotPass& pass, bool is_by_column) {
  const auto& [kind, index, size, unmanaged_size, starts, counts] = all.collectables;
  model::Snapshot shown;
  model::Collectables& rows = shown.collectables;
  const std::uint64_t most = is_by_column ? 700 : 50;
  const auto show_column = [&](const auto& from, auto& to) {
    do {
      move_piece(from, to, most);
      shown.references.notes.update(shown.references.description);
      pass.take(shown);
    } while (is_by_column && to.count() < from.count());
  };
  do {
    show_column(kind, rows.kind);
    show_column(size, rows.size);
    show_column(index, rows.type_or_frame_index);
    show_column(counts, rows.num_refs);
    show_column(starts, rows.refs_start);
    show_column(unmanaged_size, rows.unmanaged_size);
  } while (rows.kind.count() < kind.count());
  do {
    show_column(all.references.description, shown.references.description);
    show_column(all.references.target, shown.references.target);
  } while (shown.references.count() < all.references.count());
  return shown;
}

void replace_value(model::Column<std::uint32_t>& column, std::uint64_t index, std::uint64_t value) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < column.count(); ++i) values.push_back(i == index ? value : column[i]);
  column.clear();
  column.append(std::span<const std::uint64_t>(values));
}

/// Changes a value of one of the columns of a graph.
void damage_graph(model::Snapshot& graph, std::mt19937_64& random) {
  model::Collectables& rows = graph.collectables;
  const std::array columns{&rows.type_or_frame_index, &rows.refs_start, &rows.num_refs,
                           &graph.references.description, &graph.references.target};
  auto& column = *columns[random() % columns.size()];
  const std::uint64_t index = random() % column.count();
  replace_value(column, index, random() % 2 == 0 ? column[index] + 1 : random() % column.count());
}

}  // namespace

TEST_CASE("the facts of a snapshot that passes are those of the snapshot as a whole", "[snapshot-pass]") {
  std::mt19937_64 random(20261127);
  const bool is_by_column = GENERATE(true, false);
  int proofs = 0;
  int faults = 0;
  for (int round = 0; round < 60; ++round) {
    model::Snapshot graph = make_graph(random, 200);
    if (round % 3 != 0) damage_graph(graph, random);
    const model::TableCounts known{2, 5, 0};
    const SnapshotFacts expected = find_facts(graph, known, model::Shares::by_row);
    SnapshotPass pass(Columns::needed, model::Shares::by_row, 64);
    pass.begin();
    model::Snapshot shown = show(graph, pass, is_by_column);
    const SnapshotFacts facts = pass.finish(shown, known);
    graph.references.notes.update(graph.references.description);
    const bool are_expected = are_enough(expected, graph, known.strings);
    CHECK((!pass.needs_columns() && are_enough(facts, shown, known.strings)) == are_expected);
    ++(are_expected ? proofs : faults);
    if (!are_expected) continue;
    CHECK(facts.graph.stable_name == 0);
    CHECK(facts.graph.have_childless_no_start);
    CHECK(facts.summary.byte_count == expected.summary.byte_count);
    CHECK(facts.summary.types == expected.summary.types);
    CHECK(facts.summary.kind_counts == expected.summary.kind_counts);
    REQUIRE(pass.names() != nullptr);
    CHECK(std::ranges::count(*pass.names(), 1) == 2);
  }
  CHECK(proofs >= 20);
  CHECK(faults >= 15);
}

TEST_CASE("references and sizes that have passed are not held", "[snapshot-pass]") {
  std::mt19937_64 random(20261127);
  const bool is_by_column = GENERATE(true, false);
  const model::Snapshot graph = make_graph(random, 40'000);
  SnapshotPass pass(Columns::needed, model::Shares::none, 512);
  pass.begin();
  const model::Snapshot shown = show(graph, pass, is_by_column);
  REQUIRE_FALSE(pass.needs_columns());
  CHECK(shown.references.description.forgotten() != 0);
  CHECK(shown.references.target.forgotten() != 0);
  const auto& [kind, index, size, unmanaged_size, starts, counts] = shown.collectables;
  const std::uint64_t rest = size.memory() + unmanaged_size.memory() + starts.memory() +
                             shown.references.description.memory() + shown.references.target.memory();
  CHECK(rest < (std::uint64_t{2} << 20));
  CHECK(kind.forgotten() + index.forgotten() + counts.forgotten() == 0);
  // Whoever needs a value that is gone gets the dump read again.
  REQUIRE_FALSE(pass.needs_columns(shown));
  CHECK(shown.references.target[0] == 0);
  CHECK(pass.needs_columns(shown));
}

TEST_CASE("a dump that can be read again gets the same report as one from a pipe", "[snapshot-pass]") {
  constexpr std::size_t places = 7;
  int again = 0;
  for (const char* const name :
       {"mvmheap/v1/seed/moar-2017.08-small.txt", "mvmheap/v2/seed/moar-2018.03-small.mvmheap",
        "mvmheap/v3/seed/moar-2022.12-nqp.mvmheap"}) {
    CAPTURE(name);
    auto bytes = tests::read_corpus_bytes(name);
    int rewinds = 0;
    CHECK(report_on(std::make_unique<Counted>(bytes, rewinds)) == report_on(std::make_unique<Once>(bytes)));
    CHECK(rewinds == 1);  // at the beginning, to find out whether it can
    for (std::size_t i = 1; i <= places; ++i) {
      bytes[bytes.size() / (places + 1) * i] ^= 0x11U;
      CHECK(report_on(std::make_unique<Counted>(bytes, rewinds)) == report_on(std::make_unique<Once>(bytes)));
    }
    again += rewinds - 1 - static_cast<int>(places);
  }
  CHECK(again > 0);
}
