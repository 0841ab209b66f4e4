// Property: what reads without findings is written back as a file without findings that reads
// equal, and writing it twice gives the same bytes.
#include "formats/mvmheap/v3/reader.hpp"
#include "formats/mvmheap/v3/writer.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v3;
using fuzz::require;

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Model {
  std::optional<mvmheap::FileMeta> meta;
  std::vector<BlockPart> parts;
  mvmheap::Tables tables;
};

bool is_clean(core::ByteSpan bytes, const Limits& limits) {
  const auto report =
      validation::check_source(std::make_unique<core::MemorySource>(bytes), {.limits = limits});
  return report.verdict == Verdict::valid && report.findings.empty();
}

Model read(core::ByteSpan bytes) {
  core::MemorySource source(bytes);
  core::Window window(source);
  validation::Collector collector(20);
  Model model;
  if (!is_v3(window.peek(magic.size()))) return model;
  FrontReader reader(window, {}, collector);
  for (BlockPart part; reader.read_part(part);) model.parts.push_back(part);
  model.meta = reader.file_meta();
  model.tables = reader.tables();
  return model;
}

Bytes write(const Model& model) {
  core::MemorySink sink;
  Writer writer(sink, *model.meta, {.level = 1});
  for (const BlockPart& part : model.parts) {
    require(writer.write_part(part, model.tables).has_value(), "a part that was read can be written");
  }
  return sink.bytes();
}

bool same_part(const BlockPart& a, const BlockPart& b) {
  return a.snapshot == b.snapshot && a.meta == b.meta && a.highscores == b.highscores &&
         a.before == b.before && a.after == b.after && a.has_snapshot == b.has_snapshot;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  const Model model = is_clean(bytes, fuzz::make_limits()) ? read(bytes) : Model{};
  if (!model.meta) return 0;
  const Bytes written = write(model);
  require(written == write(model), "the same model gives the same bytes");
  require(is_clean(written, {}), "what is written has no findings");
  const Model again = read(written);
  require(again.meta == model.meta && again.tables == model.tables, "metadata and tables read equal");
  require(std::ranges::equal(again.parts, model.parts, same_part), "so do the parts");
  return 0;
}
