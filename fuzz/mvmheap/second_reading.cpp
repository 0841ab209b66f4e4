// Property: a dump gets the same report whether its columns are forgotten as they pass, and it is read again
// if they are needed, or all of them are held from the beginning, as for a pipe, which may take too much
// memory.
#include <array>

#include "formats/core/source.hpp"
#include "fuzz/support/check.hpp"
#include "heapcheck/validate.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

/// Bytes that can be read only once.
class Pipe final : public core::ByteSource {
 public:
  explicit Pipe(core::ByteSpan bytes) : source_(bytes) {}
  Result<std::size_t> read(core::MutableByteSpan buffer) override { return source_.read(buffer); }

 private:
  core::MemorySource source_;
};

Report report_on(std::unique_ptr<core::ByteSource> source) {
  return validation::check_source(std::move(source), {.limits = fuzz::make_limits()});
}

std::string write(const Report& report) { return make_json(std::array{NamedReport{"dump", &report}}); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  const Report again = report_on(std::make_unique<core::MemorySource>(bytes));
  const Report once = report_on(std::make_unique<Pipe>(bytes));
  // Columns that are forgotten need less memory, so only the other reading may reach the limit.
  require(once.count_limits() != 0 || write(again) == write(once), "a second reading finds the same");
  return 0;
}
