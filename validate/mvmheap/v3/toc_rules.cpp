#include "validate/mvmheap/v3/toc_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heapcheck::validate::mvmheap::v3 {
namespace {

using format::Block;
using format::BlockKind;
using format::Container;
using format::Toc;
using format::grammar::TocEntry;

/// Compares one table of contents with the blocks it should list.
class TocCheck {
 public:
  TocCheck(const Container& container, std::size_t index, std::vector<const Block*> blocks,
           core::FindingSink& sink)
      : container_(container),
        toc_(container.tocs[index]),
        index_(index),
        blocks_(std::move(blocks)),
        sink_(&sink) {
    for (std::size_t i = 0; i < blocks_.size(); ++i) by_start_.emplace(blocks_[i]->span.offset, i);
    listed_.resize(blocks_.size());
  }

  void check() {
    std::vector<std::size_t> wrong;
    for (std::size_t i = 0; i < toc_.entries.size(); ++i) {
      const auto block = find_by_start(toc_.entries[i]);
      if (block && agrees(toc_.entries[i], *blocks_[*block])) {
        check_twice(i, *block);
      } else {
        wrong.push_back(i);
      }
    }
    for (const std::size_t i : wrong) check_entry(i);
    check_missing();
  }

 private:
  [[nodiscard]] std::optional<std::size_t> find_by_start(const TocEntry& entry) const {
    const auto found = by_start_.find(entry.start);
    return found == by_start_.end() ? std::nullopt : std::optional(found->second);
  }
  static bool has_kind(const TocEntry& entry, const Block& block) {
    if (block.kind == BlockKind::unknown) return true;
    return entry.kind.name() == format::name_of(block.kind) && entry.kind.is_padded();
  }
  static bool agrees(const TocEntry& entry, const Block& block) {
    return has_kind(entry, block) && entry.end == Container::listed_end(block);
  }

  /// The unlisted block that an entry with one wrong field is meant for: the one that agrees in the
  /// two others; failing that, the one at its place in the order.
  [[nodiscard]] std::optional<std::size_t> find_meant(std::size_t entry_index) const {
    const TocEntry& entry = toc_.entries[entry_index];
    constexpr std::size_t most_searched = 4096;  // keeps a table of wrong entries from costing a square
    for (std::size_t i = 0; i < std::min(blocks_.size(), most_searched) && entry_index < most_searched; ++i) {
      if (!listed_[i] && agrees(entry, *blocks_[i])) return i;
    }
    const auto at_start = find_by_start(entry);
    if (at_start && !listed_[*at_start]) return at_start;
    return std::nullopt;
  }

  void check_twice(std::size_t entry_index, std::size_t block) {
    if (listed_[block]) {
      report(rules::toc_duplicate_entry, entry_index, 0, format::grammar::toc_entry_bytes, "",
             fmt::format("entry lists {} at {} again, required is once",
                         format::name_of(blocks_[block]->kind), blocks_[block]->span.offset));
    }
    listed_[block] = true;
  }

  void check_entry(std::size_t i) {
    const TocEntry& entry = toc_.entries[i];
    const auto meant = find_meant(i);
    if (meant) listed_[*meant] = true;
    const Block* block = meant ? blocks_[*meant] : nullptr;
    if (block != nullptr && entry.start == block->span.offset && entry.end == Container::listed_end(*block)) {
      return report(rules::toc_entry_kind, i, 0, format::kind_bytes, "/kind",
                    fmt::format("entry is for {}, at {} is {}", describe(entry), entry.start,
                                format::name_of(block->kind)));
    }
    if (entry.end > container_.byte_count) {
      return report(rules::toc_entry_bounds, i, end_field, sizeof(entry.end), "/end",
                    fmt::format("toc entry ends at {}, file has {} bytes", entry.end, container_.byte_count));
    }
    if (entry.start >= entry.end) {
      const bool blame_start = block == nullptr || entry.start != block->span.offset;
      return report(rules::toc_entry_bounds, i, blame_start ? start_field : end_field, sizeof(entry.start),
                    blame_start ? "/start" : "/end",
                    fmt::format("toc entry starts at {} and ends at {}, required is an end behind the start",
                                entry.start, entry.end));
    }
    if (block != nullptr && entry.start == block->span.offset) {
      return report(rules::toc_entry_end, i, end_field, sizeof(entry.end), "/end",
                    fmt::format("toc entry ends at {}, {} ends at {}", entry.end,
                                format::name_of(block->kind), Container::listed_end(*block)));
    }
    const std::string required =
        block != nullptr ? fmt::format("{} starts at {}", format::name_of(block->kind), block->span.offset)
                         : std::string("no block of this table starts there");
    report(rules::toc_entry_start, i, start_field, sizeof(entry.start), "/start",
           fmt::format("toc entry for {} starts at {}, {}", describe(entry), entry.start, required));
  }

  void check_missing() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (listed_[i] || blocks_[i]->kind == BlockKind::unknown) continue;
      core::Finding finding{&rules::toc_missing_entry,
                            {own_block().span, std::nullopt, fmt::format("/tocs/{}", index_)},
                            fmt::format("table has no entry for {} at {}, required is one",
                                        format::name_of(blocks_[i]->kind), blocks_[i]->span.offset)};
      finding.related.push_back({{blocks_[i]->span, std::nullopt, ""}, "the block"});
      sink_->report(std::move(finding));
    }
  }

  static std::string describe(const TocEntry& entry) {
    const auto kind = format::find_kind(entry.kind.name());
    return std::string(format::name_of(kind));
  }
  [[nodiscard]] const Block& own_block() const { return container_.blocks[toc_.block]; }

  void report(const core::Rule& rule, std::size_t entry, std::uint64_t field, std::uint64_t length,
              std::string_view member, std::string message) {
    const std::uint64_t start = own_block().content.offset + entry * format::grammar::toc_entry_bytes;
    sink_->report(
        {&rule,
         {{start + field, length}, std::nullopt, fmt::format("/tocs/{}/entries/{}{}", index_, entry, member)},
         std::move(message)});
  }

  static constexpr std::uint64_t start_field = format::kind_bytes;
  static constexpr std::uint64_t end_field = format::kind_bytes + sizeof(std::uint64_t);

  const Container& container_;
  const Toc& toc_;
  std::size_t index_;
  std::vector<const Block*> blocks_;
  std::unordered_map<std::uint64_t, std::size_t> by_start_;
  std::vector<bool> listed_;
  core::FindingSink* sink_;
};

bool is_damaged(const Container& container, std::uint64_t part) {
  return std::ranges::binary_search(container.damaged_parts, part);
}

}  // namespace

void check_tocs(const Container& container, core::FindingSink& sink) {
  if (container.moved) return sink.skip({"/tocs", "bytes between blocks move the offsets that they give"});
  std::vector<const Block*> in_part;
  std::vector<const Block*> in_file;
  std::size_t next_block = 0;
  for (std::size_t i = 0; i < container.tocs.size(); ++i) {
    const Toc& toc = container.tocs[i];
    for (; next_block < toc.block; ++next_block) {
      const Block& block = container.blocks[next_block];
      const bool is_first =
          next_block == 0 && (block.kind == BlockKind::filemeta || block.kind == BlockKind::unknown);
      (is_first ? in_file : in_part).push_back(&block);
    }
    const Block& own = container.blocks[toc.block];
    if (toc.outer) {
      TocCheck(container, i, in_file, sink).check();
    } else {
      if (!is_damaged(container, own.part))
        TocCheck(container, i, in_part, sink).check();
      else
        sink.skip({fmt::format("/tocs/{}", i), "blocks that it lists are missing or damaged"});
      in_file.push_back(&own);
    }
    in_part.clear();
    ++next_block;
  }
}

}  // namespace heapcheck::validate::mvmheap::v3
