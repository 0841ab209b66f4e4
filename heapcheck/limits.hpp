// Every limit on the memory and time that an input may cost, with its reason. Reaching one leads to the
// verdict "undecided", never to "valid" and never to bad_alloc.
#pragma once

#include <cstdint>
#include <optional>

namespace heapcheck {

/// Limits on the memory and time that an input may cost. No dump of a released writer reaches any of the
/// defaults.
struct Limits {
  /// The size of all columns and tables that are in memory at the same time, in bytes. One snapshot of a 2 GB
  /// heap needs about 1 GiB.
  std::uint64_t max_memory = std::uint64_t{8} << 30;

  /// The number of bytes of a MoarVM dump that may be kept while it is checked, so that it need not be read
  /// again to convert it. The default is enough for a few snapshots of a large program, or many of a small
  /// one.
  std::uint64_t max_kept = std::uint64_t{256} << 20;

  /// The largest decompressed size of one frame, in bytes, if the user sets it. Otherwise, it is the larger
  /// of `frame_floor` and `frame_ratio` times the bytes read of the frame: columns of real dumps compress by
  /// a factor of up to 140, hostile frames by 30,000.
  std::optional<std::uint64_t> max_expanded = {};
  std::uint64_t frame_floor = std::uint64_t{16} << 20;  ///< bytes
  std::uint64_t frame_ratio = 1000;                     ///< bytes for each byte read

  /// The same for all frames of a dump together: decoding 1 MB of frames, each below its own limit, could
  /// take minutes. A larger limit for one frame also applies to all of them together.
  std::optional<std::uint64_t> max_all_expanded = {};
  std::uint64_t all_frames_floor = std::uint64_t{64} << 20;  ///< bytes
  std::uint64_t all_frames_ratio = 300;                      ///< bytes for each byte read

  /// The largest window that a frame of a dump may require, in bytes. MoarVM requires 4 MiB, zstd -19 8 MiB.
  std::uint64_t max_frame_window = std::uint64_t{16} << 20;
  /// The same for a file that is compressed as a whole; 128 MiB is also the limit of the zstd program.
  std::uint64_t max_transport_window = std::uint64_t{128} << 20;

  /// The largest decompressed size of an input that is compressed as a whole, in bytes. A trace of a whole
  /// day has a few GB.
  std::uint64_t max_input = std::uint64_t{1} << 40;

  /// The number of blocks of one dump, and of entries in all its tables of contents. MoarVM writes 20 blocks
  /// per snapshot and lists all earlier snapshots after each one: 2,000 snapshots make 2 million entries.
  std::uint64_t max_blocks = 1'000'000;
  std::uint64_t max_toc_entries = 8'000'000;  ///< see max_blocks

  /// The largest nesting depth of a JSON document. Real documents are nested a few hundred levels deep at
  /// most.
  std::uint64_t max_json_depth = 1'000'000;
  /// The length in bytes of a string in a JSON document that must be kept in full: a name, or a document in a
  /// string.
  std::uint64_t max_json_text = std::uint64_t{8} << 20;
};

}  // namespace heapcheck
