// Shared by the tests of both V8 formats: functions to read and write models in memory.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "formats/core/output/output_file.hpp"
#include "formats/core/window.hpp"
#include "tests/support/files.hpp"
#include "validate/collector.hpp"

namespace heapcheck::tests {

/// Calls `read` with a window on the text and a sink. Returns its result and the findings that it reported.
template <class Read>
auto read_text(std::string_view text, std::size_t capacity, Read&& read) {
  core::MemorySource source(core::as_bytes(text));
  core::Window window(source, capacity);
  validation::Collector collector(1000);
  auto model = read(window, collector);
  return std::pair(std::move(model), collector.take_findings());
}

/// `write` takes a model and a sink for bytes.
template <class Model, class Write>
std::string write_text(const Model& model, Write&& write) {
  core::MemorySink sink;
  REQUIRE(write(model, sink));
  return std::string(core::as_text(sink.bytes()));
}

}  // namespace heapcheck::tests
