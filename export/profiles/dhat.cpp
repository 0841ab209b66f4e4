#include "export/writers.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyze/stacks.hpp"
#include "export/buffer.hpp"
#include "export/profiles/stacks.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/core/output/json_writer.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::exports::profiles {
namespace {

void move_totals(PlaceTotals& totals, std::uint32_t from, std::uint32_t to) {
  totals.size[to] = core::saturating_add(totals.size[to], std::exchange(totals.size[from], 0));
  totals.count[to] = core::saturating_add(totals.count[to], std::exchange(totals.count[from], 0));
}

/// The totals for each stack, stored at the first place with the same frames.
PlaceTotals add_up_stacks(const AllocationProfile& profile) {
  PlaceTotals totals = add_up_places(profile);
  std::vector<std::uint32_t> first_of(profile.caller.size());
  std::unordered_map<std::uint64_t, std::uint32_t, core::KeyedHash> first_places;
  const auto key_of = [&](std::uint32_t place) {
    return std::uint64_t{first_of[profile.caller[place]]} << 32U | profile.frame[place];
  };
  for (std::uint32_t place = 1; place < profile.caller.size(); ++place) {
    first_of[place] = first_places.try_emplace(key_of(place), place).first->second;
    if (first_of[place] != place) move_totals(totals, place, first_of[place]);
  }
  // The stack of the root consists of its own frame, which may also be called by the root.
  const auto same = first_places.find(key_of(0));
  if (same != first_places.end()) move_totals(totals, 0, same->second);
  return totals;
}

class DhatWriter {
 public:
  DhatWriter(const StacksInput& input, core::ByteSink& sink)
      : input_(input),
        profile_(input.profile),
        totals_(add_up_stacks(input.profile)),
        buffer_(sink),
        json_(buffer_.pending) {}

  Result<Written> write() {
    json_.begin_object();
    write_head();
    json_.begin_array("pps");
    write_points();
    json_.end_array();
    write_frame_table();
    json_.end_object();
    if (auto done = buffer_.finish(); !done) return std::unexpected(done.error());
    return describe();
  }

 private:
  [[nodiscard]] bool has_counts() const { return heapcheck::has_counts(profile_); }

  /// Graphs are shown as dominator trees, whereas the stacks in other dumps are stacks of allocations.
  [[nodiscard]] std::string_view verb() const { return input_.is_dominator_tree ? "Held" : "Allocated"; }

  /// The viewer divides each number by `te`, which is in units of `tu`, and shows the result per `Mtu`, which
  /// is a million units.
  void write_head() {
    std::string command = core::make_safe_path(input_.file) + ", snapshot " + std::to_string(input_.snapshot);
    command += describe_process(profile_.process);
    json_.member("dhatFileVersion", std::uint64_t{2});
    json_.member("mode", "heap-snapshot");
    json_.member("verb", verb());
    json_.member("bklt", false);
    json_.member("bkacc", false);
    json_.member("bksu", has_counts() ? "objects" : "stacks");
    json_.member("tu", "millionths of the snapshot");
    json_.member("Mtu", "snapshot");
    json_.member("cmd", command);
    json_.member("pid", std::uint64_t{0});
    json_.member("te", std::uint64_t{1'000'000});
  }

  void write_points() {
    for (std::uint32_t place = 0; place < totals_.size.size() && buffer_.flush_if_full(); ++place) {
      if (totals_.size[place] == 0 && totals_.count[place] == 0) continue;
      write_point(place, analyze::find_stack(profile_, place));
    }
  }

  void write_point(std::uint32_t place, const std::vector<std::uint32_t>& places) {
    const std::uint64_t size = totals_.size[place];
    const std::uint64_t count = has_counts() ? totals_.count[place] : 1;
    json_.begin_object();
    json_.member("tb", size);
    json_.member("tbk", count);
    json_.begin_array("fs");
    for (const std::uint32_t at : places) json_.number(profile_.frame[at] + std::uint64_t{1});
    json_.end_array();
    json_.end_object();
    ++stacks_;
    bytes_ = core::saturating_add(bytes_, size);
    count_inexact(size);
    count_inexact(count);
  }

  void count_inexact(std::uint64_t number) {
    if (number > most_exact_in_javascript) ++inexact_;
  }

  /// Writes the frames, after the root that the viewer expects.
  void write_frame_table() {
    json_.begin_array("ftbl");
    json_.string("[root]");
    for (const StackFrame& frame : profile_.frames) {
      if (!buffer_.flush_if_full()) break;
      json_.string(describe_frame(profile_, frame));
    }
    json_.end_array();
  }

  [[nodiscard]] Written describe() const {
    Written written{.amounts = {{"stacks", stacks_}, {"bytes", bytes_}}};
    if (inexact_ != 0) written.losses.push_back({"numbers", inexact_, "above 2^53, which JavaScript rounds"});
    return written;
  }

  const StacksInput& input_;
  const AllocationProfile& profile_;
  PlaceTotals totals_;
  Buffer buffer_;
  core::JsonWriter json_;
  std::uint64_t stacks_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t inexact_ = 0;
};

}  // namespace

Result<Written> write_dhat(const StacksInput& input, core::ByteSink& sink) {
  if (auto checked = check_stacks(input.profile); !checked) return std::unexpected(checked.error());
  return DhatWriter(input, sink).write();
}

}  // namespace heapcheck::exports::profiles
