#include "formats/mvmheap/v1/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <utility>

#include "formats/core/keyed_hash.hpp"
#include "formats/mvmheap/v1/layout.hpp"
#include "formats/mvmheap/v1/names.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

constexpr std::size_t piece_bytes = 128 * 1024;

Error make_error(std::string message) { return {ErrorKind::unwritable, std::move(message)}; }

/// Replaces each name that the format cannot represent with a unique name, which begins with a number if the
/// plain replacement already exists.
class NameMaker {
 public:
  explicit NameMaker(const StringTable& strings) : strings_(&strings) {}

  std::string make(std::string_view name) {
    if (taken_.empty()) {
      for (std::uint64_t i = 0; i < strings_->count(); ++i) taken_.emplace((*strings_)[StringIndex{i}]);
    }
    const std::string held = make_holdable(name);
    std::string made = held;
    while (!taken_.insert(made).second) made = fmt::format("\xEF\xBF\xBD{}{}", ++number_, held);
    return made;
  }

 private:
  const StringTable* strings_;
  std::unordered_set<std::string, core::KeyedHash> taken_;  // empty until there is such a name
  std::uint64_t number_ = 0;
};

}  // namespace

Result<void> Writer::write_part(const mvmheap::Part& part, const Tables& tables) {
  if (error_) return std::unexpected(*error_);
  if (auto misuse = find_misuse(part, tables)) return std::unexpected(std::move(*misuse));
  if (!written_) write_tables(tables);
  if (part.has_snapshot) write_snapshot(part.snapshot);
  return flush();
}

Result<void> Writer::finish(const Tables& tables) {
  mvmheap::Part none;
  return write_part(none, tables);
}

std::optional<Error> Writer::find_misuse(const mvmheap::Part& part, const Tables& tables) const {
  if (part.has_snapshot && !part.snapshot.has_equal_columns())
    return make_error("the columns of a snapshot differ in length");
  if (written_) {
    return *written_ == tables.counts()
               ? std::nullopt
               : std::optional(make_error("tables have changed since they were written"));
  }
  if (!tables.has_equal_columns()) return make_error("the columns of a table differ in length");
  return std::nullopt;
}

void Writer::write_tables(const Tables& tables) {
  written_ = tables.counts();
  write_strings(tables.strings);
  begin_list(LineKind::types);
  for (std::uint64_t i = 0; i < tables.types.count(); ++i) {
    put_item({tables.types.repr_name[i], tables.types.type_name[i]});
  }
  const StaticFrameTable& frames = tables.static_frames;
  begin_list(LineKind::static_frames);
  for (std::uint64_t i = 0; i < frames.count(); ++i) {
    put_item({frames.name[i], frames.cuid[i], frames.line[i], frames.file[i]});
  }
  put("\n\n");
}

void Writer::write_strings(const StringTable& strings) {
  put(info_of(LineKind::strings).head);
  NameMaker maker(strings);
  std::string text;
  for (std::uint64_t i = 0; i < strings.count(); ++i) {
    const std::string_view name = strings[StringIndex{i}];
    text = i == 0 ? "\"" : ",\"";
    const std::string made = can_hold(name) ? std::string() : maker.make(name);
    encode_name(made.empty() ? name : made, text);
    text.push_back('"');
    put(text);
  }
  put("]\n");
}

void Writer::write_snapshot(const Snapshot& snapshot) {
  put(fmt::format("{}{}", info_of(LineKind::snapshot).head, snapshots_++));
  const Collectables& collectables = snapshot.collectables;
  begin_list(LineKind::collectables);
  for (std::uint64_t i = 0; i < collectables.count(); ++i) {
    const std::uint64_t count = collectables.num_refs[i];
    put_item({collectables.kind[i], collectables.type_or_frame_index[i], collectables.size[i],
              collectables.unmanaged_size[i], count == 0 ? 0 : collectables.refs_start[i], count});
  }
  const References& references = snapshot.references;
  begin_list(LineKind::references);
  for (std::uint64_t i = 0; i < references.count(); ++i) {
    const std::uint64_t description = references.description[i];
    if (references.has_targets) {
      put_item({description & max_reference_kind, description >> 2, references.target[i]});
    } else {
      put_item({description & max_reference_kind, 0, description >> 2});
    }
  }
  put("\n\n");
}

void Writer::put(std::string_view text) {
  pending_ += text;
  if (pending_.size() >= piece_bytes) drain();
}

void Writer::begin_list(LineKind kind) {
  if (kind != LineKind::types) put("\n");
  put(info_of(kind).head);
  is_first_item_ = true;
}

/// Appends an item to the list.
void Writer::put_item(std::initializer_list<std::uint64_t> fields) {
  constexpr std::size_t field_bytes = 21;  // a separator and a number
  const std::size_t start = pending_.size();
  const bool is_first = std::exchange(is_first_item_, false);
  pending_.resize_and_overwrite(start + field_bytes * max_fields + 1, [&](char* text, std::size_t size) {
    char* end = text + start;
    if (!is_first) *end++ = ';';
    for (const std::uint64_t field : fields) {
      end = std::to_chars(end, text + size, field).ptr;
      *end++ = ',';
    }
    return static_cast<std::size_t>(end - 1 - text);
  });
  if (pending_.size() >= piece_bytes) drain();
}

void Writer::drain() {
  if (!error_ && !pending_.empty()) {
    if (auto wrote = out_->write(core::as_bytes(pending_)); !wrote) error_ = std::move(wrote.error());
  }
  pending_.clear();
}

Result<void> Writer::flush() {
  drain();
  if (error_) return std::unexpected(*error_);
  return {};
}

}  // namespace heapcheck::mvmheap::v1
