// Generates heap snapshots of any size, in the form that Node.js 20 writes and with the same proportions:
// about three edges per node, positions of up to nine digits, and a string for every third node.
#pragma once

#include <cstdint>
#include <cstdio>

namespace heapcheck::bench {

/// Writes a valid snapshot of about this many bytes.
void write_snapshot(std::uint64_t byte_count, std::FILE* file);

}  // namespace heapcheck::bench
