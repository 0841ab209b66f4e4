#include "recover/v8/heapsnapshot/recover.hpp"

#include <map>
#include <memory>

#include "tests/support/read_now.hpp"
#include "tests/support/recovered_snapshots.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;
using tests::make_snapshot;
using tests::read_snapshot_seed;
using tests::recover;
using tests::RecoveredSnapshot;
using tests::replace;
using tests::values_of;

namespace {

/// The snapshot of four nodes with `from` replaced by `to`.
RecoveredSnapshot recover_small(std::string_view from, std::string_view to) {
  return recover(replace(read_snapshot_seed("small.heaptimeline"), from, to));
}

/// Counts the numbers of a section that are followed by another character.
std::uint64_t count_numbers(std::string_view text, Section section) {
  const std::string key = "\"" + std::string(name_of(section)) + "\":[";
  const std::size_t begin = text.find(key);
  if (begin == std::string_view::npos) return 0;
  std::uint64_t count = 0;
  bool is_digit = false;
  for (const char c : text.substr(begin + key.size())) {
    const bool was_digit = std::exchange(is_digit, c >= '0' && c <= '9');
    count += was_digit && !is_digit ? 1U : 0U;
    if (c == ']') break;
  }
  return count;
}

/// Whether the values of a column of `part` are the first values of the same column of `whole`.
bool begins_as(const Snapshot& part, const Snapshot& whole, Section section, std::string_view field) {
  const auto values = values_of(part, section, field);
  const auto all = values_of(whole, section, field);
  return values.size() <= all.size() && std::equal(values.begin(), values.end(), all.begin());
}

/// Whether any two nodes have the same name if and only if they do in the other snapshot, and whether the
/// root has its original name or an empty name.
bool same_names(const Snapshot& part, const Snapshot& whole) {
  const auto names = values_of(part, Section::nodes, "name");
  const auto all = values_of(whole, Section::nodes, "name");
  std::map<std::uint64_t, std::uint64_t> there;
  std::map<std::uint64_t, std::uint64_t> back;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (there.try_emplace(names[i], all[i]).first->second != all[i]) return false;
    if (back.try_emplace(all[i], names[i]).first->second != names[i]) return false;
  }
  const std::string_view root = part.strings.table[names[0]];
  return root.empty() || root == whole.strings.table[all[0]];
}

using Values = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("recovering a snapshot cut off at any byte keeps every complete node and edge",
          "[v8][heapsnapshot][recover]") {
  const auto [name, step] = GENERATE(table<std::string, std::size_t>({{"small.heaptimeline", 1},
                                                                      {"other-engine.heapsnapshot", 1},
                                                                      {"deep.heaptimeline", 1},
                                                                      {"chrome-156.heapsnapshot", 83},
                                                                      {"chrome-64.heapsnapshot", 127},
                                                                      {"node-12-stacks.heaptimeline", 101},
                                                                      {"node-24-stacks.heaptimeline", 103}}));
  const std::string text = read_snapshot_seed(name);
  const Snapshot whole = tests::read_snapshot(text).snapshot;
  for (std::size_t length = 0; length < text.size(); length += step) {
    const std::string cut = text.substr(0, length);
    INFO(name << " cut at " << length);
    const auto [recovery, written, snapshot] = recover(cut);
    const std::uint64_t nodes =
        count_numbers(cut, Section::nodes) / whole.table(Section::nodes).columns.size();
    REQUIRE(recovery.kept_nodes == nodes);
    if (nodes == 0) continue;
    REQUIRE(recovery.kept_edges == count_numbers(cut, Section::edges) / 3);
    REQUIRE(recovery.kept_nodes + recovery.dropped_nodes == whole.table(Section::nodes).row_count());
    REQUIRE(recovery.kept_edges + recovery.dropped_edges == whole.table(Section::edges).row_count());
    for (const char* field : {"type", "id", "self_size"})
      REQUIRE(begins_as(snapshot, whole, Section::nodes, field));
    for (const char* field : {"type", "to_node"}) REQUIRE(begins_as(snapshot, whole, Section::edges, field));
    REQUIRE(same_names(snapshot, whole));
    REQUIRE(begins_as(snapshot, whole, Section::locations, "object_index"));
    REQUIRE(begins_as(snapshot, whole, Section::samples, "timestamp_us"));
    if (length < whole.trace_tree.span.end()) continue;
    REQUIRE(snapshot.trace_tree == whole.trace_tree);
    REQUIRE(begins_as(snapshot, whole, Section::nodes, "trace_node_id"));
  }
}

TEST_CASE("recovering a sound snapshot changes nothing", "[v8][heapsnapshot][recover]") {
  const std::string name = GENERATE("small.heaptimeline", "deep.heaptimeline", "chrome-64.heapsnapshot",
                                    "chrome-120-stacks.heaptimeline", "chrome-156.heapsnapshot",
                                    "node-20.heaptimeline", "other-engine.heapsnapshot");
  const std::string text = read_snapshot_seed(name);
  const auto recovered = recover(text);
  CHECK(recovered.text == text);
  CHECK_FALSE(recovered.recovery.has_lost());
}

TEST_CASE("a snapshot without traces gets no sections for them", "[v8][heapsnapshot][recover]") {
  const std::string text = make_snapshot("1,0,1,0,0", "", "\"\"");
  CHECK(recover(text).text == text);
  std::string without = read_snapshot_seed("small.heaptimeline");
  without = replace(without, "\"trace_function_infos\":[0,6,1,0,0,0,5,3,4,9,2,28],\n", "");
  without = replace(without, "\"trace_tree\":[1,0,0,0,[2,1,1,64,[]]],\n", "");
  without = replace(without, "\"trace_function_count\":2", "\"trace_function_count\":0");
  CHECK(recover(without).text == without);
}

TEST_CASE("the number of functions is repaired", "[v8][heapsnapshot][recover]") {
  const auto [recovery, written, snapshot] =
      recover_small("\"trace_function_count\":2", "\"trace_function_count\":1");
  CHECK(written == read_snapshot_seed("small.heaptimeline"));
  CHECK(recovery.uncounted_functions == 1);
  CHECK_FALSE(recovery.has_lost());
  CHECK(recover_small("\"trace_function_count\":2", "\"trace_function_count\":9").text == written);
}

TEST_CASE("calls that V8 recorded after it had written the functions are dropped",
          "[v8][heapsnapshot][recover]") {
  std::string late = replace(read_snapshot_seed("small.heaptimeline"), "\"trace_function_count\":2",
                             "\"trace_function_count\":1");
  late = replace(late, "[2,1,1,64,[]]", "[2,1,1,64,[],3,2,1,8,[4,3,1,8,[]]]");
  const RecoveredSnapshot recovered = recover(late);
  CHECK(recovered.snapshot.trace_tree.id == Values{1, 2});
  CHECK(recovered.snapshot.header.trace_function_count->value == 2);
  CHECK(recovered.recovery.dropped_rows == 2);
}

TEST_CASE("lost names stay distinct", "[v8][heapsnapshot][recover]") {
  const std::string text = read_snapshot_seed("small.heaptimeline");
  const auto [recovery, written, snapshot] = recover(text.substr(0, text.find("\"f\",\"a.js\"")));
  CHECK(recovery.lost_names == 4);
  REQUIRE(snapshot.strings.table.count() == 7);
  CHECK(snapshot.strings.table[2] == "(GC roots)");
  CHECK(snapshot.strings.table[3] == "(lost 3)");
  CHECK(snapshot.strings.table[6] == "(lost 6)");
  const auto all = recover(text.substr(0, text.find("\"strings\"")));
  CHECK(all.snapshot.strings.table[0] == "<dummy>");
  CHECK(all.snapshot.strings.table[1].empty());
  CHECK(all.snapshot.strings.table[2] == "(lost 2)");
}

TEST_CASE("a name far beyond the last string needs only one placeholder", "[v8][heapsnapshot][recover]") {
  const auto [recovery, written, snapshot] =
      recover_small("5,3,5,64,1,2,0", "5,1152921504606846976,5,64,1,2,0");
  CHECK(recovery.lost_names == 1);
  CHECK(values_of(snapshot, Section::nodes, "name") == Values{1, 2, 7, 4});
  CHECK(snapshot.strings.table[7] == "(lost 1152921504606846976)");
}

TEST_CASE("too many lost names reach the memory limit", "[v8][heapsnapshot][recover]") {
  std::string nodes = "1,0,1,0,0";
  for (int i = 1; i < 3000; ++i)
    nodes += ",0," + std::to_string(i) + "," + std::to_string(2 * i + 1) + ",16,0";
  const std::string text = make_snapshot(nodes, "", "");
  Limits limits;
  limits.max_memory = 100'000;
  core::MemorySource source(core::as_bytes(text));
  core::MemorySink out;
  formats::Content content = tests::read_now(Format::v8_heapsnapshot, source, limits);
  const auto recovery = recovery::v8::heapsnapshot::recover(source, content, limits, out);
  REQUIRE_FALSE(recovery);
  CHECK(recovery.error().kind == ErrorKind::limit);
  CHECK(out.bytes().empty());
  limits.max_memory = 1'000'000;
  content = tests::read_now(Format::v8_heapsnapshot, source, limits);
  CHECK(recovery::v8::heapsnapshot::recover(source, content, limits, out));
}

TEST_CASE("the index of an edge is not treated as a name", "[v8][heapsnapshot][recover]") {
  const auto [recovery, written, snapshot] = recover_small("1,1,7,5,3,14", "1,900,7,5,900,14");
  CHECK(recovery.lost_names == 1);
  CHECK(values_of(snapshot, Section::edges, "name_or_index") == Values{900, 7, 1, 5});
}

TEST_CASE("edges that lead nowhere are dropped and no longer counted", "[v8][heapsnapshot][recover]") {
  for (const char* edge : {"5,3,28", "5,3,15", "7,3,14", "5,3,\"14\"", "5,-3000000000,14", "5,3,1.4"}) {
    INFO(edge);
    const auto [recovery, written, snapshot] = recover_small("5,3,14", edge);
    CHECK(recovery.dropped_edges == 1);
    CHECK(values_of(snapshot, Section::nodes, "edge_count") == Values{1, 1, 1, 0});
    CHECK(values_of(snapshot, Section::edges, "to_node") == Values{7, 21, 21});
  }
}

TEST_CASE("edges are dropped if nothing shows to which nodes they belong", "[v8][heapsnapshot][recover]") {
  const auto more = recover_small("9,1,1,0,2,0,0", "9,1,1,0,3,0,0");
  CHECK(values_of(more.snapshot, Section::nodes, "edge_count") == Values(4));
  const auto fewer = recover_small("9,1,1,0,2,0,0", "9,1,1,0,1,0,0");
  CHECK(values_of(fewer.snapshot, Section::nodes, "edge_count") == Values(4));
  CHECK(fewer.recovery.dropped_edges == 4);
  const auto unknown = recover_small("9,2,3,0,1,0,0", "9,2,3,0,null,0,0");
  CHECK(values_of(unknown.snapshot, Section::nodes, "edge_count") == Values{2, 0, 1, 0});
  CHECK(unknown.recovery.kept_edges == 3);
}

TEST_CASE("nodes with wrong numbers are kept", "[v8][heapsnapshot][recover]") {
  const auto [recovery, written, snapshot] =
      recover_small("9,2,3,0,1,0,0,5,3,5,64", "10,2,1,0,1,0,0,5,3,5,-64");
  CHECK(recovery.kept_nodes == 4);
  CHECK(recovery.changed_values == 3);
  CHECK(values_of(snapshot, Section::nodes, "type") == Values{9, 0, 5, 4});
  CHECK(values_of(snapshot, Section::nodes, "id") == Values{1, 3, 5, 7});
  CHECK(values_of(snapshot, Section::nodes, "self_size") == Values{0, 0, 0, 32});
}

TEST_CASE("a lost count of edges costs the edges of one node", "[v8][heapsnapshot][recover]") {
  const auto none = recover_small("4,4,7,32,0,0,0", "4,4,7,32,00,0,0");
  CHECK(values_of(none.snapshot, Section::nodes, "edge_count") == Values{2, 1, 1, 0});
  const auto one = recover_small("9,2,3,0,1,0,0", "9,2,3,0,00,0,0");
  CHECK(values_of(one.snapshot, Section::nodes, "edge_count") == Values{2, 0, 1, 0});
}

TEST_CASE("nodes next to a missing or extra number become placeholders", "[v8][heapsnapshot][recover]") {
  const auto more = recover_small("9,2,3,0,1,0,0", "9,2,3,3,0,1,0,0");
  CHECK(values_of(more.snapshot, Section::nodes, "id") == Values{1, 9, 5, 7});
  CHECK(more.recovery.dropped_nodes == 1);
  CHECK(more.recovery.placeholders == 1);
  const auto row = recover_small("5,3,5,64,1,2,0", "5,3,5,64,1,2,0,4,99,9,0,0,0,0,4,5,3,0,0,0,0");
  CHECK(values_of(row.snapshot, Section::nodes, "id") == Values{1, 3, 9, 7});
  const auto fewer = recover_small("9,2,3,0,1,0,0,5,3,5,64", "9,2,3,0,1,0,0,5,5,64");
  CHECK(values_of(fewer.snapshot, Section::nodes, "id") == Values{1, 9, 11, 7});
}

TEST_CASE("ids show which node is missing", "[v8][heapsnapshot][recover]") {
  constexpr int count = 100;
  std::string nodes = "1,1,1,0," + std::to_string(count);
  std::string edges;
  for (int i = 1; i <= count; ++i) {
    if (i != 60) nodes += ",0,2," + std::to_string(2 * i + 1) + ",16,0";
    edges += (i == 1 ? "1," : ",1,") + std::to_string(i) + "," + std::to_string(5 * i);
  }
  const std::string text =
      replace(make_snapshot(nodes, edges, R"j("<dummy>","","a")j"), R"j("node_count":1,"edge_count":0)j",
              R"j("node_count":101,"edge_count":100)j");
  const auto [recovery, written, snapshot] = recover(text);
  CHECK(recovery.placeholders == 1);
  CHECK(recovery.kept_edges == 99);
  CHECK(recovery.likely_nodes == 32);
  CHECK(recovery.likely_edges == 0);
  CHECK(values_of(snapshot, Section::nodes, "id")[59] == 119);
  CHECK(values_of(snapshot, Section::nodes, "id")[61] == 123);
}

TEST_CASE("edges next to a missing or extra number are dropped", "[v8][heapsnapshot][recover]") {
  const auto more = recover_small("5,3,14,1,1,21", "5,5,3,14,1,1,21");
  CHECK(values_of(more.snapshot, Section::edges, "to_node") == Values{21, 21});
  CHECK(values_of(more.snapshot, Section::nodes, "edge_count") == Values{0, 1, 1, 0});
  CHECK(more.recovery.kept_nodes == 4);
  const auto fewer = recover_small("5,3,14,1,1,21,2,5,21", "5,3,14,1,21,2,5,21");
  CHECK(values_of(fewer.snapshot, Section::edges, "to_node") == Values{7, 14});
  CHECK(fewer.recovery.dropped_edges == 2);
}

TEST_CASE("a node keeps the edges that are its own wherever others were lost",
          "[v8][heapsnapshot][recover]") {
  const auto [recovery, written, snapshot] = recover_small("5,3,14,1,1,21,", "1,1,21,");
  CHECK(values_of(snapshot, Section::nodes, "edge_count") == Values{1, 0, 0, 0});
  CHECK(values_of(snapshot, Section::edges, "to_node") == Values{7});
  CHECK(recovery.dropped_edges == 3);
}

TEST_CASE("complete rows are kept if only the header's count is wrong", "[v8][heapsnapshot][recover]") {
  const auto [recovery, written, snapshot] = recover_small("\"node_count\":4", "\"node_count\":5");
  CHECK(written == read_snapshot_seed("small.heaptimeline"));
  CHECK(recover_small("\"edge_count\":4", "\"edge_count\":3").text == written);
}

TEST_CASE("a call without its function or its caller is dropped", "[v8][heapsnapshot][recover]") {
  const std::string tree = "1,0,0,0,[2,1,1,64,[]]";
  const auto lost = recover_small(tree, "1,0,0,0,[3,2,1,64,[2,1,1,64,[]]]");
  CHECK(lost.snapshot.trace_tree.id == Values{1});
  CHECK(values_of(lost.snapshot, Section::nodes, "trace_node_id") == Values{0, 0, 0, 0});
  CHECK(lost.recovery.dropped_rows == 2);
  const auto roots = recover_small(tree, "7,0,0,0,[2,1,1,64,[]],8,0,0,0,[9,1,1,1,[]]");
  CHECK(roots.snapshot.trace_tree.id == Values{1, 2});
  CHECK(roots.recovery.changed_values == 1);
  const auto repeated = recover_small(tree, "1,0,0,0,[2,1,1,64,[],2,1,5,6,[]]");
  CHECK(repeated.snapshot.trace_tree.id == Values{1, 2, 3});
  CHECK(repeated.recovery.changed_values == 1);
  CHECK(values_of(repeated.snapshot, Section::nodes, "trace_node_id") == Values{0, 0, 2, 0});
  const auto broken = recover_small(tree, "1,0,0,0,[2,1,1,64,[],4,1,\"5\",6,[]]");
  CHECK(broken.snapshot.trace_tree.id == Values{1, 2});
}

TEST_CASE("functions are dropped if the trace tree is lost", "[v8][heapsnapshot][recover]") {
  const auto [recovery, written, snapshot] = recover_small("[1,0,0,0,[2,1,1,64,[]]]", "{}");
  CHECK(snapshot.header.trace_function_count->value == 0);
  CHECK(snapshot.table(Section::trace_function_infos).row_count() == 0);
  CHECK(recovery.dropped_rows == 2);
}

TEST_CASE("rows that contradict other rows are dropped", "[v8][heapsnapshot][recover]") {
  const auto samples = recover_small("0,3,50,7", "0,3,50,7,40,9,60,6,70,\"8\",80,9");
  CHECK(values_of(samples.snapshot, Section::samples, "timestamp_us") == Values{0, 50, 80});
  const auto locations = recover_small("14,9,21,2,28", "14,9,21,1,1,14,9,21,2,28,14,9,22,3,3,28,9,21,4,4");
  CHECK(values_of(locations.snapshot, Section::locations, "line") == Values{2});
  CHECK(locations.recovery.dropped_rows == 3);
}

TEST_CASE("scopes keep their own rows", "[v8][heapsnapshot][recover]") {
  std::string text =
      replace(read_snapshot_seed("small.heaptimeline"), "21,-2,0,1,1", "21,-2,0,1,1,22,3,1,2,0,21,4,1,1,3");
  text = replace(text, "\"scope_context_vars\":[5]", "\"scope_context_vars\":[5,1,2,3,4]");
  const auto [recovery, written, snapshot] = recover(text);
  CHECK(values_of(snapshot, Section::scopes, "scope_id") == Values{~std::uint64_t{1}, 4});
  CHECK(values_of(snapshot, Section::scopes, "scope_context_vars_count") == Values{1, 1});
  CHECK(values_of(snapshot, Section::scopes, "scope_uses_count") == Values{1, 0});
  CHECK(values_of(snapshot, Section::scope_context_vars, "name") == Values{5, 3});
  CHECK(recovery.dropped_rows == 4);
}

TEST_CASE("sections are put into V8's order and unknown ones are lost", "[v8][heapsnapshot][recover]") {
  CHECK(recover(read_snapshot_seed("strings-first.heaptimeline")).text ==
        read_snapshot_seed("small.heaptimeline"));
  const auto [recovery, written, snapshot] = recover_small("\"samples\"", "\"more\":[1,{}],\"samples\"");
  CHECK(recovery.lost_members == 1);
  CHECK(written == read_snapshot_seed("small.heaptimeline"));
}

TEST_CASE("a column of calls that V8 does not write is lost", "[v8][heapsnapshot][recover]") {
  std::string text =
      replace(read_snapshot_seed("small.heaptimeline"), "\"children\"]", "\"self\",\"children\"]");
  text = replace(text, "[1,0,0,0,[2,1,1,64,[]]]", "[1,0,0,0,9,[2,1,1,64,9,[]]]");
  const auto [recovery, written, snapshot] = recover(text);
  CHECK(recovery.lost_members == 1);
  CHECK(written == read_snapshot_seed("small.heaptimeline"));
}

TEST_CASE("a second column with the same name is renamed", "[v8][heapsnapshot][recover]") {
  const auto [recovery, written, snapshot] =
      recover_small("\"sample_fields\":[\"timestamp_us\",\"last_assigned_id\"]",
                    "\"sample_fields\":[\"timestamp_us\",\"timestamp_us\"]");
  CHECK(recovery.changed_values == 1);
  CHECK(snapshot.schema.fields[index_of(Section::samples)] ==
        std::vector<std::string>{"timestamp_us", "timestamp_us (1)"});
}

TEST_CASE("a root index at which no node starts is removed", "[v8][heapsnapshot][recover]") {
  const std::string count = "\"extra_native_bytes\":0";
  CHECK_FALSE(recover_small(count, "\"root_index\":8").snapshot.header.root_index);
  const auto outside = recover_small(count, "\"root_index\":28");
  CHECK_FALSE(outside.snapshot.header.root_index);
  CHECK(outside.recovery.has_lost());
  CHECK(recover_small(count, "\"root_index\":7").snapshot.header.root_index->value == 7);
}

TEST_CASE("a snapshot in which every node would be a placeholder is not written",
          "[v8][heapsnapshot][recover]") {
  const std::string text =
      replace(make_snapshot("9,1,1,0,4,3,3,5,32,0,3,4,7,64,0,3,5,9,128,0", "2,6,5,2,7,10,2,8,15,2,9,20",
                            R"j("<dummy>","","A","B","C","D","a","b","c","d")j"),
              R"j("node_count":1,"edge_count":0)j", R"j("node_count":5,"edge_count":4)j");
  const auto [recovery, written, snapshot] = recover(text);
  CHECK(recovery.kept_nodes == 5);
  CHECK(recovery.real_nodes() == 0);
  CHECK(recovery.dropped_nodes == 5);
  CHECK(written.empty());
}

TEST_CASE("nothing is kept without nodes or the names of their columns", "[v8][heapsnapshot][recover]") {
  for (const char* text : {"", "{}", "[]", "{\"snapshot\":{},\"nodes\":[1,2,3]}"})
    CHECK(recover(text).recovery.kept_nodes == 0);
  CHECK(recover_small("\"edge_count\",", "\"edges\",").text.empty());
  CHECK(recover_small("\"name_or_index\"", "\"name\"").text.empty());
  CHECK(recover_small("\"node_types\":[[", "\"node_types\":[\"\",[").text.empty());
}

TEST_CASE("a broken section without named columns is dropped", "[v8][heapsnapshot][recover]") {
  std::string text = replace(read_snapshot_seed("small.heaptimeline"), "trace_function_info_fields", "other");
  text = text.substr(0, text.find("5,3,4,9"));
  const auto [recovery, written, snapshot] = recover(text);
  CHECK_FALSE(snapshot.has(Section::trace_function_infos));
  CHECK(snapshot.header.trace_function_count->value == 0);
}
