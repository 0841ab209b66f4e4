#include "export/writers.hpp"

#include <fmt/format.h>

#include "export/buffer.hpp"
#include "formats/core/output/csv.hpp"

namespace heapcheck::exports::tables {
namespace {

class CsvWriter final : public TableWriter {
 public:
  CsvWriter(const Table& table, core::ByteSink& sink) : buffer_(sink) {
    for (const Column& column : table.columns) {
      if (&column != table.columns.data()) buffer_.pending += ',';
      buffer_.pending += column.name;
    }
    buffer_.pending += '\n';
  }

  Result<void> add(const Rows& rows) override {
    for (std::size_t row = 0; row < rows.count; ++row) {
      for (std::size_t i = 0; i < rows.columns.size(); ++i) {
        if (i != 0) buffer_.pending += ',';
        add_value(rows.columns[i], row);
      }
      buffer_.pending += '\n';
      if (!buffer_.flush_if_full()) break;
    }
    return buffer_.done();
  }
  Result<void> finish() override { return buffer_.finish(); }

 private:
  void add_value(const Values& values, std::size_t row) {
    if (!values.has(row)) return;
    if (!values.texts.empty()) return core::append_csv_field(values.texts[row], buffer_.pending);
    const fmt::format_int digits(values.integers[row]);
    buffer_.pending.append(digits.data(), digits.size());
  }

  Buffer buffer_;
};

}  // namespace

std::unique_ptr<TableWriter> open_csv(const Table& table, core::ByteSink& sink) {
  return std::make_unique<CsvWriter>(table, sink);
}

}  // namespace heapcheck::exports::tables
