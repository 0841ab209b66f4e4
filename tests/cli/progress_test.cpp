// Tests what the progress bar says and when. The times are made up, so nothing here depends on a clock.
#include "cli/progress.hpp"

#include "tests/support/catch.hpp"

using heapcheck::cli::ProgressLine;
using namespace std::chrono_literals;

namespace {

constexpr ProgressLine::Time made_up_start{};
constexpr std::uint64_t megabyte = 1'000'000;

std::size_t unlimited() { return SIZE_MAX; }

}  // namespace

TEST_CASE("the progress bar appears after a second, and then changes every 200 ms", "[progress]") {
  ProgressLine line(5000 * megabyte, made_up_start, &unlimited);
  CHECK(!line.add(1000 * megabyte, made_up_start + 999ms));
  CHECK(!line.end_source(made_up_start + 999ms));
  CHECK(line.add(250 * megabyte, made_up_start + 1s) ==
        "[#####---------------]  25 % of 5.0 GB read, 3 s left");
  CHECK(!line.add(megabyte, made_up_start + 1199ms));
  CHECK(line.add(1249 * megabyte, made_up_start + 1200ms) ==
        "[##########----------]  50 % of 5.0 GB read, 2 s left");
  CHECK(line.end_source(made_up_start + 1300ms));
  line.stop();
  CHECK(!line.end_source(made_up_start + 9s));
  CHECK(!line.add(megabyte, made_up_start + 9s));
}

TEST_CASE("the progress bar estimates the time that is left, unless it is too early or too late for that",
          "[progress]") {
  ProgressLine line(1000 * megabyte, made_up_start, &unlimited);
  CHECK(line.add(10 * megabyte, made_up_start + 5s) == "[--------------------]   1 % of 1.0 GB read");
  CHECK(line.add(90 * megabyte, made_up_start + 30s) ==
        "[##------------------]  10 % of 1.0 GB read, 5 min left");
  CHECK(line.add(400 * megabyte, made_up_start + 119s) ==
        "[##########----------]  50 % of 1.0 GB read, 119 s left");
  CHECK(line.add(500 * megabyte, made_up_start + 140s) == "[####################] 100 % of 1.0 GB read");
}

TEST_CASE("a second reading starts at the front, with an estimate of its own", "[progress]") {
  ProgressLine line(100 * megabyte, made_up_start, &unlimited);
  CHECK(line.add(100 * megabyte, made_up_start + 10s) == "[####################] 100 % of 100 MB read");
  CHECK(line.add(25 * megabyte, made_up_start + 20s));
  CHECK(line.add(25 * megabyte, made_up_start + 22s) ==
        "[##########----------]  50 % of 100 MB read again, 2 s left");
}

TEST_CASE("without a total, the progress bar only says how much was read", "[progress]") {
  ProgressLine line(0, made_up_start, &unlimited);
  CHECK(line.add(3 * megabyte, made_up_start + 60s) == "3 MB read");
  CHECK(line.add(2497 * megabyte, made_up_start + 90s) == "2.5 GB read");
}

TEST_CASE("in a narrow terminal, the progress bar is shorter instead of wrapped", "[progress]") {
  const auto show = [](ProgressLine::CountColumns count_columns) {
    ProgressLine line(5000 * megabyte, made_up_start, count_columns);
    return line.add(1250 * megabyte, made_up_start + 1s).value_or("");
  };
  CHECK(show([] { return std::size_t{53}; }) == "[#####---------------]  25 % of 5.0 GB read, 3 s left");
  // A terminal with 40 columns has 28 of them after `heapcheck: `.
  CHECK(show([] { return std::size_t{52}; }) == " 25 % of 5.0 GB read, 3 s left");
  CHECK(show([] { return std::size_t{28}; }) == " 25 %, 3 s left");
  CHECK(show([] { return std::size_t{8}; }) == " 25 %");
}
