#include <algorithm>
#include <string>

#include "formats/v8/heapprofile/layout.hpp"
#include "fuzz/support/choices.hpp"
#include "fuzz/support/made_models.hpp"

namespace heapcheck::fuzz {
namespace {

using namespace v8::heapprofile;

constexpr std::size_t most_rows = 500;

std::int32_t take_position(Choices& choices) {
  return static_cast<std::int32_t>(std::min<std::uint64_t>(choices.take_amount(), INT32_MAX)) - 1;
}

/// Adds strings to the pool in the order in which the reader finds them.
void name_node(Profile& profile, std::string_view function, std::string_view script, std::string_view url) {
  profile.nodes.function_name.back() = profile.strings.intern(function);
  profile.nodes.script_id.back() = profile.strings.intern(script);
  profile.nodes.url.back() = profile.strings.intern(url);
}

/// Adds a child to the last node or to one of its callers.
void add_node(Profile& profile, Choices& choices, Shares& sizes) {
  Nodes& nodes = profile.nodes;
  auto parent = static_cast<NodeIndex>(nodes.count() - 1);
  for (std::uint8_t levels = choices.take_byte() % 4; levels != 0 && row_of(parent) != 0; --levels) {
    parent = nodes.parent[row_of(parent)];
  }
  nodes.add(parent);
  const std::string function = choices.take_name();
  const std::string script = choices.take_bool() ? choices.take_name() : std::string(no_script);
  name_node(profile, function, script, choices.take_bool() ? function : choices.take_name());
  nodes.self_size.back() = sizes.take(choices);
  nodes.line.back() = take_position(choices);
  nodes.column.back() = take_position(choices);
}

void add_ids(Profile& profile, Choices& choices) {
  Different ids{choices.take_amount(), choices.take_amount()};
  for (std::uint64_t& id : profile.nodes.id) id = ids.next();
}

void add_samples(Profile& profile, Choices& choices) {
  Different ordinals{choices.take_amount(), choices.take_amount()};
  Shares sizes;
  while (!choices.rest.empty() && profile.samples.count() < most_rows) {
    const std::uint64_t node_id = profile.nodes.id[choices.below(profile.nodes.count())];
    profile.samples.add(sizes.take(choices), node_id, ordinals.next());
  }
}

Profile make_profile(Choices choices) {
  Profile profile;
  const bool has_ids = choices.take_bool();
  profile.has_samples = choices.take_bool();
  profile.nodes.add(no_parent);
  name_node(profile, root_name, no_script, "");
  profile.nodes.line[0] = profile.nodes.column[0] = unknown_position;
  Shares sizes;
  const std::size_t count = choices.below(most_rows);
  while (!choices.rest.empty() && profile.nodes.count() < count) add_node(profile, choices, sizes);
  if (has_ids) add_ids(profile, choices);
  if (has_ids && profile.has_samples) add_samples(profile, choices);
  return profile;
}

}  // namespace

Profile make_heapprofile(core::ByteSpan bytes) { return make_profile(Choices(bytes)); }

}  // namespace heapcheck::fuzz
