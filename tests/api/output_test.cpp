// Tests the check of an output before it is given its name.
#include "api/output.hpp"

#include <string>

#include "heapcheck/recover.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;

namespace {

/// The error after a file with these bytes was written and checked, or nothing if the file is accepted.
std::optional<Error> check_output_of(const std::string& bytes, const Limits& limits = {}) {
  const tests::Scratch scratch;
  auto file = core::OutputFile::create(scratch.path("out"));
  REQUIRE(file);
  REQUIRE(file->write(core::as_bytes(bytes)));
  const auto checked = api::check_written(*file, limits);
  return checked ? std::nullopt : std::optional(checked.error());
}

}  // namespace

TEST_CASE("an output is accepted only if it is valid", "[output]") {
  CHECK(!check_output_of(tests::read_corpus("mvmheap/v3/seed/two-snapshots.mvmheap")));
  const auto not_valid = check_output_of(tests::read_corpus("mvmheap/v3/case/toc-entry-end.mvmheap"));
  REQUIRE(not_valid);
  CHECK(not_valid->kind == ErrorKind::unwritable);
  CHECK(not_valid->message ==
        "the output would not be sound (toc entry ends at 540, expected 541, the end of colsize), so nothing "
        "was written");
  const auto cut = check_output_of(tests::read_corpus("mvmheap/v3/seed/cut.mvmheap"));
  REQUIRE(cut);
  CHECK(cut->kind == ErrorKind::unwritable);
  CHECK(check_output_of("").has_value());
}

TEST_CASE("an output that reaches a limit is not accepted", "[output]") {
  const auto limited =
      check_output_of(tests::read_corpus("mvmheap/v3/seed/two-snapshots.mvmheap"), {.max_memory = 10});
  REQUIRE(limited);
  CHECK(limited->kind == ErrorKind::limit);
}

TEST_CASE("the summary of a refused recovery says that the format is the reason", "[api][recover]") {
  Recovery recovery;
  recovery.is_refused = true;
  recovery.losses = {{.what = "unmanaged size", .count = 3, .reason = "no such column"}};
  const std::string text = make_text(recovery, "out.txt");
  CHECK(text.contains("cannot represent everything, so nothing was written\n"));
  CHECK(text.contains("unmanaged size"));
  CHECK(!text.contains("can be kept"));
}
