// All limits on the memory and time that an input may use, with the reason for each. Reaching a limit leads
// to the verdict "undecided", never to "valid" or to bad_alloc.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace heapcheck {

/// Limits on the memory and time that an input may use. No dump from a released writer reaches any of the
/// defaults.
struct Limits {
  /// The total size in bytes of all columns and tables that are in memory at the same time. One snapshot of a
  /// 2 GB heap needs about 1 GiB.
  std::uint64_t max_memory = std::uint64_t{8} << 30;

  /// The number of bytes of a MoarVM dump that may be kept during a check so that the dump does not have to
  /// be read again for a conversion. At most a quarter of `max_memory` is used. The default is enough for a
  /// few snapshots of a large program or many snapshots of a small one.
  std::uint64_t max_kept = std::uint64_t{256} << 20;

  /// The largest decompressed size of one frame in bytes, if the user sets one. By default, only the limits
  /// on memory and on all frames together apply, because a genuine column of zeros compresses by a factor of
  /// up to 30,000, just like a hostile frame.
  std::optional<std::uint64_t> max_expanded = {};

  /// The largest total decompressed size in bytes of all frames in a dump. Without this limit, decoding 1 MB
  /// of hostile frames could take minutes. The default is the larger of `all_frames_floor` and
  /// `all_frames_ratio` times the number of bytes read from the frames. A real dump as a whole compresses by
  /// a factor of 10 to 20, and the columns of 10 million collectables take 280 MB. If the limit for one frame
  /// is larger, that limit applies to all frames together as well.
  std::optional<std::uint64_t> max_all_expanded = {};
  std::uint64_t all_frames_floor = std::uint64_t{512} << 20;  ///< bytes
  std::uint64_t all_frames_ratio = 300;                       ///< bytes for each byte read

  /// The largest window in bytes that a frame of a dump may require. MoarVM requires 4 MiB, and zstd -19
  /// requires 8 MiB.
  std::uint64_t max_frame_window = std::uint64_t{16} << 20;
  /// The same for a file that is compressed as a whole. The zstd program also has a limit of 128 MiB.
  std::uint64_t max_transport_window = std::uint64_t{128} << 20;

  /// The largest decompressed size in bytes of an input that is compressed as a whole. A trace of a whole day
  /// is a few GB in size.
  std::uint64_t max_input = std::uint64_t{1} << 40;
  /// The same limit relative to the number of bytes read from the input so far. It is the larger of
  /// `input_floor` and `input_ratio` times that number. A real dump as a whole compresses by a factor of up
  /// to 100.
  std::uint64_t input_floor = std::uint64_t{4} << 30;  ///< bytes
  std::uint64_t input_ratio = 2000;                    ///< bytes for each byte read

  /// The number of threads that may work on a dump at the same time while it is checked. The report does not
  /// depend on this number unless `max_memory` is nearly reached. Several threads use more memory: up to 100
  /// MiB for bytes of the file, and up to `max_memory` for columns or values that are decoded ahead of time.
  unsigned max_threads = 1;

  /// The time at which to stop reading, if any. Everything that was found up to that point is reported.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};

  /// The largest number of blocks in one dump. MoarVM writes 20 blocks per snapshot.
  std::uint64_t max_blocks = 1'000'000;
  /// The largest total number of entries in the tables of contents of one dump. Entries that an outer table
  /// repeats from the previous one take no memory and are not counted, so MoarVM adds 21 entries for each
  /// snapshot.
  std::uint64_t max_toc_entries = 8'000'000;

  /// The largest nesting depth of a JSON document. Real documents are at most a few hundred levels deep.
  std::uint64_t max_json_depth = 1'000'000;
  /// The largest length in bytes of a JSON string that must be kept in full, because it is a name or contains
  /// a document.
  std::uint64_t max_json_text = std::uint64_t{8} << 20;
};

}  // namespace heapcheck
