#include "formats/v8/heapsnapshot/context.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/json/leaf.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/threads/parallel.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "formats/v8/heapsnapshot/quirks.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

using core::JsonToken;

class TableReader {
 public:
  TableReader(Context& context, Section section, const std::vector<std::string>* names)
      : context_(&context),
        section_(section),
        names_(names),
        wrong_(context, rules::section_number,
               holds_negative() ? "an integer from -2^63 to 2^63 - 1" : "an integer from 0 to 2^64 - 1") {
    table_.reset(names == nullptr ? 1 : names->size());
    table_.holds_negative = holds_negative();
    table_.extent = Extent::cut;
  }

  Table read() {
    const std::uint64_t offset = context_->json.span().offset;
    while (read_next()) {
    }
    wrong_.report();
    if (context_->is_at_array_end()) table_.extent = Extent::whole;
    table_.span = {offset, context_->json.span().end() - offset};
    return std::move(table_);
  }

 private:
  /// Rows that were decoded before their turn, and their place in the array.
  struct Ahead {
    Span span;
    RowChunk rows;
  };

  static constexpr std::size_t bytes_ahead = std::size_t{2} << 20;
  static constexpr std::size_t usual_values = 16 * chunk_rows;

  /// The number of values in a chunk.
  [[nodiscard]] std::size_t count_wanted() const {
    return chunk_rows * (table_.columns.empty() ? 1 : table_.columns.size());
  }

  /// Decodes the next chunks on several threads, as far as the window shows them and they are plain integers.
  void look_ahead(unsigned threads) {
    const std::size_t wanted = count_wanted();
    core::ByteSpan bytes = context_->json.peek_elements(bytes_ahead);
    const std::uint64_t offset = context_->json.span().offset;
    bytes = bytes.first(std::min(core::as_text(bytes).find(']'), bytes.size()));
    const std::vector<core::ByteSpan> pieces = core::json::cut_at_commas(bytes, wanted);
    ahead_ = std::vector<Ahead>(std::max<std::size_t>(pieces.size(), 1));
    next_ahead_ = 0;
    if (pieces.size() < 2) return;
    core::run_parallel(threads, pieces.size(), [&](std::size_t i) {
      const auto before = static_cast<std::uint64_t>(pieces[i].data() - bytes.data());
      ahead_[i] = {{offset + before, pieces[i].size()}, decode(pieces[i], wanted)};
    });
  }

  /// The rows in a piece of the array, or none if the piece does not consist of exactly `count` plain
  /// integers.
  [[nodiscard]] RowChunk decode(core::ByteSpan piece, std::size_t count) const {
    std::vector<std::uint64_t> values(count);
    if (!core::json::decode_piece(piece, values)) return {};
    return encode_rows(values, table_.columns.size());
  }

  /// Reads a chunk, which may have been decoded ahead. Returns false after the last chunk.
  bool read_next() {
    const unsigned threads = context_->max_threads();
    const bool is_usual = !holds_negative() && !table_.columns.empty() && count_wanted() <= usual_values;
    if (threads < 2 || !is_usual) return read_chunk();
    if (next_ahead_ == ahead_.size()) look_ahead(threads);
    Ahead& ahead = ahead_[next_ahead_++];
    if (ahead.rows.row_count == 0) return read_chunk();
    context_->json.peek_elements();
    if (ahead.span.offset != context_->json.span().offset) return read_chunk();
    context_->json.take_elements(static_cast<std::size_t>(ahead.span.length));
    table_.value_count += ahead.rows.row_count * table_.columns.size();
    table_.marks.push_back(ahead.span.offset);
    table_.append_chunk(std::move(ahead.rows));
    return charge(ahead.span.offset);
  }

  /// Returns false after the last chunk.
  bool read_chunk() {
    const std::size_t wanted = count_wanted();
    values_.clear();
    context_->json.peek_elements();
    bool goes_on = true;
    std::uint64_t mark = 0;
    while (goes_on && values_.size() < wanted) {
      const bool is_first = values_.empty();
      // Numbers that may be negative are read one by one, because one of their bits is the sign.
      if (!holds_negative())
        context_->json.read_unsigned_array(values_, std::min(wanted - values_.size(), usual_values));
      if (is_first) mark = context_->json.span().offset;
      goes_on = charge_values(mark) && (values_.size() == wanted || read_other());
    }
    take_values(mark);
    return charge(mark) && goes_on;
  }

  /// Values are collected until a chunk of rows is complete, which takes a lot of memory if `meta` names many
  /// columns.
  bool charge_values(std::uint64_t offset) {
    if (values_.size() <= std::max(usual_values, charged_values_)) return true;
    const std::uint64_t grown = values_.size() - charged_values_;
    charged_values_ = values_.size();
    return context_->take_memory(grown * sizeof(std::uint64_t), offset,
                                 fmt::format("/{}", name_of(section_)));
  }

  bool charge(std::uint64_t offset) {
    const std::uint64_t grown = table_.memory() - charged_;
    charged_ += grown;
    return grown == 0 || context_->take_memory(grown, offset, fmt::format("/{}", name_of(section_)));
  }

  void take_values(std::uint64_t mark) {
    const std::size_t columns = table_.columns.size();
    table_.value_count += values_.size();
    if (columns != 0)
      table_.rest.assign(values_.end() - static_cast<std::ptrdiff_t>(values_.size() % columns),
                         values_.end());
    if (columns == 0 || values_.size() < columns) return;
    table_.marks.push_back(mark);
    table_.append_chunk(values_);
  }

  /// Reads a value that is not a plain unsigned integer. Returns false at the end of the array.
  bool read_other() {
    const JsonToken token = context_->json.next();
    if (token == JsonToken::error) table_.is_last_open = context_->json.error()->offset == number_end_;
    if (token == JsonToken::array_end || token == JsonToken::error) return false;
    number_end_ = context_->json.span().end();
    const auto value = token == JsonToken::number ? find_value() : std::nullopt;
    if (!value) report_wrong();
    values_.push_back(value.value_or(0));
    return context_->goes_on();
  }

  [[nodiscard]] bool holds_negative() const { return sections[index_of(section_)].holds_negative; }

  /// The current number in its stored form; empty if the section must not contain it.
  [[nodiscard]] std::optional<std::uint64_t> find_value() {
    const auto value = context_->json.as_signed();
    if (holds_negative()) return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
    const bool is_wrapped = value && *value < 0 && *value >= INT32_MIN && may_be_wrapped();
    return is_wrapped ? take_wrapped(*value) : context_->json.as_unsigned();
  }

  /// The position of the next value in its row.
  [[nodiscard]] std::size_t next_column() const {
    const std::size_t columns = table_.columns.size();
    return columns == 0 ? 0 : static_cast<std::size_t>((table_.value_count + values_.size()) % columns);
  }

  /// Whether the next value may be negative in files from V8. True if the columns are not known yet.
  [[nodiscard]] bool may_be_wrapped() const {
    if (names_ == nullptr) return may_wrap(section_);
    return !names_->empty() && may_wrap(section_, (*names_)[next_column()]);
  }

  std::uint64_t take_wrapped(std::int64_t value) {
    table_.wrapped.resize(table_.columns.size());
    table_.wrapped[next_column()] = true;
    return static_cast<std::uint32_t>(value);
  }

  /// The path of the next value.
  [[nodiscard]] std::string make_path() const {
    const std::uint64_t index = table_.value_count + values_.size();
    if (names_ == nullptr || names_->empty()) return fmt::format("/{}/{}", name_of(section_), index);
    const std::string& name = (*names_)[static_cast<std::size_t>(index % names_->size())];
    return fmt::format("/{}/{}/{}", name_of(section_), index / names_->size(), core::make_opening(name));
  }

  void report_wrong() {
    const std::uint64_t index = table_.value_count + values_.size();
    table_.wrong.push_back(index);
    wrong_.add(index, [this] { return make_path(); });
  }

  Context* context_;
  Section section_;
  const std::vector<std::string>* names_;
  WrongElements wrong_;
  Table table_;
  std::vector<std::uint64_t> values_;
  std::vector<Ahead> ahead_;
  std::size_t next_ahead_ = 0;
  std::size_t charged_values_ = 0;
  std::uint64_t charged_ = 0;
  std::uint64_t number_end_ = 0;  // the end of the last value that was read individually
};

}  // namespace

Table read_table(Context& context, Section section, const std::vector<std::string>* names) {
  return TableReader(context, section, names).read();
}

}  // namespace heapcheck::v8::heapsnapshot
