// What the readers of a whole file share that follow its index or tables of contents: they jump from place to
// place, and stop where nothing can be followed. Borrows source and sink; owns the window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/core/finding_sink.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::mvmheap {

class SeekingReader {
 public:
  SeekingReader(const SeekingReader&) = delete;
  SeekingReader& operator=(const SeekingReader&) = delete;

  /// Whether everything that is listed could be followed.
  [[nodiscard]] bool is_complete() const { return progress_ == Progress::complete; }
  /// Why the source failed, if it did.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 protected:
  enum class Progress : std::uint8_t {
    not_begun,
    parts,       ///< the list was read, parts follow
    incomplete,  ///< ended, and something could not be followed
    complete,    ///< ended, and everything was
  };

  SeekingReader(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink)
      : source_(&source), limits_(limits), sink_(&sink), range_(source, 0), window_(range_) {}
  ~SeekingReader() = default;

  /// Whether nothing was read yet; from here on, parts are.
  bool begin() {
    const bool is_first = progress_ == Progress::not_begun;
    if (is_first) progress_ = Progress::parts;
    return is_first;
  }
  /// Whether the parts have ended, which `is_complete` is about.
  [[nodiscard]] bool has_ended() const { return is_complete() || progress_ == Progress::incomplete; }
  /// Moves the window to `offset`.
  void seek(std::uint64_t offset);
  /// Reports what cannot be followed. What a failing source causes is not the file's fault.
  void report(const Rule& rule, Span place, const std::string& path, std::string message);

  core::SeekableSource* source_;
  Limits limits_;
  core::FindingSink* sink_;
  core::RangeSource range_;
  core::Window window_;
  Progress progress_ = Progress::not_begun;

 private:
  std::optional<Error> error_;
};

}  // namespace heapcheck::mvmheap
