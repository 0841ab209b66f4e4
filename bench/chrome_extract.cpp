#include "bench/chrome_extract.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <charconv>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <vector>

#include "formats/core/source.hpp"
#include "formats/core/string_pool.hpp"
#include "formats/read_trace.hpp"

namespace heapcheck::bench {
namespace {

using chrome::legacy::FrameId;
using chrome::legacy::TypeId;
using core::PoolIndex;

[[noreturn]] void give_up(std::string_view why) {
  fmt::print(stderr, "cannot read the trace: {}\n", why);
  std::exit(1);
}

class Summary {
 public:
  template <class T>
  void add(std::uint64_t weight, const std::vector<T>& column) {
    std::uint64_t sum = 0;
    for (const T value : column) sum += static_cast<std::uint64_t>(value);
    extract.sum += weight * sum;
    extract.byte_count += column.size() * sizeof(T);
  }
  void add_texts(std::uint64_t weight, const core::StringPool& pool, const std::vector<PoolIndex>& column) {
    std::uint64_t sum = 0;
    for (const PoolIndex index : column) sum += pool[index].size();
    extract.sum += weight * sum;
    extract.name_count += column.size();
    extract.byte_count += column.size() * sizeof(PoolIndex);
  }

  Extract extract;
};

template <class Entries>
void add_entries(Summary& summary, const Entries& entries) {
  summary.add(1, entries.size);
  summary.add(3, entries.count);
  summary.add(5, entries.frame);
  summary.add(7, entries.type);
  summary.extract.row_count += entries.size.size();
}

template <class Maps>
void add_maps(Summary& summary, const core::StringPool& pool, const Maps& maps) {
  summary.add(11, maps.nodes.id);
  summary.add(13, maps.nodes.name_sid);
  summary.add(17, maps.nodes.parent);
  summary.add(19, maps.types.id);
  summary.add(23, maps.types.name_sid);
  summary.add(29, maps.strings.id);
  summary.add_texts(31, pool, maps.strings.text);
  summary.extract.name_count += maps.nodes.id.size() + maps.types.id.size();
}

/// The content of a trace that the extraction with simdjson keeps: the same columns as in heapcheck's models,
/// but without places.
struct Entries {
  std::vector<FrameId> frame;
  std::vector<TypeId> type;
  std::vector<std::uint64_t> size;
  std::vector<std::uint64_t> count;
};
struct Names {
  std::vector<std::uint32_t> id;
  std::vector<std::uint32_t> parent;
  std::vector<PoolIndex> name;
};
struct Rows {
  std::vector<std::uint64_t> id;
  std::vector<std::uint64_t> name_sid;
  std::vector<std::uint64_t> parent;
  std::vector<PoolIndex> text;
};
struct Maps {
  Rows nodes;
  Rows types;
  Rows strings;
  std::vector<std::vector<std::uint64_t>> columns;
};

using simdjson::ondemand::array;
using simdjson::ondemand::object;
using simdjson::ondemand::value;

class Extractor {
 public:
  void read_event(object event);
  Extract sum_up() const;

 private:
  static std::uint32_t read_id(std::string_view text, std::uint32_t empty);
  static std::uint64_t read_hex(std::string_view text);
  void read_frames(object frames);
  void read_types(object types);
  void read_heaps(object heaps);
  void read_heaps_v2(object heaps);
  void read_rows(array rows, Rows& out);

  core::StringPool pool_;
  std::vector<Names> frames_;
  std::vector<Names> types_;
  std::vector<Entries> entries_;
  std::vector<Maps> maps_;
};

std::uint32_t Extractor::read_id(std::string_view text, std::uint32_t empty) {
  std::uint32_t id = empty;
  std::from_chars(text.data(), text.data() + text.size(), id);
  return id;
}

std::uint64_t Extractor::read_hex(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return number;
}

void Extractor::read_event(object event) {
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

void Extractor::read_frames(object frames) {
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

void Extractor::read_types(object types) {
  Names& out = types_.emplace_back();
  for (auto type : types) {
    out.id.push_back(read_id(type.unescaped_key(), 0));
    out.name.push_back(pool_.intern(type.value().get_string()));
  }
}

void Extractor::read_heaps(object heaps) {
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

void Extractor::read_rows(array rows, Rows& out) {
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

void Extractor::read_heaps_v2(object heaps) {
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

Extract Extractor::sum_up() const {
  Summary summary;
  for (const Entries& entries : entries_) add_entries(summary, entries);
  for (const Maps& maps : maps_) {
    add_maps(summary, pool_, maps);
    for (const auto& column : maps.columns) {
      summary.add(37, column);
      summary.extract.row_count += column.size();
    }
  }
  for (const auto* names : {&frames_, &types_}) {
    for (const Names& one : *names) {
      summary.add(41, one.id);
      if (names == &frames_) summary.add(43, one.parent);
      summary.add_texts(47, pool_, one.name);
    }
  }
  summary.extract.byte_count += pool_.memory();
  return summary.extract;
}

}  // namespace

Extract extract_with_simdjson(const std::string& path) {
  try {
    simdjson::ondemand::parser parser;
    const simdjson::padded_string json = simdjson::padded_string::load(path);
    simdjson::ondemand::document document = parser.iterate(json);
    Extractor extractor;
    for (object event : document["traceEvents"].get_array()) extractor.read_event(event);
    return extractor.sum_up();
  } catch (const simdjson::simdjson_error& error) {
    give_up(error.what());
  }
}

Extract extract_with_heapcheck(const std::string& path) {
  Result<std::unique_ptr<core::ByteSource>> source =
      path == "-" ? core::open_standard_input() : core::open_file(path);
  if (!source) give_up(source.error().message);
  core::Window window(**source);
  core::SilentSink sink;
  const formats::Trace trace = formats::read_trace(window, Limits{}, sink);
  if (!trace.container.is_complete) give_up("it is damaged");
  Summary summary;
  for (const auto& process : trace.legacy.processes) {
    for (const auto& dump : process.dumps) {
      for (const auto& heap : dump.heaps) {
        add_entries(summary, heap.entries);
        summary.extract.byte_count += heap.entries.at.size() * 4 + heap.entries.length.size() * 2;
      }
    }
    const auto add_names = [&](const auto& names) {
      summary.add(41, names.id);
      summary.add_texts(47, trace.legacy.strings, names.name);
      summary.extract.byte_count += names.offset.size() * 8 + names.length.size() * 8;
    };
    add_names(process.frames);
    add_names(process.types);
    summary.add(43, process.frames.parent);
  }
  for (const auto& dump : trace.heaps_v2.dumps) {
    add_maps(summary, trace.heaps_v2.strings, dump);
    for (const auto& heap : dump.heaps) {
      for (const auto& column : heap.columns) {
        summary.add(37, column.values);
        summary.extract.row_count += column.values.size();
      }
    }
  }
  summary.extract.byte_count += trace.legacy.strings.memory() + trace.heaps_v2.strings.memory();
  return summary.extract;
}

}  // namespace heapcheck::bench
