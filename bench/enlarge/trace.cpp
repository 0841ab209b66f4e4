#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/enlarge/enlarge.hpp"
#include "bench/enlarge/fresh_names.hpp"
#include "convert/chrome/profile.hpp"
#include "convert/chrome/trace_writer.hpp"

namespace heapcheck::bench {
namespace {

using namespace conversion::chrome;

/// The largest number of stack frames of a process, as in a trace of a large program.
constexpr std::uint64_t most_frames = 20'000;
constexpr std::uint64_t bytes_per_frame = 1000;  // of a process, with its dumps
constexpr std::uint64_t dumps_per_process = 4;

/// Makes a process with more frames than the process that it resembles, and dumps with the same number of
/// rows per frame.
class ProcessMaker {
 public:
  ProcessMaker(const Profile& seed, const Process& old, Random& random)
      : seed_(&seed), old_(&old), random_(&random), names_(random) {
    for (std::uint32_t i = 0; i < seed.strings.count(); ++i) names_.add(seed.strings[core::PoolIndex{i}]);
  }

  Profile make(std::int64_t pid, std::uint64_t frame_count, std::uint64_t& time) {
    Profile profile;
    profile.strings = seed_->strings;
    Process process{pid, old_->name, {}, old_->types, {}};
    grow_frames(process.frames, frame_count, profile.strings);
    for (std::uint64_t i = 0; i < dumps_per_process; ++i) {
      const Dump& old = random_->pick(old_->dumps);
      Dump dump{old.head, {}};
      dump.head.index = i;
      dump.head.pid = pid;
      dump.head.timestamp = std::to_string(time += 9'000'000 + random_->below(2'000'000));
      dump.head.id = fmt::format("0x{:x}", time);
      for (const Heap& heap : old.heaps) dump.heaps.push_back(make_heap(heap));
      process.dumps.push_back(std::move(dump));
    }
    profile.processes.push_back(std::move(process));
    return profile;
  }

 private:
  /// Copies the seed's frames, and then adds frames below frames that resemble the caller of a randomly drawn
  /// frame.
  void grow_frames(FrameTree& frames, std::uint64_t count, core::StringPool& strings) {
    const auto old_count = static_cast<std::uint32_t>(old_->frames.count());
    frames = old_->frames;
    like_.assign(old_count, {});
    std::set<std::pair<FrameIndex, core::PoolIndex>> known;
    for (std::uint32_t i = 0; i < old_count; ++i) {
      like_[i].push_back(FrameIndex{i});
      known.emplace(frames.parent[i], frames.name[i]);
    }
    for (std::uint64_t i = old_count; i < count && old_count != 0; ++i) {
      const auto origin = static_cast<std::uint32_t>(random_->below(old_count));
      const FrameIndex caller = old_->frames.parent[origin];
      const FrameIndex parent =
          caller == no_frame ? caller : random_->pick(like_[static_cast<std::size_t>(caller)]);
      core::PoolIndex name = old_->frames.name[origin];
      if (!known.emplace(parent, name).second) {
        name = strings.intern(names_.make(strings[name]));
        known.emplace(parent, name);
      }
      like_[origin].push_back(FrameIndex{static_cast<std::uint32_t>(i)});
      frames.parent.push_back(parent);
      frames.name.push_back(name);
    }
  }

  Heap make_heap(const Heap& old) {
    Heap made{old.allocator, {}, {}, {}, {}};
    const std::uint64_t old_count = std::max<std::uint64_t>(1, old_->frames.count());
    const std::uint64_t count = old.row_count() * count_frames() / old_count;
    std::vector<HeapRow> rows;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t row = random_->below(old.row_count());
      const FrameIndex frame = old.frame[row];
      const std::uint64_t size = vary(old.size[row]);
      rows.push_back({frame == no_frame ? frame : random_->pick(like_[static_cast<std::size_t>(frame)]),
                      old.type[row], size, std::min(size, vary(old.count[row]))});
    }
    append_rows(std::move(rows), made);
    return made;
  }

  [[nodiscard]] std::uint64_t count_frames() const {
    std::uint64_t count = 0;
    for (const auto& frames : like_) count += frames.size();
    return std::max<std::uint64_t>(1, count);
  }
  /// A number from half of `value` to three halves of it.
  std::uint64_t vary(std::uint64_t value) { return value - value / 2 + random_->below(value + 1); }

  const Profile* seed_;
  const Process* old_;
  Random* random_;
  FreshNames names_;
  std::vector<std::vector<FrameIndex>> like_;  // by frame of the seed: the frames that resemble it
};

/// The events of a trace that are unrelated to heap dumps, as text.
std::vector<std::string> read_other_events(const char* path) {
  auto raw = core::open_file(path);
  if (!raw) return {};
  auto seed = formats::open(std::move(*raw), no_limits());
  if (!seed) return {};
  std::string text;
  for (core::ByteSpan bytes = seed->window->peek(1); !bytes.empty(); bytes = seed->window->peek(1)) {
    text += core::as_text(bytes);
    seed->window->consume(bytes.size());
  }
  std::vector<std::string> events;
  // Events begin after a line feed in the files that Chrome writes.
  for (std::size_t begin = text.find('{', 1); begin < text.size();) {
    const std::size_t end = std::min(text.find("},\n", begin), text.size());
    const std::string event = text.substr(begin, end + 1 - begin);
    begin = end + std::string_view("},\n").size();
    if (event.find("\"ph\":\"M\"") == std::string::npos && event.find("\"ph\":\"v\"") == std::string::npos &&
        event.starts_with("{") && event.ends_with("}") && event.find('\n') == std::string::npos)
      events.push_back(event);
  }
  return events;
}

/// Replaces the digits of times, which differ between events, but keeps the number of digits.
std::string vary_times(std::string event, Random& random) {
  for (const std::string_view member : {"\"ts\":", "\"dur\":", "\"tdur\":", "\"tts\":"}) {
    std::size_t at = event.find(member);
    if (at == std::string::npos) continue;
    for (at += member.size() + 1; at < event.size() && event[at] >= '0' && event[at] <= '9'; ++at)
      event[at] = static_cast<char>('0' + random.below(10));
  }
  return event;
}

class TraceMaker {
 public:
  TraceMaker(Profile seed, Format format, std::vector<std::string> events)
      : seed_(std::move(seed)), format_(format), events_(std::move(events)) {
    std::erase_if(seed_.processes, [](const Process& process) { return process.dumps.empty(); });
  }

  Result<void> write(std::uint64_t size, core::ByteSink& out) {
    constexpr std::int64_t first_pid = 18'000;
    const std::uint64_t frames = std::min(most_frames, size / bytes_per_frame / 2);
    std::uint64_t time = 808'321'997;
    if (auto wrote = put(out, "{\"traceEvents\":[\n"); !wrote) return wrote;
    for (std::int64_t i = 0; written_ < size; ++i) {
      const Process& old = seed_.processes[static_cast<std::size_t>(i) % seed_.processes.size()];
      const Profile profile = ProcessMaker(seed_, old, random_).make(first_pid + 7 * i, frames, time);
      auto writer = make_trace_writer(format_, profile, {}, no_limits());
      if (!writer) return std::unexpected(writer.error());
      core::MemorySink text;
      if (auto wrote = (*writer)->write_events(text); !wrote) return wrote;
      std::string piece(core::as_text(text.bytes()));
      for (const std::string& event : events_) piece += ",\n" + vary_times(event, random_);
      if (auto wrote = put(out, (i == 0 ? "" : ",\n") + piece); !wrote) return wrote;
    }
    return put(out, "\n]}\n");
  }

 private:
  Result<void> put(core::ByteSink& out, const std::string& text) {
    written_ += text.size();
    return out.write(core::as_bytes(text));
  }

  Profile seed_;
  Format format_;
  std::vector<std::string> events_;
  Random random_;
  std::uint64_t written_ = 0;
};

}  // namespace

Result<void> enlarge_trace(formats::OpenedInput& seed, const char* path, std::uint64_t size,
                           core::ByteSink& out) {
  core::SilentSink sink;
  const formats::Trace trace = formats::read_trace(*seed.window, no_limits(), sink);
  if (trace.format() == Format::chrome_trace)
    return std::unexpected(Error{ErrorKind::unsupported, "has no heap dumps, or dumps of two formats"});
  return TraceMaker(make_profile(trace).profile, trace.format(), read_other_events(path)).write(size, out);
}

}  // namespace heapcheck::bench
