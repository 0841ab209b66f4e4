// Opens a MoarVM dump of any version, and makes the writer of any version: the one place where
// converting and recovering meet the versions. An opened dump owns its reader and what that borrows.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/core/finding.hpp"
#include "formats/core/limits.hpp"
#include "formats/core/output_file.hpp"
#include "formats/core/result.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/convert.hpp"
#include "formats/mvmheap/dump.hpp"
#include "formats/registry.hpp"

namespace heapcheck::formats {

struct OpenedDump {
  core::Input input;
  std::unique_ptr<core::Window> window;
  Format format;
  std::unique_ptr<mvmheap::DumpReader> reader;
};

/// Opens the dump that `source` holds, decompressing it if its first bytes say so. The source, the
/// limits and the sink must outlive it. Errors: unreadable, where it is no MoarVM dump.
core::Result<OpenedDump> open_mvmheap(core::SeekableSource& source, const core::Limits& limits,
                                      core::FindingSink& sink);

/// What can be written: a version, in one layout of it.
enum class Target : std::uint8_t { mvmheap_v1, mvmheap_v2, mvmheap_v2_increments, mvmheap_v3 };

/// The name that `--to` takes, such as `mvmheap-v3`.
std::string_view name_of(Target target);
std::optional<Target> find_target(std::string_view name);
/// All names, as they are listed for people.
std::vector<std::string_view> target_names();
mvmheap::Capacity capacity_of(Target target);

/// What a dump of `format` is written as when nothing else is asked for: its own version, in a layout
/// that holds what `survey` tells of.
Target usual_target(Format format, const mvmheap::Survey& survey);

struct WriteOptions {
  int level = 9;  ///< of zstd, where the target has zstd frames
};

std::unique_ptr<mvmheap::DumpWriter> make_writer(Target target, core::ByteSink& out,
                                                 const mvmheap::FileMeta& meta, const WriteOptions& options);

}  // namespace heapcheck::formats
