#include <algorithm>
#include <map>
#include <random>

#include "convert/chrome/legacy/profile.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/chrome_legacy.hpp"

using namespace heapcheck;
using namespace heapcheck::conversion::chrome;
using conversion::chrome::legacy::CutOff;
using heapcheck::chrome::EventHead;

namespace {

/// Sizes by stack and type: "BrMain/Init T" is 151.
using Sizes = std::map<std::string, std::uint64_t>;

std::string stack_of(const Profile& profile, const Process& process, FrameIndex frame) {
  std::string text;
  for (; frame != no_frame; frame = process.frames.parent[static_cast<std::size_t>(frame)]) {
    text.insert(0, profile.strings[process.frames.name[static_cast<std::size_t>(frame)]]);
    text.insert(0, "/");
  }
  return text;
}

/// The sizes in all heaps of a profile. Counts are included, multiplied by 1,000,000.
Sizes sizes_of(const Profile& profile) {
  Sizes sizes;
  for (const Process& process : profile.processes) {
    for (const Dump& dump : process.dumps) {
      for (const Heap& heap : dump.heaps) {
        for (std::uint64_t row = 0; row < heap.row_count(); ++row) {
          const auto type = process.types[static_cast<std::size_t>(heap.type[row])];
          const std::string key =
              stack_of(profile, process, heap.frame[row]) + " " + std::string(profile.strings[type]);
          sizes[key] += heap.size[row] + 1'000'000 * heap.count[row];
        }
      }
    }
  }
  return sizes;
}

/// Makes a profile with one heap, row by row.
class Builder {
 public:
  Builder() {
    Process& process = profile_.processes.emplace_back();
    process.pid = 7;
    process.dumps.emplace_back().head.id = "0x1";
    process.dumps[0].heaps.emplace_back().allocator = "malloc";
  }
  FrameIndex frame(std::string_view name, FrameIndex parent = no_frame) {
    FrameTree& frames = profile_.processes[0].frames;
    frames.parent.push_back(parent);
    frames.name.push_back(profile_.strings.intern(name));
    return FrameIndex{static_cast<std::uint32_t>(frames.count() - 1)};
  }
  TypeIndex type(std::string_view name) {
    auto& types = profile_.processes[0].types;
    types.push_back(profile_.strings.intern(name));
    return TypeIndex{static_cast<std::uint32_t>(types.size() - 1)};
  }
  void row(FrameIndex frame, TypeIndex type, std::uint64_t size, std::uint64_t count = 1) {
    Heap& heap = profile_.processes[0].dumps[0].heaps[0];
    heap.frame.push_back(frame);
    heap.type.push_back(type);
    heap.size.push_back(size);
    heap.count.push_back(count);
  }
  [[nodiscard]] const Profile& profile() const { return profile_; }

 private:
  Profile profile_;
};

/// The example table of the document "Heap Dump Format" (spec/chrome/legacy.md) as self values: rows are
/// stacks, columns are types.
Profile make_example() {
  Builder builder;
  const FrameIndex main = builder.frame("BrMain");
  const FrameIndex init = builder.frame("Init", main);
  const FrameIndex loop = builder.frame("MsgLp", main);
  const FrameIndex render = builder.frame("RdMain");
  const std::array stacks{no_frame,
                          main,
                          init,
                          loop,
                          render,
                          builder.frame("RTask", render),
                          builder.frame("FnA", render),
                          builder.frame("FnB", render),
                          builder.frame("ColdFn")};
  const std::array types{builder.type("T"), builder.type("U"), builder.type("V"), builder.type("W")};
  constexpr std::uint64_t sizes[9][4] = {{2, 3, 5, 7},      {7, 11, 13, 2}, {151, 5, 3, 83},
                                         {307, 2, 281, 11}, {3, 7, 17, 2},  {211, 3, 5, 337},
                                         {2, 0, 7, 11},     {13, 3, 2, 5},  {2, 5, 7, 3}};
  for (std::size_t stack = 0; stack < stacks.size(); ++stack) {
    for (std::size_t type = 0; type < types.size(); ++type) {
      if (sizes[stack][type] != 0) builder.row(stacks[stack], types[type], sizes[stack][type]);
    }
  }
  return builder.profile();
}

conversion::chrome::legacy::FromProfile write(const Profile& profile, const CutOff& cut_off = {}) {
  auto written = conversion::chrome::legacy::from_profile(profile, cut_off, {});
  REQUIRE(written.has_value());
  return std::move(*written);
}

/// Cumulative sizes by stack and type; "*" means all types.
Sizes entries_of(const heapcheck::chrome::legacy::Model& model) {
  const heapcheck::chrome::legacy::Process& process = model.processes.at(0);
  std::map<std::uint32_t, std::string> stacks{
      {static_cast<std::uint32_t>(heapcheck::chrome::legacy::empty_stack), ""}};
  for (std::uint64_t row = 0; row < process.frames.count(); ++row) {
    stacks[static_cast<std::uint32_t>(process.frames.id[row])] =
        stacks.at(static_cast<std::uint32_t>(process.frames.parent[row])) + "/" +
        std::string(model.strings[process.frames.name[row]]);
  }
  std::map<std::uint32_t, std::string> types{
      {static_cast<std::uint32_t>(heapcheck::chrome::legacy::all_types), "*"}};
  for (std::uint64_t row = 0; row < process.types.count(); ++row) {
    types[static_cast<std::uint32_t>(process.types.id[row])] = model.strings[process.types.name[row]];
  }
  Sizes sizes;
  const heapcheck::chrome::legacy::Entries& entries = process.dumps.at(0).heaps.at(0).entries;
  for (std::uint64_t row = 0; row < entries.row_count(); ++row) {
    const std::string key = stacks.at(static_cast<std::uint32_t>(entries.frame[row])) + " " +
                            types.at(static_cast<std::uint32_t>(entries.type[row]));
    REQUIRE(sizes.emplace(key, entries.size[row]).second);
  }
  return sizes;
}

Sizes read_back(const heapcheck::chrome::legacy::Model& model) {
  return sizes_of(conversion::chrome::legacy::to_profile(model).profile);
}

const Sizes example_entries{{" *", 1538},
                            {" T", 698},
                            {" V", 340},
                            {" W", 461},
                            {"/BrMain *", 876},
                            {"/BrMain T", 465},
                            {"/BrMain V", 297},
                            {"/BrMain W", 96},
                            {"/BrMain/Init *", 242},
                            {"/BrMain/Init T", 151},
                            {"/BrMain/Init W", 83},
                            {"/BrMain/MsgLp *", 601},
                            {"/BrMain/MsgLp T", 307},
                            {"/BrMain/MsgLp V", 281},
                            {"/RdMain *", 628},
                            {"/RdMain T", 229},
                            {"/RdMain W", 355},
                            {"/RdMain/RTask *", 556},
                            {"/RdMain/RTask T", 211},
                            {"/RdMain/RTask W", 337}};

}  // namespace

TEST_CASE("the breakdown of the example by the format's authors is reproduced", "[chrome][legacy]") {
  const auto written = write(make_example(), {.threshold_bytes = 50});
  CHECK(entries_of(written.model) == example_entries);
  REQUIRE(written.losses.size() == 1);
  CHECK(written.losses[0].what == "entries");
}

TEST_CASE("entries are sorted, with the empty stack and all types first", "[chrome][legacy]") {
  const auto written = write(make_example());
  const heapcheck::chrome::legacy::Entries& entries = written.model.processes[0].dumps[0].heaps[0].entries;
  const auto order = [&entries](std::uint64_t row) {
    return std::pair(static_cast<std::uint32_t>(entries.frame[row]) + 1,
                     static_cast<std::uint32_t>(entries.type[row]) + 1);
  };
  CHECK(order(0) == std::pair(0U, 0U));
  for (std::uint64_t row = 1; row < entries.row_count(); ++row) CHECK(order(row - 1) < order(row));
}

TEST_CASE("reading the example keeps the totals of its stacks and types", "[chrome][legacy]") {
  const auto written = write(make_example(), {.threshold_bytes = 50});
  const auto read = conversion::chrome::legacy::to_profile(written.model);
  Sizes totals;
  for (const auto& [key, value] : sizes_of(read.profile))
    totals[key.substr(0, key.find(' '))] += value % 1'000'000;
  CHECK(totals == Sizes{{"/<other>", 34},
                        {"/BrMain/<other>", 33},
                        {"/BrMain/Init", 242},
                        {"/BrMain/MsgLp", 601},
                        {"/RdMain/<other>", 72},
                        {"/RdMain/RTask", 556}});
  const Sizes sizes = sizes_of(read.profile);
  CHECK(sizes.at("/BrMain/Init <other>") % 1'000'000 == 5);  // out of 8; the other 3 are of type V
  CHECK(sizes.at("/BrMain/Init V") % 1'000'000 == 3);
  CHECK(sizes.at("/BrMain/MsgLp <other>") % 1'000'000 == 13);
  CHECK(sizes.at("/RdMain/RTask <other>") % 1'000'000 == 8);
  CHECK(!read.losses.empty());
  const Sizes entries = entries_of(write(read.profile).model);
  CHECK(entries.at("/BrMain *") == 876);
  CHECK(entries.at(" T") == 698);
  CHECK(entries.at(" V") == 340);
  CHECK(entries.at(" W") == 461);
  CHECK(entries.at("/BrMain V") == 297);
}

TEST_CASE("without a cut-off, writing entries and reading them back loses nothing", "[chrome][legacy]") {
  const Profile profile = make_example();
  const auto written = write(profile);
  CHECK(written.losses.empty());
  CHECK(entries_of(written.model).at("/BrMain/<self> *") == 33);
  const auto read = conversion::chrome::legacy::to_profile(written.model);
  CHECK(read.losses.empty());
  CHECK(sizes_of(read.profile) == sizes_of(profile));
  CHECK(tests::write_legacy(write(read.profile).model) == tests::write_legacy(written.model));
}

TEST_CASE("a remainder that was worked out is not written", "[chrome][legacy]") {
  Builder builder;
  const FrameIndex main = builder.frame("main");
  const TypeIndex type = builder.type("int");
  const TypeIndex other = builder.type("<other>");
  builder.row(builder.frame("f", main), type, 100);
  const FrameIndex rest = builder.frame("<other>", main);
  builder.row(rest, type, 10);
  builder.row(rest, other, 3);
  const auto written = write(builder.profile());
  CHECK(entries_of(written.model) == Sizes{{" *", 113},
                                           {" int", 110},
                                           {"/main *", 113},
                                           {"/main int", 110},
                                           {"/main/f *", 100},
                                           {"/main/f int", 100}});
  CHECK(read_back(written.model) == sizes_of(builder.profile()));
}

TEST_CASE("a remainder without siblings is written", "[chrome][legacy]") {
  Builder builder;
  const FrameIndex main = builder.frame("main");
  builder.row(builder.frame("<other>", main), builder.type("int"), 10);
  CHECK(read_back(write(builder.profile()).model) == sizes_of(builder.profile()));
}

TEST_CASE("a frame that is really called <self> becomes its caller's memory, and is counted",
          "[chrome][legacy]") {
  Builder builder;
  const TypeIndex type = builder.type("int");
  const FrameIndex main = builder.frame("main");
  builder.row(main, type, 5);
  builder.row(builder.frame("<self>", main), type, 10);
  const FrameIndex outer = builder.frame("<self>");
  builder.row(outer, type, 1);
  builder.row(builder.frame("g", outer), type, 2);
  const auto written = write(builder.profile());
  REQUIRE(written.losses.size() == 1);
  CHECK(written.losses[0].count == 1);
  CHECK(read_back(written.model) ==
        Sizes{{"/main int", 2'000'015}, {"/<self> int", 1'000'001}, {"/<self>/g int", 1'000'002}});
}

TEST_CASE("the largest shares are kept, as writers before the threshold did", "[chrome][legacy]") {
  Builder builder;
  const TypeIndex type = builder.type("int");
  for (const auto& [name, size] :
       std::map<std::string, std::uint64_t>{{"a", 10'000}, {"b", 100}, {"c", 79}, {"d", 81}}) {
    builder.row(builder.frame(name), type, size);
  }
  const Sizes entries = entries_of(write(builder.profile(), {.share_permille = 8}).model);
  CHECK(entries.contains("/b *"));
  CHECK(entries.contains("/d int"));
  CHECK(!entries.contains("/c *"));
  CHECK(!entries.contains("/c int"));
}

TEST_CASE("values of the old variant are self values of a stack", "[chrome][legacy]") {
  const auto trace = tests::read_legacy(tests::make_legacy(
      R"({"size":"64"},{"size":"1e","bt":"0"},{"size":"14","bt":"1"},{"size":"5","bt":""})",
      R"("0":{"name":"main"},"1":{"name":"f","parent":"0"})", {}));
  CHECK(read_back(trace.model) ==
        Sizes{{"/main <other>", 30}, {"/main/f <other>", 20}, {" <other>", 5}, {"/<other> <other>", 45}});
}

TEST_CASE("missing totals are added up", "[chrome][legacy]") {
  const auto trace = tests::read_legacy(tests::make_legacy(
      R"({"size":"64","bt":""},{"size":"1e","bt":"1","type":"0"},{"size":"14","bt":"2"},{"size":"a","bt":"1","type":"1"})",
      R"("0":{"name":"main"},"1":{"name":"f","parent":"0"},"2":{"name":"g","parent":"1"})",
      R"("0":"T","1":"U")"));
  CHECK(read_back(trace.model) == Sizes{{"/<other> <other>", 40},
                                        {"/main/f/<other> T", 30},
                                        {"/main/f/<other> U", 10},
                                        {"/main/f/g <other>", 20}});
}

TEST_CASE("types are distributed over remainders so that none is reduced", "[chrome][legacy]") {
  // U can only be in g, whereas T could be in either; g comes last.
  const auto trace = tests::read_legacy(tests::make_legacy(
      R"({"size":"b","bt":""},{"size":"5","bt":"","type":"0"},{"size":"6","bt":"","type":"1"},)"
      R"({"size":"6","bt":"0"},{"size":"1","bt":"0","type":"1"},{"size":"5","bt":"1"})",
      R"("0":{"name":"f"},"1":{"name":"g"})", R"("0":"T","1":"U")"));
  CHECK(read_back(trace.model) == Sizes{{"/f U", 1}, {"/f T", 5}, {"/g U", 5}});
}

TEST_CASE("the totals of types survive a cut-off", "[chrome][legacy]") {
  std::minstd_rand random(5);
  const auto below = [&random](std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); };
  for (int round = 0; round < 200; ++round) {
    Builder builder;
    std::vector<FrameIndex> frames{no_frame};
    for (int i = 0; i < 15; ++i)
      frames.push_back(
          builder.frame("f" + std::to_string(i), frames[below(static_cast<std::uint32_t>(frames.size()))]));
    for (const char* name : {"T", "U", "V", "W"}) {
      const TypeIndex type = builder.type(name);
      for (const FrameIndex frame : frames) {
        if (below(3) == 0) builder.row(frame, type, 1 + below(30));
      }
    }
    const auto cut = write(builder.profile(), {.threshold_bytes = 25}).model;
    const auto again = conversion::chrome::legacy::to_profile(cut);
    CHECK(std::ranges::count(again.losses, "bytes of types", &Loss::what) == 0);
    Sizes entries = entries_of(write(again.profile).model);
    for (const auto& [key, size] : entries_of(cut)) CHECK(entries[key] == size);
  }
}

TEST_CASE("a dump can be converted to a profile, whatever faults it has", "[chrome][legacy]") {
  const auto trace = tests::read_legacy(tests::make_legacy(
      R"({"size":"5","bt":""},{"size":"1e","bt":"1"},{"size":"1","bt":"9"},{"size":"1"},{"size":"7","bt":"1"},{"bt":"2"})",
      R"("1":{"name":"f","parent":"2"},"2":{"name":"g","parent":"1"},"3":{"name":"h","parent":"8"})", {}));
  const auto read = conversion::chrome::legacy::to_profile(trace.model);
  CHECK(sizes_of(read.profile) == Sizes{{"/g/f <other>", 30}});
  CHECK(read.losses.size() >= 3);
}

TEST_CASE("a profile whose sizes add up to more than an entry can hold is not written", "[chrome][legacy]") {
  Builder builder;
  const TypeIndex type = builder.type("int");
  builder.row(builder.frame("main"), type, UINT64_MAX - 1);
  CHECK(conversion::chrome::legacy::from_profile(builder.profile(), {}, {}));
  builder.row(builder.frame("other"), type, 1);
  const auto written = conversion::chrome::legacy::from_profile(builder.profile(), {}, {});
  REQUIRE(!written);
  CHECK(written.error().kind == ErrorKind::unsupported);
  CHECK(written.error().message.find("allocator malloc in process 7") != std::string::npos);
}

TEST_CASE("a profile with too many cumulative values is not written", "[chrome][legacy]") {
  Builder builder;
  FrameIndex frame = no_frame;
  for (int i = 0; i < 1000; ++i) frame = builder.frame("f", frame);
  for (int i = 0; i < 1000; ++i) builder.row(frame, builder.type("t" + std::to_string(i)), 1);
  Limits limits;
  limits.max_memory = 1 << 20;
  const auto written = conversion::chrome::legacy::from_profile(builder.profile(), {}, limits);
  REQUIRE(!written.has_value());
  CHECK(written.error().kind == ErrorKind::limit);
  CHECK(conversion::chrome::legacy::from_profile(builder.profile(), {}, {}).has_value());
}
