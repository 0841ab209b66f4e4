// Shared by the recovery targets for V8's files: the result is valid, and recovering it again writes the same
// bytes. Each target checks what the recovery reports.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/model.hpp"
#include "fuzz/support/check.hpp"

namespace heapcheck::fuzz {

/// The reports of two recoveries, the result of the first one and the findings in it. The second recovery is
/// that of the result.
template <class Recovery>
struct Recovered {
  Recovery first;
  Recovery second;
  Report report;
  std::vector<std::uint8_t> bytes;
};

/// Reads the bytes as `format`, whether or not they look like it.
inline formats::Content read_now(Format format, core::MemorySource& source, const Limits& limits) {
  core::RangeSource bytes(source, 0);
  core::Window window(bytes);
  core::SilentSink sink;
  return formats::read_content(format, window, limits, sink);
}

/// `recover` takes a source, the content read from it, limits and a sink for bytes. If `recover` writes
/// nothing, there is no result.
template <class Recovery, class Recover>
std::optional<Recovered<Recovery>> require_recovery(core::ByteSpan bytes, Format format, Recover&& recover) {
  core::MemorySource source(bytes);
  core::MemorySink out;
  formats::Content content = read_now(format, source, make_limits());
  auto first = recover(source, content, make_limits(), out);
  require(first || out.bytes().empty(), "nothing is written if the recovery fails");
  if (!first) return std::nullopt;
  require(out.bytes().empty() == (first->real_nodes() == 0),
          "a file is written if and only if nodes are kept");
  if (out.bytes().empty()) return std::nullopt;
  auto report = check(out.bytes(), {});
  require(report.verdict == Verdict::valid, "a recovered file is valid");
  require(report.format == format, "a recovered file has the same format");

  core::MemorySource again(out.bytes());
  core::MemorySink same;
  content = read_now(format, again, {});
  auto second = recover(again, content, Limits{}, same);
  // A warning means that something may be wrong, and a second recovery may be able to prove it. For example,
  // repeated strings are removed when no edge that names them is left.
  const bool is_doubtful = report.count(Severity::warning) != 0;
  require(second && (is_doubtful || !second->has_lost()), "recovering a recovered file loses nothing");
  require(is_doubtful || same.bytes() == out.bytes(), "recovering a recovered file produces the same bytes");
  return Recovered<Recovery>{.first = std::move(*first),
                             .second = std::move(*second),
                             .report = std::move(report),
                             .bytes = {out.bytes().begin(), out.bytes().end()}};
}

}  // namespace heapcheck::fuzz
