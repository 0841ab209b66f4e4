// Property: each production accepts the same bytes as a plain decoder, and rejects input that is too short.
#include "formats/mvmheap/v3/grammar.hpp"

#include "fuzz/support/decoding.hpp"

using namespace heapcheck;
using namespace heapcheck::fuzz;
using namespace heapcheck::mvmheap::v3;

namespace {

void check_kind(core::ByteSpan bytes) {
  const auto kind = grammar::kind(bytes);
  require(kind.has_value() == (bytes.size() >= kind_bytes), "a kind is read if there are at least 8 bytes");
  if (!kind) return;
  const std::string_view text = core::as_text(bytes.first(kind_bytes));
  require(std::string_view(kind->bytes.data(), kind_bytes) == text, "a kind stores its bytes unchanged");
  require(text.starts_with(kind->name()) && kind->name().find('\0') == std::string_view::npos,
          "a name ends at the first NUL");
  require(kind->is_padded() ==
              (static_cast<std::size_t>(std::ranges::count(text, '\0')) + kind->name().size() == kind_bytes),
          "a kind is padded if only NUL bytes follow its name");
}

void check_column_head(core::ByteSpan bytes) {
  const auto head = grammar::column_head(bytes);
  const auto size = decode<std::uint64_t>(bytes, 2);
  require(head.has_value() == size.has_value(),
          "the head of a column is read if there are at least 10 bytes");
  require(!head || (head->entry_bytes == decode<std::uint16_t>(bytes) && head->size == size),
          "the entry size and the size of a head are decoded");
}

void check_toc_entry(core::ByteSpan bytes) {
  const auto entry = grammar::toc_entry(bytes);
  require(entry.has_value() == (bytes.size() >= grammar::toc_entry_bytes),
          "an entry is read if there are at least 24 bytes");
  if (!entry) return;
  require(entry->kind == grammar::kind(bytes), "an entry begins with a kind");
  require(entry->start == decode<std::uint64_t>(bytes, 8) && entry->end == decode<std::uint64_t>(bytes, 16),
          "the start and the end of an entry are decoded");
}

void check_all(core::ByteSpan bytes) {
  check_kind(bytes);
  check_column_head(bytes);
  check_toc_entry(bytes);
  require(grammar::magic(bytes) == core::as_text(bytes).starts_with(magic), "the magic is recognised");
  require(grammar::block_size(bytes) == decode<std::uint64_t>(bytes), "the size of a block is decoded");
  require(grammar::toc_count(bytes) == decode<std::uint64_t>(bytes), "the count of a table is decoded");
  require(grammar::toc_start(bytes) == decode<std::uint64_t>(bytes), "the start of a table is decoded");
  require(grammar::string_length(bytes) == decode<std::uint32_t>(bytes), "the length of a string is decoded");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::check_fronts({data, size}, check_all);
  return 0;
}
