// Generates heap snapshots of any size, in the form of Node.js 20 and with its proportions: about three edges
// per node, positions of up to nine digits, a string for every third node.
#pragma once

#include <cstdint>
#include <cstdio>

namespace heapcheck::bench {

/// Writes a valid snapshot of about this many bytes.
void write_snapshot(std::uint64_t byte_count, std::FILE* file);

}  // namespace heapcheck::bench
