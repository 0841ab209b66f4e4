// The module has no files of its own: the caller reads inputs (open_source), and outputs stay in memory until
// the caller takes them.
#include "bindings/wasm/system/files.hpp"

#include <map>
#include <utility>

#include "api/output.hpp"
#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"

namespace heapcheck {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// The bytes of outputs by their names.
std::map<std::string, Bytes>& outputs() {
  static std::map<std::string, Bytes> all;
  return all;
}

std::unexpected<Error> refuse_file() {
  return std::unexpected(Error{ErrorKind::unreadable, "cannot be read, because WebAssembly has no files"});
}

}  // namespace

namespace wasm {

Bytes take_output(const std::string& name) {
  auto taken = outputs().extract(name);
  return taken ? std::move(taken.mapped()) : Bytes();
}

std::span<const std::uint8_t> view_output(const std::string& name) {
  const auto found = outputs().find(name);
  return found == outputs().end() ? std::span<const std::uint8_t>() : std::span(std::as_const(found->second));
}

}  // namespace wasm

namespace core {

Result<std::unique_ptr<ByteSource>> open_file(const std::string&) { return refuse_file(); }
Result<std::unique_ptr<SeekableSource>> open_seekable(const std::string&) { return refuse_file(); }
Result<std::unique_ptr<SeekableSource>> open_rereadable(const std::string&, const Limits&,
                                                        const StartCheck&) {
  return refuse_file();
}
std::optional<FileIdentity> identify_file(const std::string&) { return std::nullopt; }
std::unique_ptr<ByteSource> open_standard_input() { return std::make_unique<MemorySource>(ByteSpan()); }

Result<OutputFile> OutputFile::create(const std::string& path, const OutputOptions&) {
  outputs()[path].clear();
  return OutputFile(0, path, path);
}

OutputFile::OutputFile(int descriptor, std::string target, std::string temporary)
    : descriptor_(descriptor), target_(std::move(target)), temporary_(std::move(temporary)), slot_(0) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : descriptor_(other.descriptor_),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      slot_(0) {}

/// An output that was not committed does not remain.
OutputFile::~OutputFile() {
  if (!temporary_.empty()) outputs().erase(temporary_);
}

Result<void> OutputFile::write(ByteSpan bytes) {
  Bytes& written = outputs()[target_];
  written.insert(written.end(), bytes.begin(), bytes.end());
  return {};
}

Result<std::unique_ptr<ByteSource>> OutputFile::open_written() const {
  return std::make_unique<MemorySource>(outputs()[target_]);
}

Result<void> OutputFile::commit() {
  temporary_.clear();
  return {};
}

}  // namespace core

namespace api {

bool is_input(const Dump::State&, const std::string&) { return false; }

Result<core::OutputFile> create_output(const Dump::State&, const std::string& output, bool) {
  return core::OutputFile::create(output);
}

}  // namespace api
}  // namespace heapcheck
