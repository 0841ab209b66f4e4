#include "validate/mvmheap/v3/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/core/keyed_hash.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::validation::mvmheap::v3 {
namespace {

using format::Block;
using format::BlockContainer;
using format::BlockKind;
using format::Toc;
using format::grammar::TocEntry;

/// The blocks that a table of contents should list, by offset. Each outer table lists all blocks from the
/// previous table and some more, so the listing grows with each table and records which blocks the table
/// lists.
class Listing {
 public:
  void add(const Block& block) {
    by_start_.emplace(block.span.offset, blocks_.size());
    blocks_.push_back(&block);
    listed_by_.push_back(0);
  }
  /// Starts the next table, which has not listed anything yet.
  void begin_table() {
    ++table_;
    listed_ = 0;
  }
  void set_listed(std::size_t i) {
    if (!is_listed(i)) ++listed_;
    listed_by_[i] = table_;
  }
  [[nodiscard]] bool is_listed(std::size_t i) const { return listed_by_[i] == table_; }
  [[nodiscard]] std::size_t count() const { return blocks_.size(); }
  [[nodiscard]] std::size_t count_listed() const { return listed_; }
  [[nodiscard]] const Block& operator[](std::size_t i) const { return *blocks_[i]; }
  [[nodiscard]] std::optional<std::size_t> find_by_start(std::uint64_t start) const {
    const auto found = by_start_.find(start);
    return found == by_start_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::vector<const Block*> blocks_;
  std::unordered_map<std::uint64_t, std::size_t, core::KeyedHash> by_start_;
  std::vector<std::uint64_t> listed_by_;
  std::uint64_t table_ = 0;
  std::size_t listed_ = 0;
};

/// The number of entries that may still be compared with every block in search of the intended block. Without
/// this limit, a table full of wrong entries would take time proportional to the square of its length.
struct SearchBudget {
  std::uint64_t searches = 1000;
};

/// Compares one table of contents with the blocks that it should list.
class TocCheck {
 public:
  TocCheck(const BlockContainer& container, std::size_t index, const std::vector<TocEntry>& entries,
           Listing& listing, SearchBudget& budget, core::FindingSink& sink)
      : container_(container),
        toc_(container.tocs[index]),
        entries_(entries),
        index_(index),
        listing_(listing),
        budget_(budget),
        sink_(&sink) {
    listing_.begin_table();
  }

  void check() {
    std::vector<std::size_t> wrong;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const auto block = listing_.find_by_start(entries_[i].start);
      if (block && agrees(entries_[i], listing_[*block])) {
        check_twice(i, *block);
      } else {
        wrong.push_back(i);
      }
    }
    for (const std::size_t i : wrong) check_entry(i);
    check_missing();
    if (toc_.outer && wrong.empty()) check_order();
  }

 private:
  static bool has_kind(const TocEntry& entry, const Block& block) {
    if (block.kind == BlockKind::unknown) return true;
    return entry.kind.name() == format::name_of(block.kind) && entry.kind.is_padded();
  }
  static bool agrees(const TocEntry& entry, const Block& block) {
    return has_kind(entry, block) && entry.end == BlockContainer::listed_end(block);
  }

  /// Returns the unlisted block that an entry with one wrong field was meant to list: the block whose kind
  /// and end match the entry or, if there is none, the block at the entry's start offset.
  [[nodiscard]] std::optional<std::size_t> find_meant(const TocEntry& entry) const {
    if (budget_.searches != 0) {
      --budget_.searches;
      for (std::size_t i = 0; i < listing_.count(); ++i) {
        if (!listing_.is_listed(i) && agrees(entry, listing_[i])) return i;
      }
    }
    const auto at_start = listing_.find_by_start(entry.start);
    return at_start && !listing_.is_listed(*at_start) ? at_start : std::nullopt;
  }

  void check_twice(std::size_t entry_index, std::size_t block) {
    if (listing_.is_listed(block)) {
      report(rules::toc_duplicate_entry, entry_index, 0, format::grammar::toc_entry_bytes, "",
             fmt::format("toc entry lists {} at {} a second time, expected once",
                         format::name_of(listing_[block].kind), listing_[block].span.offset));
    }
    listing_.set_listed(block);
  }

  void check_entry(std::size_t i) {
    const TocEntry& entry = entries_[i];
    const auto meant = find_meant(entry);
    if (meant) listing_.set_listed(*meant);
    const Block* block = meant ? &listing_[*meant] : nullptr;
    if (block != nullptr && entry.start == block->span.offset &&
        entry.end == BlockContainer::listed_end(*block)) {
      return report(rules::toc_entry_kind, i, 0, format::kind_bytes, "/kind",
                    fmt::format("toc entry has kind {}, expected \"{}\", the kind of the block at {}",
                                describe(entry), format::name_of(block->kind), entry.start));
    }
    if (entry.end > container_.byte_count || entry.start >= entry.end) return report_bounds(i, block);
    if (block != nullptr && entry.start == block->span.offset) {
      return report(rules::toc_entry_end, i, end_field, sizeof(entry.end), "/end",
                    fmt::format("toc entry ends at {}, expected {}, the end of {}", entry.end,
                                BlockContainer::listed_end(*block), format::name_of(block->kind)));
    }
    report_start(i, block);
  }

  void report_bounds(std::size_t i, const Block* block) {
    const TocEntry& entry = entries_[i];
    if (entry.end > container_.byte_count) {
      return report(
          rules::toc_entry_bounds, i, end_field, sizeof(entry.end), "/end",
          fmt::format("toc entry ends at {}, expected at most {}", entry.end, container_.byte_count));
    }
    const bool blame_start = block == nullptr || entry.start != block->span.offset;
    report(rules::toc_entry_bounds, i, blame_start ? start_field : end_field, sizeof(entry.start),
           blame_start ? "/start" : "/end",
           fmt::format("toc entry starts at {} and ends at {}, expected an end after the start", entry.start,
                       entry.end));
  }

  void report_start(std::size_t i, const Block* block) {
    const TocEntry& entry = entries_[i];
    const std::string expected =
        block != nullptr
            ? fmt::format("{}, the start of {}", block->span.offset, format::name_of(block->kind))
            : std::string("the start of a block that this table covers");
    report(rules::toc_entry_start, i, start_field, sizeof(entry.start), "/start",
           fmt::format("toc entry for {} starts at {}, expected {}", describe(entry), entry.start, expected));
  }

  void check_missing() {
    std::uint64_t missing = listing_.count() - listing_.count_listed();
    for (std::size_t i = 0; i < listing_.count() && missing != 0; ++i) {
      if (listing_.is_listed(i)) continue;
      --missing;
      if (listing_[i].kind == BlockKind::unknown) continue;
      if (sink_->wanted(rules::toc_missing_entry) == 0)
        return sink_->report_more(rules::toc_missing_entry, missing + 1);
      report_missing(listing_[i]);
    }
  }

  void report_missing(const Block& block) {
    Finding finding{&rules::toc_missing_entry,
                    {own_block().span, std::nullopt, fmt::format("/tocs/{}", index_)},
                    fmt::format("found no toc entry for {} at {}, expected one", format::name_of(block.kind),
                                block.span.offset)};
    finding.related.push_back({{block.span, std::nullopt, ""}, "the block"});
    sink_->report(std::move(finding));
  }

  /// Reports the first entry of an outer table that is out of order, unless the previous table also contains
  /// it.
  void check_order() {
    for (std::size_t i = std::max<std::size_t>(toc_.repeated, 1); i < entries_.size(); ++i) {
      const TocEntry& before = entries_[i - 1];
      if (entries_[i].start >= before.start) continue;
      return report(rules::toc_entry_order, i, start_field, sizeof(before.start), "/start",
                    fmt::format("toc entry starts at {} and the one before it at {}, expected the order of "
                                "the parts in the file",
                                entries_[i].start, before.start));
    }
  }

  static std::string describe(const TocEntry& entry) {
    const std::string name = core::make_excerpt(entry.kind.name());
    return entry.kind.is_padded() ? fmt::format("\"{}\"", name)
                                  : fmt::format("\"{}\" padded with bytes other than NUL", name);
  }
  [[nodiscard]] const Block& own_block() const { return container_.blocks[toc_.block]; }

  void report(const Rule& rule, std::size_t entry, std::uint64_t field, std::uint64_t length,
              std::string_view member, std::string message) {
    const std::uint64_t start = own_block().content.offset + entry * format::grammar::toc_entry_bytes;
    sink_->report(
        {&rule,
         {{start + field, length}, std::nullopt, fmt::format("/tocs/{}/entries/{}{}", index_, entry, member)},
         std::move(message)});
  }

  static constexpr std::uint64_t start_field = format::kind_bytes;
  static constexpr std::uint64_t end_field = format::kind_bytes + sizeof(std::uint64_t);

  const BlockContainer& container_;
  const Toc& toc_;
  const std::vector<TocEntry>& entries_;
  std::size_t index_;
  Listing& listing_;
  SearchBudget& budget_;
  core::FindingSink* sink_;
};

bool is_damaged(const BlockContainer& container, std::uint64_t part) {
  return std::ranges::binary_search(container.damaged_parts, part);
}

}  // namespace

void check_tocs(const BlockContainer& container, core::FindingSink& sink) {
  if (container.moved)
    return sink.skip({"/tocs", "blocks are not where they were written, so their offsets are wrong"});
  Listing in_file;
  std::vector<TocEntry> outer_entries;
  SearchBudget budget;
  std::size_t next_block = 0;
  for (std::size_t i = 0; i < container.tocs.size(); ++i) {
    const Toc& toc = container.tocs[i];
    Listing in_part;
    for (; next_block < toc.block; ++next_block) {
      const Block& block = container.blocks[next_block];
      // The first block does not belong to a part, so the outer tables list it.
      const bool is_first =
          next_block == 0 && (block.kind == BlockKind::filemeta || block.kind == BlockKind::unknown);
      (is_first ? in_file : in_part).add(block);
    }
    const Block& own = container.blocks[toc.block];
    if (toc.outer) {
      update_entries(outer_entries, toc);
      TocCheck(container, i, outer_entries, in_file, budget, sink).check();
    } else if (is_damaged(container, own.part)) {
      sink.skip({fmt::format("/tocs/{}", i), "blocks that it should list are missing or damaged"});
      in_file.add(own);
    } else {
      TocCheck(container, i, toc.entries, in_part, budget, sink).check();
      in_file.add(own);
    }
    ++next_block;
  }
}

}  // namespace heapcheck::validation::mvmheap::v3
