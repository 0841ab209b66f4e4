#include "formats/chrome/legacy/writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/json/grammar.hpp"
#include "formats/core/output/json_writer.hpp"

namespace heapcheck::chrome::legacy {
namespace {

constexpr std::string_view between = ",\n";

void append_string(std::string_view text, std::string& out) { core::JsonWriter(out).string(text); }

template <class T>
void append_number(T value, int base, std::string& out) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
  out.append(digits.data(), end);
}

/// Appends an id in quotes; an id that is a number needs no escapes.
template <class Id>
void append_id(Id id, const IdPool& ids, std::string& out) {
  const auto number = static_cast<std::uint32_t>(id);
  if (number >= first_text_id) return append_string(ids.text(id), out);
  out += '"';
  append_number(number, 10, out);
  out += '"';
}

void append_hex_member(std::string_view key, std::uint64_t value, std::string& out) {
  if (value == no_value) return;
  if (out.back() != '{') out += ',';
  out += key;
  append_number(value, 16, out);
  out += '"';
}

void append_entry(const Entries& entries, std::uint64_t row, const IdPool& ids, std::string& out) {
  out += '{';
  append_hex_member("\"size\":\"", entries.size[row], out);
  append_hex_member("\"count\":\"", entries.count[row], out);
  if (entries.frame[row] != no_stack) {
    if (out.back() != '{') out += ',';
    out += "\"bt\":";
    append_id(entries.frame[row], ids, out);
  }
  if (entries.type[row] != all_types) {
    if (out.back() != '{') out += ',';
    out += "\"type\":";
    append_id(entries.type[row], ids, out);
  }
  out += '}';
}

void append_entries(const Entries& entries, const IdPool& ids, std::string& out) {
  bool is_first = true;
  for (std::uint64_t row = 0; row < entries.row_count(); ++row) {
    if (entries.frame[row] == unreadable_stack || entries.type[row] == unreadable_type) continue;
    if (!is_first) out += ',';
    is_first = false;
    append_entry(entries, row, ids, out);
  }
}

/// Appends the members at the beginning of each event, except absent members.
void begin_event(std::int64_t pid, std::optional<std::int64_t> tid, std::string_view timestamp,
                 std::string_view phase, std::string& out) {
  out += "{\"pid\":";
  append_number(pid, 10, out);
  if (tid) {
    out += ",\"tid\":";
    append_number(*tid, 10, out);
  }
  const auto number = core::json::number(core::as_bytes(timestamp));
  if (number && number->byte_count == timestamp.size()) {
    out += ",\"ts\":";
    out += timestamp;  // written with its original digits
  }
  out += ",\"ph\":\"";
  out += phase;
  out += '"';
}

void begin_metadata(const Process& process, std::string_view name, std::string_view member,
                    std::string& out) {
  if (!out.empty()) out += between;
  begin_event(process.pid, 0, "0", "M", out);
  out += ",\"cat\":\"__metadata\",\"name\":\"";
  out += name;
  out += "\",\"args\":{\"";
  out += member;
  out += "\":";
}

void append_row(const Model& model, const Frames& frames, std::uint64_t row, std::string& out) {
  append_id(frames.id[row], model.ids, out);
  out += ":{\"name\":";
  append_string(model.strings[frames.name[row]], out);
  if (frames.parent[row] != empty_stack) {
    out += ",\"parent\":";
    append_id(frames.parent[row], model.ids, out);
  }
  out += '}';
}

void append_row(const Model& model, const Types& types, std::uint64_t row, std::string& out) {
  append_id(types.id[row], model.ids, out);
  out += ':';
  append_string(model.strings[types.name[row]], out);
}

/// Appends one event for each original event with names.
template <class Table>
void append_names(const Model& model, const Process& process, const Table& names, std::string_view member,
                  std::string& out) {
  std::uint64_t row = 0;
  for (std::size_t event = 0; event < names.events.size(); ++event) {
    begin_metadata(process, member, member, out);
    out += '{';
    for (bool is_first = true; row < names.count() && names.event[row] == event; ++row) {
      if (!is_first) out += ',';
      is_first = false;
      append_row(model, names, row, out);
    }
    out += "}}}";
  }
}

void append_member(std::string_view key, std::string_view value, std::string& out) {
  if (value.empty()) return;
  out += key;
  append_string(value, out);
}

}  // namespace

void write_heaps(const Dump& dump, const IdPool& ids, std::string& out) {
  out += '{';
  for (std::size_t i = 0; i < dump.heaps.size(); ++i) {
    if (i != 0) out += ',';
    append_string(dump.heaps[i].allocator, out);
    out += ":{\"entries\":[";
    append_entries(dump.heaps[i].entries, ids, out);
    out += "]}";
  }
  out += '}';
}

void write_dump_event(const Process& process, const Dump& dump, const IdPool& ids, std::string& out) {
  begin_event(process.pid, dump.head.tid, dump.head.timestamp, "v", out);
  append_member(",\"cat\":", dump.head.category, out);
  append_member(",\"name\":", dump.head.name, out);
  out += ",\"args\":{\"dumps\":{\"heaps\":";
  write_heaps(dump, ids, out);
  append_member(",\"level_of_detail\":", dump.head.level_of_detail, out);
  out += "}}";
  append_member(",\"id\":", dump.head.id, out);
  out += '}';
}

void write_names(const Model& model, const Process& process, std::string& out) {
  append_names(model, process, process.frames, "stackFrames", out);
  append_names(model, process, process.types, "typeNames", out);
}

void write_metadata_events(const Model& model, const Process& process, std::string& out) {
  if (!process.name.empty()) {
    begin_metadata(process, "process_name", "name", out);
    append_string(process.name, out);
    out += "}}";
  }
  write_names(model, process, out);
}

Result<void> write_events(const Model& model, core::ByteSink& sink) {
  std::vector<std::pair<const Process*, const Dump*>> dumps;
  std::string text;
  for (const Process& process : model.processes) {
    write_metadata_events(model, process, text);
    for (const Dump& dump : process.dumps) dumps.emplace_back(&process, &dump);
  }
  // Only generated dumps share an event index. They are sorted in the order of their processes.
  std::vector<std::size_t> order(dumps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&dumps](std::size_t i) { return std::pair(dumps[i].second->head.index, i); });
  bool is_first = text.empty();
  for (const std::size_t i : order) {
    const auto& [process, dump] = dumps[i];
    if (!is_first) text += between;
    is_first = false;
    write_dump_event(*process, *dump, model.ids, text);
    if (auto written = sink.write(core::as_bytes(text)); !written) return written;
    text.clear();
  }
  return sink.write(core::as_bytes(text));
}

}  // namespace heapcheck::chrome::legacy
