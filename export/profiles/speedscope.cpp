#include "export/writers.hpp"

#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/stacks.hpp"
#include "export/buffer.hpp"
#include "export/profiles/stacks.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/output/json_writer.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::exports::profiles {
namespace {

class SpeedscopeWriter {
 public:
  SpeedscopeWriter(const StacksInput& input, core::ByteSink& sink)
      : profile_(input.profile),
        name_(core::make_safe_path(input.file) + ", snapshot " + std::to_string(input.snapshot) +
              describe_process(input.profile.process)),
        sizes_(add_up_places(input.profile).size),
        buffer_(sink),
        json_(buffer_.pending) {}

  Result<Written> write() {
    json_.begin_object();
    json_.member("$schema", "https://www.speedscope.app/file-format-schema.json");
    json_.member("exporter", "heapcheck");
    json_.member("name", name_);
    write_frames();
    json_.begin_array("profiles");
    write_profile();
    json_.end_array();
    json_.end_object();
    if (auto done = buffer_.finish(); !done) return std::unexpected(done.error());
    Written written{.amounts = {{"stacks", stacks_}, {"bytes", total_}}};
    if (inexact_ != 0) written.losses.push_back({"numbers", inexact_, "above 2^53, which JavaScript rounds"});
    return written;
  }

 private:
  void write_frames() {
    json_.begin_object("shared");
    json_.begin_array("frames");
    for (const StackFrame& frame : profile_.frames) {
      if (!buffer_.flush_if_full()) break;
      write_frame(frame);
    }
    json_.end_array();
    json_.end_object();
  }

  void write_frame(const StackFrame& frame) {
    const std::string_view name = profile_.texts[frame.name];
    json_.begin_object();
    json_.member("name", name.empty() ? "(anonymous)" : name);
    const std::string_view script = script_of(profile_, frame);
    if (!script.empty()) json_.member("file", script);
    if (frame.line != 0) json_.member("line", std::uint64_t{frame.line});
    if (frame.column != 0) json_.member("col", std::uint64_t{frame.column});
    json_.end_object();
  }

  void write_profile() {
    json_.begin_object();
    json_.member("type", "sampled");
    json_.member("name", name_);
    json_.member("unit", "bytes");
    json_.member("startValue", std::uint64_t{0});
    json_.begin_array("samples");
    // Weights follow in a second array, because speedscope expects one for each sample in the same order.
    for (std::uint32_t place = 0; place < sizes_.size() && buffer_.flush_if_full(); ++place) {
      if (sizes_[place] == 0) continue;
      write_sample(analyze::find_stack(profile_, place));
    }
    json_.end_array();
    write_weights();
    json_.member("endValue", total_);
    json_.end_object();
  }

  void write_sample(const std::vector<std::uint32_t>& places) {
    json_.begin_array();
    for (const std::uint32_t at : places | std::views::reverse)
      json_.number(std::uint64_t{profile_.frame[at]});
    json_.end_array();
    ++stacks_;
  }

  void write_weights() {
    json_.begin_array("weights");
    for (std::size_t place = 0; place < sizes_.size() && buffer_.flush_if_full(); ++place) {
      if (sizes_[place] == 0) continue;
      json_.number(sizes_[place]);
      if (sizes_[place] > most_exact_in_javascript) ++inexact_;
      total_ = core::saturating_add(total_, sizes_[place]);
    }
    json_.end_array();
  }

  const AllocationProfile& profile_;
  std::string name_;
  std::vector<std::uint64_t> sizes_;
  Buffer buffer_;
  core::JsonWriter json_;
  std::uint64_t stacks_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t inexact_ = 0;
};

}  // namespace

Result<Written> write_speedscope(const StacksInput& input, core::ByteSink& sink) {
  if (auto checked = check_stacks(input.profile); !checked) return std::unexpected(checked.error());
  return SpeedscopeWriter(input, sink).write();
}

}  // namespace heapcheck::exports::profiles
