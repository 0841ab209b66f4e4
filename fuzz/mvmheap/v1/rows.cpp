// Property: rows decode to the same numbers, whatever kind of instructions is used. The input is a dump.
// Its lists are decoded after each space, with each number of fields that a row can have.
#include "formats/mvmheap/v1/rows.hpp"

#include <algorithm>
#include <memory>

#include "fuzz/support/inputs.hpp"
#include "fuzz/support/lanes.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v1;
using fuzz::require;

namespace {

/// Decodes lists until a block is full, and returns the number of bytes that were used.
std::size_t decode_lists(core::ByteSpan bytes, std::size_t fields, RowBlock& block) {
  block.count = 0;
  std::size_t byte_count = 0;
  const std::string_view text = core::as_text(bytes);
  for (auto blank = text.find(' '); blank != std::string_view::npos; blank = text.find(' ', blank + 1))
    byte_count += decode_rows(bytes.subspan(blank + 1), fields, block);
  return byte_count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto plain = std::make_unique<RowBlock>();
  static const auto block = std::make_unique<RowBlock>();
  for (const std::size_t fields :
       {type_fields.size(), reference_fields.size(), static_frame_fields.size(), collectable_fields.size()}) {
    core::use_lanes(core::Lanes::none);
    const std::size_t byte_count = decode_lists({data, size}, fields, *plain);
    fuzz::with_all_lanes([&] {
      require(decode_lists({data, size}, fields, *block) == byte_count, "the same bytes are used");
      require(block->count == plain->count, "there are as many rows");
      for (std::size_t field = 0; field < fields; ++field)
        require(std::ranges::equal(block->column(field), plain->column(field)), "numbers are the same");
    });
  }
  return 0;
}
