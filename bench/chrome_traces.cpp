#include "bench/chrome_traces.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string>

namespace heapcheck::bench {
namespace {

constexpr std::array<std::string_view, 8> spaces{"blink", "base", "cc",  "content",
                                                 "mojo",  "net",  "WTF", "v8::internal"};
constexpr std::array<std::string_view, 8> classes{
    "LayoutBlockFlow", "TaskQueueManager",    "Document",       "MessagePumpLibevent", "Heap",
    "HashTable",       "RenderFrameHostImpl", "ResourceFetcher"};
constexpr std::array<std::string_view, 8> functions{"RunTask", "layout", "Allocate",     "OnMessageReceived",
                                                    "finish",  "expand", "StartRequest", "DoWork"};
constexpr std::array<std::string_view, 3> allocators{"blink_gc", "malloc", "partition_alloc"};

class TraceWriter {
 public:
  TraceWriter(std::uint64_t byte_count, std::FILE* file) : byte_count_(byte_count), file_(file) {}

  void write(TraceKind kind);

 private:
  std::uint64_t random() {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return state_ >> 33;
  }
  std::uint64_t random_below(std::uint64_t bound) { return random() % bound; }
  /// Small numbers are much more frequent than large ones, as in real sizes and counts.
  std::uint64_t random_size() { return 16 + (random() >> (8 + random_below(20))); }

  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }
  void put_comma(std::uint64_t index) {
    if (index != 0) text_ += ',';
  }
  /// Ends an event.
  void flush();
  void put_name(std::uint64_t number);
  void put_legacy_names(std::uint64_t pid, std::uint64_t frame_count, std::uint64_t type_count);
  void put_legacy_dump(std::uint64_t pid, std::uint64_t frame_count, std::uint64_t type_count);
  void put_maps(std::uint64_t node_count, std::uint64_t type_count, std::uint64_t string_count);
  void put_columns(std::uint64_t row_count, std::uint64_t node_count, std::uint64_t type_count);
  void put_heaps_v2_dump(std::uint64_t pid);
  void put_other_event();
  void put_other_events(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) put_other_event();
  }

  std::uint64_t byte_count_;
  std::FILE* file_;
  std::uint64_t state_ = 1;
  std::uint64_t written_ = 0;
  std::uint64_t time_ = 808321997;
  std::string text_;
};

void TraceWriter::flush() {
  text_ += "},\n";
  if (text_.size() < std::size_t{1} << 18) return;
  written_ += std::fwrite(text_.data(), 1, text_.size(), file_);
  text_.clear();
}

void TraceWriter::put_name(std::uint64_t number) {
  if (number % 5 == 4) return put("pc:7f4a74{:06x}", number * 77);
  put("{}::{}::{}", spaces[number % 8], classes[number / 8 % 8], functions[number / 64 % 8]);
  if (number >= 512) put("<{}>", number / 512);
}

void TraceWriter::put_legacy_names(std::uint64_t pid, std::uint64_t frame_count, std::uint64_t type_count) {
  put(R"({{"pid":{},"tid":{},"ts":{},"ph":"M","cat":"__metadata","name":"stackFrames",)", pid, pid, ++time_);
  put(R"("args":{{"stackFrames":{{"0":{{"name":"[Thread: CrRendererMain]"}})");
  for (std::uint64_t i = 1; i < frame_count; ++i) {
    put(R"(,"{}":{{"name":")", i);
    put_name(random_below(3000));
    put(R"(","parent":"{}"}})", i < 20 ? i - 1 : i - 1 - random_below(20));
  }
  put("}}}}");
  flush();
  put(R"({{"pid":{},"tid":{},"ts":{},"ph":"M","cat":"__metadata","name":"typeNames",)", pid, pid, ++time_);
  put(R"("args":{{"typeNames":{{"0":"[unknown]")");
  for (std::uint64_t i = 1; i < type_count; ++i) {
    put(R"(,"{}":"const char *WTF::GetStringWithTypeName() [T = )", i);
    put_name(i * 7);
    put("]\"");
  }
  put("}}}}");
  flush();
}

void TraceWriter::put_legacy_dump(std::uint64_t pid, std::uint64_t frame_count, std::uint64_t type_count) {
  put(R"({{"pid":{},"tid":0,"ts":{},"ph":"v","cat":"disabled-by-default-memory-infra",)", pid, time_ += 9000);
  put(R"("name":"periodic_interval","args":{{"dumps":{{"heaps":{{)");
  for (std::size_t i = 0; i < allocators.size(); ++i) {
    put_comma(i);
    put(R"("{}":{{"entries":[{{"size":"{:x}","count":"{:x}","bt":""}})", allocators[i], random() << 8,
        random());
    for (std::uint64_t frame = random_below(4); frame < frame_count; frame += 1 + random_below(6)) {
      put(R"(,{{"size":"{:x}","count":"{:x}","bt":"{}")", random_size(), 1 + random_size() / 64, frame);
      if (random_below(3) == 0) put(R"(,"type":"{}")", random_below(type_count));
      text_ += '}';
    }
    put("]}}");
  }
  put(R"(}},"level_of_detail":"detailed"}}}},"tts":{},"id":"0x{:x}")", time_ / 8, time_ % 4096);
  flush();
}

void TraceWriter::put_maps(std::uint64_t node_count, std::uint64_t type_count, std::uint64_t string_count) {
  put(R"("maps":{{"nodes":[)");
  for (std::uint64_t i = 0; i < node_count; ++i) {
    put_comma(i);
    put(R"({{"id":{},"name_sid":{})", 2 * i + 6, random_below(string_count) * 3 + 5);
    if (i != 0) put(R"(,"parent":{})", 2 * random_below(i) + 6);
    text_ += '}';
  }
  put(R"(],"strings":[)");
  for (std::uint64_t i = 0; i < string_count; ++i) {
    put_comma(i);
    put(R"({{"id":{},"string":")", i * 3 + 5);
    put_name(i);
    put("\"}}");
  }
  put(R"(],"types":[)");
  for (std::uint64_t i = 0; i < type_count; ++i) {
    put_comma(i);
    put(R"({{"id":{},"name_sid":{}}})", i, i * 3 + 5);
  }
  put("]}},\"version\":1");
}

void TraceWriter::put_columns(std::uint64_t row_count, std::uint64_t node_count, std::uint64_t type_count) {
  const auto put_column = [&](std::string_view name, auto make) {
    put(R"("{}":[)", name);
    for (std::uint64_t i = 0; i < row_count; ++i) {
      put_comma(i);
      put("{}", make());
    }
    text_ += ']';
  };
  text_ += '{';
  put_column("counts", [&] { return 1 + random_size() / 64; });
  text_ += ',';
  put_column("nodes", [&] { return 2 * random_below(node_count) + 6; });
  text_ += ',';
  put_column("sizes", [&] { return random_size() * 8; });
  text_ += ',';
  put_column("types", [&] { return random_below(type_count); });
  text_ += '}';
}

void TraceWriter::put_heaps_v2_dump(std::uint64_t pid) {
  constexpr std::uint64_t nodes = 20'000;
  constexpr std::uint64_t types = 300;
  put(R"({{"args":{{"dumps":{{"heaps_v2":{{"allocators":{{"malloc":)");
  put_columns(2 * nodes, nodes, types);
  put(R"(,"partition_alloc":)");
  put_columns(nodes, nodes, types);
  put("}},");
  put_maps(nodes, types, 4000);
  put(R"(}},"level_of_detail":"detailed"}}}},"cat":"disabled-by-default-memory-infra","id":"0x{:x}",)",
      time_ % 4096);
  put(R"("name":"periodic_interval","ph":"v","pid":{},"tid":18993,"ts":{})", pid, time_ += 9000);
  flush();
}

void TraceWriter::put_other_event() {
  const std::uint64_t kind = random_below(4);
  put(R"({{"pid":18199,"tid":{},"ts":{},"ph":"{}","cat":"{}",)", 18199 + random_below(8),
      time_ += random_below(300), "XXBE"[kind], kind == 0 ? "toplevel" : "blink,devtools.timeline");
  put(R"("name":"{}::{}","args":{{)", classes[random_below(8)], functions[random_below(8)]);
  if (kind < 2) {
    put(R"("src_file":"../../base/trace_event/trace_log.cc","src_func":"{}")", functions[random_below(8)]);
  }
  put(R"(}},"tts":{})", time_ / 20);
  if (kind < 2) put(R"(,"dur":{},"tdur":{})", random_below(5000), random_below(5000));
  if (kind == 2) put(R"(,"id":"0x{:x}","scope":"PlatformThread")", random());
  flush();
}

void TraceWriter::write(TraceKind kind) {
  text_ = "{\"traceEvents\":[";
  for (std::uint64_t pid = 18199; written_ + text_.size() < byte_count_; ++pid) {
    if (kind == TraceKind::mixed) {
      put_legacy_names(pid, 1000, 100);
      put_legacy_dump(pid, 1000, 100);
      put_other_events(30'000);
      continue;
    }
    if (kind == TraceKind::legacy) {
      put_legacy_names(pid, 20'000, 400);
      for (int i = 0; i < 4; ++i) put_legacy_dump(pid, 20'000, 400);
    } else {
      put_heaps_v2_dump(pid);
    }
    put_other_events(500);
  }
  text_.resize(text_.size() - 2);
  text_ += "]}";
  std::fwrite(text_.data(), 1, text_.size(), file_);
}

}  // namespace

void write_trace(TraceKind kind, std::uint64_t byte_count, std::FILE* file) {
  TraceWriter(byte_count, file).write(kind);
}

}  // namespace heapcheck::bench
