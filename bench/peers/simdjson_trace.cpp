#include "bench/peers/simdjson_trace.hpp"

#include <charconv>

namespace heapcheck::bench {

using simdjson::ondemand::array;
using simdjson::ondemand::object;

std::uint32_t TraceExtractor::read_id(std::string_view text, std::uint32_t empty) {
  std::uint32_t id = empty;
  std::from_chars(text.data(), text.data() + text.size(), id);
  return id;
}

std::uint64_t TraceExtractor::read_hex(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return number;
}

void TraceExtractor::read_event(object event) {
  const std::string_view phase = event["ph"];
  if (phase == "v") {
    object dumps;
    if (event["args"]["dumps"].get(dumps) != simdjson::SUCCESS) return;
    for (auto field : dumps) {
      const auto key = field.key().value();
      if (key == "heaps") read_heaps(field.value());
      if (key == "heaps_v2") read_heaps_v2(field.value());
    }
  } else if (phase == "M") {
    const std::string_view name = event["name"];
    if (name == "stackFrames") read_frames(event["args"]["stackFrames"]);
    if (name == "typeNames") read_types(event["args"]["typeNames"]);
  }
}

void TraceExtractor::read_frames(object frames) {
  Names& out = frames_.emplace_back();
  for (auto frame : frames) {
    out.id.push_back(read_id(frame.unescaped_key(), 0));
    std::uint32_t parent = UINT32_MAX;
    for (auto field : frame.value().get_object()) {
      const auto key = field.key().value();
      if (key == "name") out.name.push_back(pool_.intern(field.value().get_string()));
      if (key == "parent") parent = read_id(field.value().get_string(), UINT32_MAX);
    }
    out.parent.push_back(parent);
  }
}

void TraceExtractor::read_types(object types) {
  Names& out = types_.emplace_back();
  for (auto type : types) {
    out.id.push_back(read_id(type.unescaped_key(), 0));
    out.name.push_back(pool_.intern(type.value().get_string()));
  }
}

void TraceExtractor::read_heaps(object heaps) {
  for (auto heap : heaps) {
    Entries& out = entries_.emplace_back();
    for (object entry : heap.value()["entries"].get_array()) {
      auto type = static_cast<std::uint32_t>(chrome::legacy::all_types);
      for (auto field : entry) {
        const auto key = field.key().value();
        const std::string_view text = field.value().get_string();
        if (key == "size") out.size.push_back(read_hex(text));
        if (key == "count") out.count.push_back(read_hex(text));
        if (key == "bt") out.frame.push_back(FrameId{read_id(text, UINT32_MAX)});
        if (key == "type") type = read_id(text, UINT32_MAX);
      }
      out.type.push_back(TypeId{type});
    }
  }
}

void TraceExtractor::read_rows(array rows, Rows& out) {
  for (object row : rows) {
    std::uint64_t parent = UINT64_MAX;
    for (auto field : row) {
      const auto key = field.key().value();
      if (key == "id") out.id.push_back(field.value().get_uint64());
      if (key == "name_sid") out.name_sid.push_back(field.value().get_uint64());
      if (key == "parent") parent = field.value().get_uint64();
      if (key == "string") out.text.push_back(pool_.intern(field.value().get_string()));
    }
    out.parent.push_back(parent);
  }
}

void TraceExtractor::read_heaps_v2(object heaps) {
  Maps& out = maps_.emplace_back();
  for (auto part : heaps) {
    const auto key = part.key().value();
    if (key == "allocators") {
      for (auto allocator : part.value().get_object()) {
        for (auto column : allocator.value().get_object()) {
          auto& values = out.columns.emplace_back();
          for (const std::uint64_t value : column.value().get_array()) values.push_back(value);
        }
      }
    } else if (key == "maps") {
      for (auto map : part.value().get_object()) {
        const auto name = map.key().value();
        read_rows(map.value(), name == "nodes" ? out.nodes : name == "types" ? out.types : out.strings);
      }
    }
  }
}

}  // namespace heapcheck::bench
