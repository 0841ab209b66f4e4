#include "formats/chrome/heaps_v2/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "formats/chrome/heaps_v2/context.hpp"
#include "formats/chrome/heaps_v2/faults.hpp"

namespace heapcheck::chrome::heaps_v2 {
namespace {

using core::JsonPath;
using core::JsonToken;

/// The memory in bytes that a dump or an allocator takes without its rows.
constexpr std::uint64_t dump_bytes = 1024;
constexpr std::uint64_t heap_bytes = 1024;

/// Reads the allocator whose key is the current token.
void read_allocator(const Context& context, std::string_view parent, std::set<std::string>& names,
                    Dump& dump) {
  core::JsonReader& json = context.json;
  Heap heap;
  heap.allocator = json.text();
  const JsonPath path{parent, JsonPath::no_row, heap.allocator};
  if (!names.insert(heap.allocator).second) return context.refuse_repeated(path);
  if (!context.take_memory(heap_bytes + 2 * heap.allocator.size(), path)) {
    json.skip_value();
    return;
  }
  const std::uint64_t offset = json.span().offset;
  if (!context.enter(JsonToken::object_begin, path)) {
    heap.is_whole = false;
  } else {
    read_heap(context, path.text(), heap);
  }
  heap.span = {offset, json.span().end() - offset};
  dump.heaps.push_back(std::move(heap));
}

void read_allocators(const Context& context, Dump& dump) {
  constexpr std::string_view prefix = "/allocators";
  if (!context.enter(JsonToken::object_begin, {prefix})) {
    dump.is_whole = false;
    return;
  }
  std::set<std::string> names;
  while (context.json.next() == JsonToken::key) read_allocator(context, prefix, names, dump);
}

void read_version(const Context& context, Dump& dump) {
  context.json.next();
  dump.version = context.take_integer({"/version"});
  dump.is_whole = dump.is_whole && dump.version.has_value();
}

/// Reads the members of a `heaps_v2` object.
void read_dump(const Context& context, Dump& dump) {
  core::JsonReader& json = context.json;
  unsigned seen = 0;
  while (json.next() == JsonToken::key) {
    const std::string_view key = json.text();
    const unsigned member = key == "allocators" ? 1 : key == "maps" ? 2 : key == "version" ? 4 : 0;
    if (member == 0) {
      json.skip_value();
    } else if ((seen & member) != 0) {
      context.refuse_repeated({{},
                               JsonPath::no_row,
                               member == 1   ? "allocators"
                               : member == 2 ? "maps"
                                             : "version"});
    } else if (member == 1) {
      read_allocators(context, dump);
    } else if (member == 2) {
      read_maps(context, dump);
    } else {
      read_version(context, dump);
    }
    seen |= member;
  }
}

/// Reads the members of `args.data` in a `heap_profile` event: the allocators, and the maps alongside them.
void read_profile(const Context& context, Dump& dump) {
  core::JsonReader& json = context.json;
  std::set<std::string> names;
  bool has_maps = false;
  while (json.next() == JsonToken::key) {
    if (json.text() == "version") {
      json.skip_value();
    } else if (json.text() != "maps") {
      read_allocator(context, {}, names, dump);
    } else if (has_maps) {
      context.refuse_repeated({"/maps"});
    } else {
      has_maps = true;
      read_maps(context, dump);
    }
  }
}

/// Reads the value of a payload into a dump. Returns false if the value is not an object or does not fit in
/// memory.
bool read_value(const Context& context, Layout layout, Dump& dump) {
  core::JsonReader& json = context.json;
  const bool is_object = context.enter(JsonToken::object_begin, {}) && context.take_memory(dump_bytes, {});
  const std::uint64_t offset = json.span().offset;
  if (is_object) {
    dump.layout = layout;
    dump.place = context.place;
    layout == Layout::heap_profile ? read_profile(context, dump) : read_dump(context, dump);
    dump.span = {offset, json.span().end() - offset};
  } else if (json.token() == JsonToken::object_begin) {
    json.skip_rest();
  }
  return is_object;
}

/// A row of a map takes more than 64 bytes, so there can never be more than 2^32 rows.
core::MemoryBudget make_budget(const Limits& limits) {
  return core::MemoryBudget(std::min(limits.max_memory, std::uint64_t{1} << 38));
}

constexpr std::array<std::string_view, 1> keys{"heaps_v2"};

}  // namespace

HeapsV2Reader::HeapsV2Reader(const Limits& limits)
    : ahead_(limits, keys, read_ahead), memory_(make_budget(limits)) {}

HeapsV2Reader::DumpAhead HeapsV2Reader::read_ahead(std::size_t, core::JsonReader& json,
                                                   core::FindingSink& sink, const Limits& limits) {
  DumpAhead ahead;
  core::MemoryBudget memory = make_budget(limits);
  const core::JsonPlace place;
  read_value(Context(json, place, sink, memory, ahead.strings), Layout::heaps_v2, ahead.dump);
  ahead.memory = memory.taken();
  return ahead;
}

/// Replaces the dump's own string pool with that of the model.
void HeapsV2Reader::take_strings(DumpAhead& ahead) {
  const std::vector<core::PoolIndex> indices = model_.strings.intern_all(ahead.strings);
  for (auto* const column : {&ahead.dump.strings.text, &ahead.dump.types.text, &ahead.dump.nodes.text}) {
    for (core::PoolIndex& text : *column) {
      if (text != no_text) text = indices[static_cast<std::size_t>(text)];
    }
  }
}

/// Takes the next dump if it was read before its turn. The totals of its event may have been read already.
bool HeapsV2Reader::take_ahead(core::JsonReader& json, const core::JsonPlace& place) {
  const auto accept = [this](const DumpAhead& ahead) { return memory_.has_room(ahead.memory); };
  if (place.string) return false;
  auto ahead = ahead_.take(json, 0, memory_.left(), accept);
  if (!ahead) return false;
  take_strings(*ahead);
  memory_.take(ahead->memory);
  ahead->dump.place = place;
  ahead->dump.totals_place = std::move(dump_.totals_place);
  ahead->dump.totals = std::move(dump_.totals);
  dump_ = std::move(ahead->dump);
  has_heaps_ = true;
  return true;
}

void HeapsV2Reader::read(Payload payload, core::JsonReader& json, const core::JsonPlace& place,
                         core::FindingSink& sink) {
  // The memory is released if the event turns out not to be kept.
  if (!std::exchange(in_event_, true)) taken_before_ = memory_.taken();
  const Context context(json, place, sink, memory_, model_.strings);
  if (payload == Payload::allocators) {
    dump_.totals_place = place;
    dump_.totals = read_totals(context);
    std::ranges::sort(dump_.totals, {}, [](const Total& total) {
      return std::pair(std::string_view(total.allocator), total.span.offset);
    });
    return;
  }
  if (payload == Payload::heap_profile) {
    context.report(rules::event_heap_profile, json.span(), {},
                   "found heaps in a `heap_profile` event, expected a memory dump");
    has_proposal_ = read_value(context, Layout::heap_profile, proposal_);
  } else if (!take_ahead(json, place)) {
    has_heaps_ = read_value(context, Layout::heaps_v2, dump_);
  }
}

void HeapsV2Reader::forget(Payload payload) {
  if (payload == Payload::heaps_v2) has_heaps_ = false;
  if (payload == Payload::heap_profile) has_proposal_ = false;
}

void HeapsV2Reader::finish_event(const EventHead& head, bool is_kept, core::FindingSink&) {
  if (!std::exchange(in_event_, false)) return;
  if (is_kept && (has_heaps_ || has_proposal_)) {
    Dump& dump = has_heaps_ ? dump_ : proposal_;
    dump.head = head;
    model_.dumps.push_back(std::move(dump));
  } else {
    memory_.give_back(memory_.taken() - taken_before_);
  }
  dump_ = {};
  proposal_ = {};
  has_heaps_ = has_proposal_ = false;
}

}  // namespace heapcheck::chrome::heaps_v2
