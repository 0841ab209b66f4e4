#include "recover/v8/heapsnapshot/string_alignment.hpp"

#include <string>
#include <vector>

#include "tests/support/recovered_snapshots.hpp"

using namespace heapcheck;
using tests::make_snapshot;
using tests::recover;
using tests::replace;

namespace {

/// A string that is different, and may have a different length, for each number.
std::string make_text(std::size_t number) {
  return "t" + std::to_string(number) + std::string(number * number * 7919 % 61, 'x');
}

/// A snapshot of `count` strings whose names start at 2 and whose sizes match make_text().
std::string make_texts(std::size_t count, const std::vector<std::string>& strings) {
  std::string nodes = "9,1,1,0," + std::to_string(count);
  std::string edges;
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t size = (16 + make_text(i).size() + 7) / 8 * 8;
    nodes +=
        ",2," + std::to_string(i + 1) + "," + std::to_string(2 * i + 1) + "," + std::to_string(size) + ",0";
    edges += (i == 1 ? "" : ",") + std::string("1,") + std::to_string(i) + "," + std::to_string(5 * i);
  }
  std::string text;
  for (const std::string& string : strings) text += (text.empty() ? "\"" : ",\"") + string + "\"";
  const std::string types =
      R"j(["hidden","array","string","object","code","closure","regexp","number","native","synthetic"])j";
  const std::string snapshot =
      replace(make_snapshot(nodes, edges, text), R"j(["hidden","synthetic"])j", types);
  return replace(snapshot, R"j("node_count":1,"edge_count":0)j",
                 "\"node_count\":" + std::to_string(count + 1) + ",\"edge_count\":" + std::to_string(count));
}

std::vector<std::string> make_strings(std::size_t count) {
  std::vector<std::string> strings{"<dummy>", ""};
  for (std::size_t i = 1; i <= count; ++i) strings.push_back(make_text(i));
  return strings;
}

}  // namespace

TEST_CASE("strings after lost ones keep their indices", "[v8][heapsnapshot][recover]") {
  constexpr std::size_t count = 600;
  const std::vector<std::string> whole = make_strings(count);
  CHECK(recover(make_texts(count, whole)).recovery.lost_names == 0);
  std::vector<std::string> strings = whole;
  strings.erase(strings.begin() + 200, strings.begin() + 300);
  const auto [recovery, written, snapshot] = recover(make_texts(count, strings));
  REQUIRE(snapshot.strings.table.count() == whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::string_view string = snapshot.strings.table[i];
    CHECK((string == whole[i] || string == "(lost " + std::to_string(i) + ")"));
  }
  CHECK(recovery.lost_names >= 100);
  CHECK(recovery.lost_names < 200);
}

TEST_CASE("names are lost if nothing shows which strings are", "[v8][heapsnapshot][recover]") {
  std::vector<std::string> strings = make_strings(50);
  strings.erase(strings.begin() + 2, strings.begin() + 42);
  const auto [recovery, written, snapshot] = recover(make_texts(50, strings));
  CHECK(recovery.lost_names == 52);
  CHECK(snapshot.strings.table[1].empty());
  CHECK(snapshot.strings.table[51] == "(lost 51)");
}

TEST_CASE("strings that are in the table twice are removed", "[v8][heapsnapshot][recover]") {
  const std::vector<std::string> whole = make_strings(40);
  std::vector<std::string> strings = whole;
  strings.insert(strings.begin() + 20, whole.begin() + 10, whole.begin() + 20);
  const auto [recovery, written, snapshot] = recover(make_texts(40, strings));
  CHECK(recovery.doubled_strings == 10);
  CHECK(recovery.lost_names == 0);
  CHECK(written == make_texts(40, whole));
}
