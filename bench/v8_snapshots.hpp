// Makes heap snapshots of any size, in the form of Node.js 20 and with its proportions: about three edges a
// node, places of up to nine digits, a string for each third node.
#pragma once

#include <cstdint>
#include <cstdio>

namespace heapcheck::bench {

/// Writes a valid snapshot of about that many bytes.
void write_snapshot(std::uint64_t byte_count, std::FILE* file);

}  // namespace heapcheck::bench
