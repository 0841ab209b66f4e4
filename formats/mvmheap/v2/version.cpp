#include "formats/mvmheap/v2/version.hpp"

#include <array>

#include "formats/mvmheap/v2/index_reader.hpp"
#include "formats/mvmheap/v2/reader.hpp"
#include "formats/mvmheap/v2/writer.hpp"

namespace heapcheck::mvmheap::v2 {
namespace {

template <bool increments>
std::unique_ptr<DumpWriter> make_writer(core::ByteSink& out, const FileMeta&, const WriteOptions&) {
  return std::make_unique<Writer>(out, WriterOptions{.increments = increments});
}

constexpr std::array layouts{
    WrittenLayout{.suffix = "", .capacity = {}, .make_writer = make_writer<false>},
    WrittenLayout{
        .suffix = ":increments", .capacity = {.holds_table_growth = true}, .make_writer = make_writer<true>},
};

}  // namespace

const Version version{.recognises = is_v2,
                      .make_reader = make_version_reader<FrontReader, SectionPart>,
                      .find_snapshot = find_by_index<IndexReader, SectionPart>,
                      .layouts = layouts};

}  // namespace heapcheck::mvmheap::v2
