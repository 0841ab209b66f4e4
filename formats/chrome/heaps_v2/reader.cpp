#include "formats/chrome/heaps_v2/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "formats/chrome/heaps_v2/faults.hpp"
#include "formats/chrome/heaps_v2/heap_reader.hpp"
#include "formats/chrome/heaps_v2/maps_reader.hpp"
#include "formats/chrome/heaps_v2/totals_reader.hpp"

namespace heapcheck::chrome::heaps_v2 {
namespace {

using core::JsonToken;

/// Bytes that a dump or an allocator costs, beside its rows.
constexpr std::uint64_t dump_bytes = 1024;
constexpr std::uint64_t heap_bytes = 1024;

/// Reads the value of an allocator's member, whose key is the current token.
void read_allocator(Input& input, std::string_view parent, std::set<std::string>& names, Dump& dump) {
  core::JsonReader& json = input.json;
  Heap heap;
  heap.allocator = json.text();
  const Spot spot{parent, Spot::no_row, heap.allocator};
  if (!names.insert(heap.allocator).second) return input.refuse_repeated(spot);
  if (!input.take_memory(heap_bytes + 2 * heap.allocator.size(), spot)) {
    json.skip_value();
    return;
  }
  const std::uint64_t offset = json.span().offset;
  if (!input.enter(JsonToken::object_begin, spot)) {
    heap.is_whole = false;
  } else {
    read_heap(input, spot.path(), heap);
  }
  heap.span = {offset, json.span().end() - offset};
  dump.heaps.push_back(std::move(heap));
}

void read_allocators(Input& input, Dump& dump) {
  constexpr std::string_view prefix = "/allocators";
  if (!input.enter(JsonToken::object_begin, {prefix})) {
    dump.is_whole = false;
    return;
  }
  std::set<std::string> names;
  while (input.json.next() == JsonToken::key) read_allocator(input, prefix, names, dump);
}

void read_version(Input& input, Dump& dump) {
  input.json.next();
  dump.version = input.take_integer({"/version"});
  dump.is_whole = dump.is_whole && dump.version.has_value();
}

/// Reads the members of a `heaps_v2` object.
void read_dump(Input& input, Dump& dump) {
  core::JsonReader& json = input.json;
  unsigned seen = 0;
  while (json.next() == JsonToken::key) {
    const std::string_view key = json.text();
    const unsigned member = key == "allocators" ? 1 : key == "maps" ? 2 : key == "version" ? 4 : 0;
    if (member == 0) {
      json.skip_value();
    } else if ((seen & member) != 0) {
      input.refuse_repeated({{},
                             Spot::no_row,
                             member == 1   ? "allocators"
                             : member == 2 ? "maps"
                                           : "version"});
    } else if (member == 1) {
      read_allocators(input, dump);
    } else if (member == 2) {
      read_maps(input, dump);
    } else {
      read_version(input, dump);
    }
    seen |= member;
  }
}

/// Reads the members of `args.data` of a `heap_profile` event: allocators, and the maps among them.
void read_profile(Input& input, Dump& dump) {
  core::JsonReader& json = input.json;
  std::set<std::string> names;
  bool has_maps = false;
  while (json.next() == JsonToken::key) {
    if (json.text() == "version") {
      json.skip_value();
    } else if (json.text() != "maps") {
      read_allocator(input, {}, names, dump);
    } else if (has_maps) {
      input.refuse_repeated({"/maps"});
    } else {
      has_maps = true;
      read_maps(input, dump);
    }
  }
}

}  // namespace

// A row of a map costs more than 64 bytes, so there are never more than 2^32 of them.
HeapsV2Reader::HeapsV2Reader(const Limits& limits)
    : budget_(std::min(limits.max_memory, std::uint64_t{1} << 38)) {}

void HeapsV2Reader::read(Payload payload, core::JsonReader& json, const Place& place,
                         core::FindingSink& sink) {
  if (!std::exchange(in_event_, true)) left_before_ = budget_.left();
  Input input(json, place, sink, budget_, model_.strings);
  if (payload == Payload::allocators) {
    dump_.totals_place = place;
    dump_.totals = read_totals(input);
    std::ranges::sort(dump_.totals, {}, [](const Total& total) {
      return std::pair(std::string_view(total.allocator), total.span.offset);
    });
    return;
  }
  if (payload == Payload::heap_profile) {
    input.report(rules::event_heap_profile, json.span(), {}, "heaps stand in an event `heap_profile`");
  }
  const bool is_proposal = payload == Payload::heap_profile;
  Dump& dump = is_proposal ? proposal_ : dump_;
  bool& has_heaps = is_proposal ? has_proposal_ : has_heaps_;
  has_heaps = input.enter(JsonToken::object_begin, {}) && input.take_memory(dump_bytes, {});
  const std::uint64_t offset = json.span().offset;
  if (has_heaps) {
    dump.layout = is_proposal ? Layout::heap_profile : Layout::heaps_v2;
    dump.place = place;
    is_proposal ? read_profile(input, dump) : read_dump(input, dump);
    dump.span = {offset, json.span().end() - offset};
  } else if (json.token() == JsonToken::object_begin) {
    json.skip_rest();
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
    budget_.give_back(left_before_ - budget_.left());
  }
  dump_ = {};
  proposal_ = {};
  has_heaps_ = has_proposal_ = false;
}

}  // namespace heapcheck::chrome::heaps_v2
