// Property: a file without findings is written back as a file without findings; reading that file produces an
// equal model, and writing the model twice produces the same bytes.
#include "formats/mvmheap/v3/reader.hpp"
#include "formats/mvmheap/v3/writer.hpp"
#include "fuzz/support/mvmheap_dumps.hpp"
#include "fuzz/support/same.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v3;
using fuzz::require;

namespace {

struct Model {
  std::optional<mvmheap::FileMeta> meta;
  fuzz::DumpOf<FrontReader> dump;
};

constexpr auto same_content = fuzz::same<&BlockPart::snapshot, &BlockPart::meta, &BlockPart::highscores,
                                         &BlockPart::before, &BlockPart::after, &BlockPart::has_snapshot>;

bool is_clean(core::ByteSpan bytes, const Limits& limits) {
  const Report report = fuzz::check(bytes, limits);
  return report.verdict == Verdict::valid && report.findings.empty();
}

Model read(core::ByteSpan bytes) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink silent;
  if (!is_v3(bytes)) return {};
  FrontReader reader(window, {}, silent);
  auto dump = fuzz::read_dump(reader, SIZE_MAX);
  return {reader.file_meta(), std::move(dump)};
}

std::vector<std::uint8_t> write(const Model& model) {
  core::MemorySink sink;
  Writer writer(sink, *model.meta, {.level = 1});
  for (const BlockPart& part : model.dump.parts) {
    require(writer.write_part(part, model.dump.tables).has_value(), "a part that was read can be written");
  }
  return sink.bytes();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  const Model model = is_clean(bytes, fuzz::make_limits()) ? read(bytes) : Model{};
  if (!model.meta) return 0;
  const auto written = write(model);
  require(written == write(model), "writing the same model twice produces the same bytes");
  require(is_clean(written, {}), "a written file has no findings");
  const Model again = read(written);
  require(again.meta == model.meta && again.dump.tables == model.dump.tables,
          "metadata and tables do not change");
  require(std::ranges::equal(again.dump.parts, model.dump.parts, same_content), "parts do not change");
  return 0;
}
