// Every cap on what an input may cost, with its reason. Reaching one ends in the verdict
// "undecided": never in "valid", never in bad_alloc.
#pragma once

#include <cstdint>
#include <optional>

namespace heapcheck {

/// Caps on what an input may cost. Each has a default that no real dump of a released writer reaches.
struct Limits {
  /// Live columns and tables together, in bytes. One snapshot of a 2 GB heap needs about 1 GiB.
  std::uint64_t max_memory = std::uint64_t{8} << 30;

  /// What is kept of a MoarVM dump while it is checked, in bytes, so that converting it need not read it
  /// again: that of a few snapshots of a large program, or many of a small one.
  std::uint64_t max_kept = std::uint64_t{256} << 20;

  /// Content of one compressed frame, in bytes, when the user sets it. Otherwise a frame may
  /// always expand to `frame_floor`, and beyond that to `frame_ratio` times what was read of it:
  /// columns of real dumps compress up to 140 times, hostile frames 30,000 times.
  std::optional<std::uint64_t> max_expanded = {};
  std::uint64_t frame_floor = std::uint64_t{16} << 20;  ///< bytes
  std::uint64_t frame_ratio = 1000;                     ///< bytes for each byte read

  /// The same for all frames of a dump together: 1 MB of frames that each stay below theirs would take
  /// minutes. A larger cap for one frame is one for all of them, too.
  std::optional<std::uint64_t> max_all_expanded = {};
  std::uint64_t all_frames_floor = std::uint64_t{64} << 20;  ///< bytes
  std::uint64_t all_frames_ratio = 300;                      ///< bytes for each byte read

  /// Window a frame of a dump may ask the decoder to keep. MoarVM asks for 4 MiB; zstd -19 for 8.
  std::uint64_t max_frame_window = std::uint64_t{16} << 20;
  /// The same for a file that was compressed whole; 128 MiB is the zstd program's own limit.
  std::uint64_t max_transport_window = std::uint64_t{128} << 20;

  /// Bytes of an input after decompressing it whole. A trace of a day is a few GB.
  std::uint64_t max_input = std::uint64_t{1} << 40;

  /// Blocks, and entries of all tables of contents, of one dump. MoarVM writes 20 blocks a
  /// snapshot, and lists all earlier snapshots after each one: 2,000 snapshots make 2 million entries.
  std::uint64_t max_blocks = 1'000'000;
  std::uint64_t max_toc_entries = 8'000'000;  ///< see max_blocks

  /// Open arrays and objects of a JSON document. Real ones nest a few hundred deep.
  std::uint64_t max_json_depth = 1'000'000;
  /// Bytes of one text of a JSON document that must be known whole: a name, or a document in a string.
  std::uint64_t max_json_text = std::uint64_t{8} << 20;
};

}  // namespace heapcheck
