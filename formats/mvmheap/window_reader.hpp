// Base class of the readers that read a file from front to back. It holds the window and the limits, and
// reports findings. Borrows the window and the sink.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "formats/core/finding_sink.hpp"
#include "formats/core/input_failure.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/part.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::mvmheap {

class WindowReader {
 public:
  WindowReader(const WindowReader&) = delete;
  WindowReader& operator=(const WindowReader&) = delete;

 protected:
  WindowReader(core::Window& window, const Limits& limits, core::FindingSink& sink)
      : window_(&window), limits_(limits), sink_(&sink) {}
  ~WindowReader() = default;

  void report(const Rule& rule, Span place, const std::string& path, std::string message) {
    core::report_or_count(*sink_, {&rule, {place, std::nullopt, path}, std::move(message)});
  }
  /// Whether the input failed. If it did, reports why, and how many snapshots are complete.
  bool report_input_failure(Span place, const std::string& path, std::uint64_t whole_snapshots) {
    return core::report_input_failure(*window_, *sink_, {place, std::nullopt, path},
                                      count_whole_snapshots(whole_snapshots));
  }

  core::Window* window_;
  Limits limits_;
  core::FindingSink* sink_;
};

}  // namespace heapcheck::mvmheap
