// How far reading has come, as one line on the terminal that standard error goes to: nothing where that
// is none, or where reading does not take long. Gone before results are printed.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

#include "formats/core/source.hpp"

namespace heapcheck::cli {

/// Sources that count into it may be read by several threads. It must outlive them.
class Progress {
 public:
  /// `total` is what there is to read, in bytes; 0 where nobody knows, as with a pipe.
  Progress(std::uint64_t total, bool is_wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Counts bytes that were read.
  void add(std::uint64_t byte_count);
  /// A source has ended: what goes on with its content is not counted, so the line says how far it is now.
  void end_source();

  /// The same source, counted.
  [[nodiscard]] std::unique_ptr<core::ByteSource> watch(std::unique_ptr<core::ByteSource> source);

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now);

  std::mutex mutex_;
  std::uint64_t total_;
  std::uint64_t read_ = 0;
  bool is_wanted_;
  bool is_shown_ = false;
  Clock::time_point next_;  ///< when the line is written next
};

}  // namespace heapcheck::cli
