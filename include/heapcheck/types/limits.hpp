// Every limit on the memory and time that an input may take, with its reason. Reaching a limit leads to the
// verdict "undecided", never to "valid" and never to bad_alloc.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace heapcheck {

/// Limits on the memory and time that an input may take. No dump by a released writer reaches any of the
/// defaults.
struct Limits {
  /// The size of all columns and tables that are in memory at the same time, in bytes. One snapshot of a 2 GB
  /// heap needs about 1 GiB.
  std::uint64_t max_memory = std::uint64_t{8} << 30;

  /// The number of bytes of a MoarVM dump that may be kept during a check, so that the dump need not be read
  /// again for a conversion. At most a quarter of `max_memory` is used. The default is enough for a few
  /// snapshots of a large program or many snapshots of a small one.
  std::uint64_t max_kept = std::uint64_t{256} << 20;

  /// The largest decompressed size of one frame, in bytes, if the user sets it. By default, only the limits
  /// on memory and on all frames together apply, because a real column of zeros compresses by a factor of up
  /// to 30,000, as much as a hostile frame.
  std::optional<std::uint64_t> max_expanded = {};

  /// The largest total decompressed size of all frames of a dump, in bytes. Without it, decoding 1 MB of
  /// hostile frames could take minutes. By default, it is the larger of `all_frames_floor` and
  /// `all_frames_ratio` times the number of bytes read from the frames. A real dump as a whole compresses by
  /// a factor of 10 to 20, and the columns of 10 million collectables take 280 MB. If the limit for one frame
  /// is larger, it also applies to all frames together.
  std::optional<std::uint64_t> max_all_expanded = {};
  std::uint64_t all_frames_floor = std::uint64_t{512} << 20;  ///< bytes
  std::uint64_t all_frames_ratio = 300;                       ///< bytes for each byte read

  /// The largest window that a frame of a dump may require, in bytes. MoarVM requires 4 MiB, zstd -19 8 MiB.
  std::uint64_t max_frame_window = std::uint64_t{16} << 20;
  /// The same for a file that is compressed as a whole; 128 MiB is also the zstd program's limit.
  std::uint64_t max_transport_window = std::uint64_t{128} << 20;

  /// The largest decompressed size of an input that is compressed as a whole, in bytes. A trace of a whole
  /// day takes up a few GB.
  std::uint64_t max_input = std::uint64_t{1} << 40;
  /// The same limit in relation to the bytes read from the input so far: the larger of `input_floor` and
  /// `input_ratio` times the number of those bytes. A real dump as a whole compresses by a factor of up to
  /// 100.
  std::uint64_t input_floor = std::uint64_t{4} << 30;  ///< bytes
  std::uint64_t input_ratio = 2000;                    ///< bytes for each byte read

  /// The number of threads that may work on a dump at the same time while it is checked. The report does not
  /// depend on it, unless `max_memory` is nearly reached. Several threads take more memory: up to 100 MiB for
  /// bytes of the file, and up to `max_memory` for columns or values that are decoded before their turn.
  unsigned max_threads = 1;

  /// The time at which to stop reading, if any. Everything found by then is reported.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};

  /// The number of blocks of one dump. MoarVM writes 20 blocks per snapshot.
  std::uint64_t max_blocks = 1'000'000;
  /// The number of entries in all tables of contents of one dump. Entries that an outer table repeats from
  /// the previous one take no memory and are not counted, so MoarVM adds 21 entries per snapshot.
  std::uint64_t max_toc_entries = 8'000'000;

  /// The largest nesting depth of a JSON document. Real documents are nested a few hundred levels deep at
  /// most.
  std::uint64_t max_json_depth = 1'000'000;
  /// The length in bytes of a string in a JSON document that must be kept in full: a name, or a document in a
  /// string.
  std::uint64_t max_json_text = std::uint64_t{8} << 20;
};

}  // namespace heapcheck
