// Property: the reader describes any bytes consistently: parents come before children, offsets are inside the
// input and in ascending order, and a file without errors is read to its end.
#include "formats/v8/heapprofile/reader.hpp"

#include <algorithm>

#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapprofile;
using fuzz::require;

namespace {

void check_nodes(const Nodes& nodes, const ProfileContainer& container, std::uint64_t byte_count) {
  const std::size_t count = nodes.count();
  for (const std::size_t other :
       {nodes.self_size.size(), nodes.id.size(), nodes.function_name.size(), nodes.script_id.size(),
        nodes.url.size(), nodes.line.size(), nodes.column.size(), container.node_offsets.size(),
        container.child_indices.size(), container.node_parts.size()})
    require(other == count, "all columns have the same length");
  for (std::size_t i = 0; i < count; ++i) {
    require((nodes.parent[i] == no_parent) == (i == 0), "the first node is the only root");
    require(i == 0 || row_of(nodes.parent[i]) < i, "a parent comes before its children");
    require(fuzz::is_inside(mark(container.node_offsets[i]), byte_count), "a node is inside the input");
    const bool has_frame = container.node_parts[i].frame;
    require(!has_frame || (nodes.function_name[i] != no_text && nodes.url[i] != no_text),
            "a call frame that was read has a name and a URL");
  }
  require(std::ranges::is_sorted(container.node_offsets), "nodes are in document order");
}

void check_parts(const Reading& reading, std::uint64_t byte_count) {
  const auto& [profile, container] = reading;
  require(container.byte_count <= byte_count, "the byte count is at most the size of the input");
  require(!container.head || fuzz::is_inside(*container.head, byte_count), "the tree is inside the input");
  require(!container.samples || fuzz::is_inside(*container.samples, byte_count),
          "the samples are inside the input");
  require(profile.samples.count() == container.sample_offsets.size() &&
              profile.samples.count() == container.sample_indices.size() &&
              profile.samples.count() == profile.samples.ordinal.size(),
          "all columns of samples have the same length");
  require(std::ranges::is_sorted(container.sample_offsets), "samples are in document order");
  require(profile.has_samples || profile.samples.count() == 0,
          "there are samples only if there is an array of samples");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  core::MemorySource source({data, size});
  core::Window window(source);
  validation::Collector collector(1000);
  core::Tally tally(collector);
  const Reading reading = read_profile(window, fuzz::make_limits(), tally);
  check_nodes(reading.profile.nodes, reading.container, size);
  check_parts(reading, size);
  const auto summary = summarise(reading.profile);
  require(summary.depth <= reading.profile.nodes.count(),
          "the depth of a tree is at most its number of nodes");
  const auto findings = collector.take_findings();
  fuzz::require_places_inside(findings, size);
  require(!tally.clean() || reading.container.is_complete, "a file without errors is read to its end");
  return 0;
}
