#include "export/tables/row_buffer.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "formats/core/text/utf8.hpp"

namespace heapcheck::exports::tables {
namespace {

/// The rows are written once the buffer owns this many bytes of strings, because strings may be long.
constexpr std::size_t most_owned_bytes = std::size_t{4} << 20U;

}  // namespace

RowBuffer::RowBuffer(const Table& table, TableWriter& writer) : table_(&table), writer_(&writer) {
  rows_.columns.resize(table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    Values& values = rows_.columns[i];
    if (table.columns[i].type == ColumnType::integer)
      values.integers.reserve(most_rows);
    else
      values.texts.reserve(most_rows);
    if (table.columns[i].is_optional) values.is_present.reserve(most_rows);
  }
}

Values& RowBuffer::next(bool is_present) {
  Values& values = rows_.columns[column_];
  if (table_->columns[column_].is_optional) values.is_present.push_back(is_present ? 1 : 0);
  ++column_;
  return values;
}

RowBuffer& RowBuffer::add(std::uint64_t number) {
  if (number > INT64_MAX) ++counts_.limited;
  next(true).integers.push_back(static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX)));
  return *this;
}

RowBuffer& RowBuffer::add(std::string_view text) {
  const std::string_view cleaned = clean(text);
  next(true).texts.push_back(cleaned);
  return *this;
}

RowBuffer& RowBuffer::add_owned(std::string text) {
  if (core::find_invalid_utf8(core::as_bytes(text))) {
    text = core::make_utf8(text);
    ++counts_.repaired;
  }
  owned_bytes_ += text.size();
  next(true).texts.push_back(owned_.emplace_back(std::move(text)));
  return *this;
}

RowBuffer& RowBuffer::skip() {
  const bool is_integer = table_->columns[column_].type == ColumnType::integer;
  Values& values = next(false);
  if (is_integer)
    values.integers.push_back(0);
  else
    values.texts.emplace_back();
  return *this;
}

std::string_view RowBuffer::clean(std::string_view text) {
  const auto address = std::bit_cast<std::uintptr_t>(text.data());
  Known& known = known_[(address ^ address >> 12U) % known_.size()];
  if (known.text.data() != text.data() || known.text.size() != text.size())
    known = {.text = text, .repaired = find_repaired(text)};
  if (known.repaired == nullptr) return text;
  ++counts_.repaired;
  return *known.repaired;
}

const std::string* RowBuffer::find_repaired(std::string_view text) {
  if (!core::find_invalid_utf8(core::as_bytes(text))) return nullptr;
  std::string& repaired = repaired_[{text.data(), text.size()}];
  if (repaired.empty()) repaired = core::make_utf8(text);
  return &repaired;
}

bool RowBuffer::end_row() {
  column_ = 0;
  if (++rows_.count == most_rows || owned_bytes_ >= most_owned_bytes) write();
  return done_.has_value();
}

void RowBuffer::write() {
  if (done_ && rows_.count != 0) done_ = writer_->add(rows_);
  counts_.rows += rows_.count;
  rows_.count = 0;
  for (Values& values : rows_.columns) {
    values.integers.clear();
    values.texts.clear();
    values.is_present.clear();
  }
  owned_.clear();
  owned_bytes_ = 0;
}

Result<Counts> RowBuffer::finish() {
  write();
  if (!done_) return std::unexpected(done_.error());
  return counts_;
}

}  // namespace heapcheck::exports::tables
