#include "formats/mvmheap/v3/version.hpp"

#include <array>

#include "formats/mvmheap/v3/reader.hpp"
#include "formats/mvmheap/v3/toc_reader.hpp"
#include "formats/mvmheap/v3/writer.hpp"

namespace heapcheck::mvmheap::v3 {
namespace {

std::unique_ptr<DumpWriter> make_writer(core::ByteSink& out, const FileMeta& meta,
                                        const WriteOptions& options) {
  return std::make_unique<Writer>(out, meta, WriterOptions{.level = options.level});
}

constexpr std::array layouts{WrittenLayout{
    .suffix = "",
    .capacity = {.holds_metas = true, .holds_table_growth = true, .holds_closing_rows = true},
    .make_writer = make_writer,
}};

}  // namespace

const Version version{.recognises = is_v3,
                      .make_reader = make_version_reader<FrontReader, BlockPart>,
                      .find_snapshot = find_by_index<TocReader, BlockPart>,
                      .layouts = layouts};

}  // namespace heapcheck::mvmheap::v3
