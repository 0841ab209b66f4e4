#include "formats/chrome/legacy/reader.hpp"

#include <utility>

#include "formats/chrome/legacy/heaps_reader.hpp"
#include "formats/chrome/legacy/names_reader.hpp"

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

/// Appends the names of one more event.
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

}  // namespace

void LegacyReader::read(Payload payload, core::JsonReader& json, const core::JsonPlace& place,
                        core::FindingSink& sink) {
  const Context context(json, place, sink, model_, memory_);
  if (memory_.is_spent()) {
    json.skip_value();
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
