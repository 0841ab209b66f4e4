// Writes dumps as MoarVM on Windows does: in text mode, in which each byte 0a becomes 0d 0a.
#pragma once

#include <cstdint>
#include <map>

#include "formats/core/codec.hpp"
#include "formats/mvmheap/v3/reader.hpp"
#include "tests/support/files.hpp"

namespace heapcheck::tests {

inline void append_in_text_mode(Bytes& out, core::ByteSpan content) {
  for (const std::uint8_t byte : content) {
    if (byte == '\n') out.push_back('\r');
    out.push_back(byte);
  }
}

inline Bytes to_text_mode(core::ByteSpan content) {
  Bytes out;
  append_in_text_mode(out, content);
  return out;
}

/// Does the same with a sound version 3 dump, whose tables of contents then have offsets that count the added
/// bytes.
inline Bytes to_counted_text_mode(core::ByteSpan content) {
  namespace v3 = mvmheap::v3;
  core::MemorySource source(content);
  core::Window window(source);
  core::SilentSink sink;
  v3::FrontReader reader(window, Limits{}, sink);
  v3::BlockPart part;
  while (reader.read_part(part)) continue;

  Bytes out;
  std::map<std::uint64_t, std::uint64_t> counted;  // offsets where blocks begin and end, in `out`
  const auto append = [&](std::uint64_t begin, std::uint64_t end) {
    append_in_text_mode(out, content.subspan(begin, end - begin));
    counted[end] = out.size();
  };
  const auto append_offset = [&](std::uint64_t offset) {
    Bytes bytes;
    core::encode_le(counted.at(offset), bytes);
    append_in_text_mode(out, bytes);
  };
  append(0, v3::magic.size());
  for (const v3::Block& block : reader.container().blocks) {
    if (block.kind != v3::BlockKind::toc) {
      append(block.span.offset, block.span.end());
      continue;
    }
    append(block.span.offset, block.content.offset);
    for (std::uint64_t at = block.content.offset; at != block.content.end();) {
      append_in_text_mode(out, content.subspan(at, v3::kind_bytes));
      at += v3::kind_bytes;
      for (int field = 0; field < 2; ++field, at += sizeof(at))
        append_offset(core::decode_le<std::uint64_t>(content.data() + at));
    }
    counted[block.content.end()] = out.size();
    append_offset(block.span.offset);
    counted[block.span.end()] = out.size();
  }
  return out;
}

}  // namespace heapcheck::tests
