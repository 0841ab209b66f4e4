#include "formats/chrome/legacy/reader.hpp"

#include <array>
#include <utility>

#include "formats/chrome/legacy/context.hpp"
#include "formats/chrome/legacy/heaps_reader.hpp"

namespace heapcheck::chrome::legacy {
namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  if (to.empty()) {
    to = std::move(from);
  } else {
    to.insert(to.end(), from.begin(), from.end());
  }
}

/// Appends the names of another event.
void append(Names& to, Names&& from) {
  for (std::uint32_t& event : from.event) event += static_cast<std::uint32_t>(to.events.size());
  to.is_damaged = to.is_damaged || from.is_damaged;
  to.is_broken = to.is_broken || from.is_broken;
  append(to.name, std::move(from.name));
  append(to.offset, std::move(from.offset));
  append(to.length, std::move(from.length));
  append(to.event, std::move(from.event));
  append(to.events, std::move(from.events));
}

std::uint64_t memory(const Dump& dump) {
  constexpr std::uint64_t row_bytes = 30;
  std::uint64_t bytes = sizeof(Dump) + dump.source.place.path.capacity();
  for (const Heap& heap : dump.heaps) {
    bytes += sizeof(Heap) + heap.allocator.capacity() + heap.entries.row_count() * row_bytes;
  }
  return bytes;
}

/// The memory taken up by the strings of ids and names.
std::uint64_t memory(const Model& model) { return model.strings.memory() + model.ids.memory(); }

constexpr std::array<std::string_view, 2> keys{"heaps", "stackFrames"};

/// Replaces each id that is not a number in the file with the number at its index in `numbers`.
template <class Column>
void replace_ids(Column& ids, const std::vector<std::uint32_t>& numbers) {
  if (numbers.empty()) return;
  for (auto& id : ids) {
    const auto number = static_cast<std::uint32_t>(id);
    if (number >= first_text_id && number - first_text_id < numbers.size())
      id = typename Column::value_type{numbers[number - first_text_id]};
  }
}

}  // namespace

LegacyReader::LegacyReader(const Limits& limits)
    : ahead_(limits, keys, read_ahead), memory_(limits.max_memory) {}

LegacyReader::Ahead LegacyReader::read_ahead(std::size_t key, core::JsonReader& json, core::FindingSink& sink,
                                             const Limits& limits) {
  Ahead ahead;
  ahead.most_memory = limits.max_memory;
  core::MemoryBudget memory(limits.max_memory);
  const core::JsonPlace place;
  const Context context(json, place, sink, ahead.texts, memory);
  if (key == 0) {
    ahead.dump = HeapsReader(context).read();
  } else {
    ahead.frames = read_frames(context);
  }
  return ahead;
}

/// Replaces the value's own ids and names with the ids and names of the model.
void LegacyReader::take_texts(Ahead& ahead) {
  const std::vector<core::PoolIndex> names = model_.strings.intern_all(ahead.texts.strings);
  const std::vector<std::uint32_t> numbers = model_.ids.intern_all(ahead.texts.ids);
  if (ahead.frames) {
    for (core::PoolIndex& name : ahead.frames->name) name = names[static_cast<std::size_t>(name)];
    replace_ids(ahead.frames->id, numbers);
    replace_ids(ahead.frames->parent, numbers);
  }
  if (ahead.dump) {
    for (Heap& heap : ahead.dump->heaps) {
      replace_ids(heap.entries.frame, numbers);
      replace_ids(heap.entries.type, numbers);
    }
  }
}

/// Takes the next value if it was read before its turn and if reading it now would certainly not reach the
/// memory limit.
bool LegacyReader::take_ahead(Payload payload, core::JsonReader& json, const core::JsonPlace& place) {
  constexpr std::uint64_t most_growth = 2;  // by what factor a pool may grow when strings are added
  if (place.string || payload == Payload::type_names) return false;
  const auto accept = [this](const Ahead& ahead) {
    const std::uint64_t texts = memory(model_) + memory(ahead.texts);
    return memory_.has_room(ahead.most_memory + most_growth * texts) && !model_.ids.is_full();
  };
  auto ahead = ahead_.take(json, payload == Payload::heaps ? 0 : 1, memory_.left(), accept);
  if (!ahead) return false;
  take_texts(*ahead);
  if (payload == Payload::heaps) {
    dump_ = std::move(ahead->dump);
    dump_->source.place = core::JsonPlace(place);
  } else {
    frames_ = std::move(ahead->frames);
    frames_->events.front().place = core::JsonPlace(place);
  }
  return true;
}

void LegacyReader::read(Payload payload, core::JsonReader& json, const core::JsonPlace& place,
                        core::FindingSink& sink) {
  const Context context(json, place, sink, model_, memory_);
  if (memory_.is_spent()) {
    json.skip_value();
  } else if (take_ahead(payload, json, place)) {
    return;
  } else if (payload == Payload::heaps) {
    dump_ = HeapsReader(context).read();
  } else if (payload == Payload::stack_frames) {
    frames_ = read_frames(context);
  } else {
    types_ = read_types(context);
  }
}

void LegacyReader::forget(Payload payload) {
  if (payload == Payload::heaps) dump_.reset();
  if (payload == Payload::stack_frames) frames_.reset();
  if (payload == Payload::type_names) types_.reset();
}

void LegacyReader::finish_event(const EventHead& head, bool is_kept, core::FindingSink& /*sink*/) {
  if (is_kept && (dump_ || frames_ || types_)) {
    // Memory is not counted until here, because the values of dropped events are freed again.
    Process& process = find_process(head);
    if (dump_) {
      dump_->head = head;
      memory_.take(memory(*dump_));
      process.dumps.push_back(std::move(*dump_));
    }
    if (frames_) {
      memory_.take(memory(*frames_));
      append(process.frames.id, std::move(frames_->id));
      append(process.frames.parent, std::move(frames_->parent));
      append(static_cast<Names&>(process.frames), std::move(*frames_));
    }
    if (types_) {
      memory_.take(memory(*types_));
      append(process.types.id, std::move(types_->id));
      append(static_cast<Names&>(process.types), std::move(*types_));
    }
  }
  dump_.reset();
  frames_.reset();
  types_.reset();
}

Process& LegacyReader::find_process(const EventHead& head) {
  const std::int64_t pid = head.pid.value_or(0);
  const auto [place, is_new] = places_.emplace(pid, model_.processes.size());
  if (is_new) {
    model_.processes.emplace_back().pid = pid;
    memory_.take(sizeof(Process));
  }
  return model_.processes[place->second];
}

}  // namespace heapcheck::chrome::legacy
