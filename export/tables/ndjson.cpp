#include "export/writers.hpp"

#include "export/buffer.hpp"
#include "formats/core/output/json_writer.hpp"

namespace heapcheck::exports::tables {
namespace {

class NdjsonWriter final : public TableWriter {
 public:
  NdjsonWriter(const Table& table, core::ByteSink& sink) : table_(&table), buffer_(sink) {}

  Result<void> add(const Rows& rows) override {
    for (std::size_t row = 0; row < rows.count; ++row) {
      add_row(rows, row);
      if (!buffer_.flush_if_full()) break;
    }
    return buffer_.done();
  }
  Result<void> finish() override { return buffer_.finish(); }

 private:
  void add_row(const Rows& rows, std::size_t row) {
    core::JsonWriter json(buffer_.pending);
    json.begin_object();
    for (std::size_t i = 0; i < rows.columns.size(); ++i) {
      const Values& values = rows.columns[i];
      if (!values.has(row)) continue;
      if (values.texts.empty())
        json.member(table_->columns[i].name, values.integers[row]);
      else
        json.member(table_->columns[i].name, values.texts[row]);
    }
    json.end_object();
    buffer_.pending += '\n';
  }

  const Table* table_;
  Buffer buffer_;
};

}  // namespace

std::unique_ptr<TableWriter> open_ndjson(const Table& table, core::ByteSink& sink) {
  return std::make_unique<NdjsonWriter>(table, sink);
}

}  // namespace heapcheck::exports::tables
