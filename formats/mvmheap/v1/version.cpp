#include "formats/mvmheap/v1/version.hpp"

#include <array>

#include "formats/mvmheap/v1/names.hpp"
#include "formats/mvmheap/v1/reader.hpp"
#include "formats/mvmheap/v1/writer.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

std::unique_ptr<DumpWriter> make_writer(core::ByteSink& out, const FileMeta&, const WriteOptions&) {
  return std::make_unique<Writer>(out, WriterOptions{.replace_names = true});
}

constexpr std::array layouts{
    WrittenLayout{.suffix = "", .capacity = {.holds_name = can_hold}, .make_writer = make_writer}};

}  // namespace

const Version version{
    .recognises = is_v1, .make_reader = make_version_reader<FrontReader, LinePart>, .layouts = layouts};

}  // namespace heapcheck::mvmheap::v1
