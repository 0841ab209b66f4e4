#include "convert/chrome/trace_writer.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "formats/chrome/walker.hpp"
#include "formats/core/output/json_writer.hpp"
#include "formats/core/source.hpp"
#include "formats/open.hpp"

namespace heapcheck::conversion::chrome {
namespace {

/// Bytes of the trace and the text that replaces them, which is either a fixed text or the text that the
/// Replacement makes for an event.
struct Splice {
  enum class Kind : std::uint8_t { text, member, event } kind = Kind::text;
  Span span;
  std::string text = {};
  std::uint64_t event = 0;
  bool takes_comma = false;  ///< whether a comma after the span is left out as well
};

/// Skips payloads; the walker records their spans.
class Passer final : public heapcheck::chrome::PayloadReader {
 public:
  [[nodiscard]] bool reads(heapcheck::chrome::Payload payload) const override {
    return payload == heapcheck::chrome::Payload::heaps || payload == heapcheck::chrome::Payload::heaps_v2 ||
           payload == heapcheck::chrome::Payload::heap_profile ||
           payload == heapcheck::chrome::Payload::stack_frames ||
           payload == heapcheck::chrome::Payload::type_names;
  }
  void read(heapcheck::chrome::Payload, core::JsonReader& json, const core::JsonPlace&,
            core::FindingSink&) override {
    json.skip_value();
  }
  void forget(heapcheck::chrome::Payload) override {}
  void finish_event(const heapcheck::chrome::EventHead&, bool, core::FindingSink&) override {}
};

/// Collects the splices of a trace, in the order of the trace.
class EventPlan {
 public:
  explicit EventPlan(const Replacement& replacement) : replacement_(&replacement) {}

  /// Adds the splices of the event that the walker has just walked.
  void add(const heapcheck::chrome::Walker& walker) {
    const auto& members = walker.event().members();
    const auto carries = [&members](heapcheck::chrome::Payload payload) {
      return std::ranges::find(members, payload, &heapcheck::chrome::EventWalker::Member::payload) !=
             members.end();
    };
    if (carries(heapcheck::chrome::Payload::stack_frames) || carries(heapcheck::chrome::Payload::type_names))
      return remove(walker);
    const heapcheck::chrome::EventHead& head = walker.event().head();
    if (carries(heapcheck::chrome::Payload::heap_profile)) {
      splices_.push_back({Splice::Kind::event, head.span, {}, head.index});
    } else {
      for (const heapcheck::chrome::EventWalker::Member& member : members) replace(walker, member);
    }
  }

  /// Adds the splices after the last event.
  std::vector<Splice> finish(const heapcheck::chrome::Walker& walker) {
    const heapcheck::chrome::TraceContainer& container = walker.container();
    const bool has_events = container.event_count > removed_;
    std::string text;
    for (const std::string& event : replacement_->appended) {
      text += has_events || !text.empty() ? ",\n" : "\n";
      text += event;
    }
    Span after{walker.gap_begin(), 0};
    if (!has_events && !splices_.empty()) splices_.back().takes_comma = false;
    if (container.is_unclosed) {
      after.length = container.events.end() - after.offset;
      text += "\n]\n";
    }
    if (!text.empty()) splices_.push_back({Splice::Kind::text, after, std::move(text)});
    return std::move(splices_);
  }

 private:
  void replace(const heapcheck::chrome::Walker& walker,
               const heapcheck::chrome::EventWalker::Member& member) {
    const std::uint64_t event = walker.event().head().index;
    if (!member.in_string) return splices_.push_back({Splice::Kind::member, member.span, {}, event});
    std::string dumps = walker.event().dumps_text();
    dumps.replace(member.span.offset, member.span.length, replacement_->make_member(event));
    std::string text;
    core::JsonWriter(text).string(dumps);
    splices_.push_back({Splice::Kind::text, *walker.event().dumps_string(), std::move(text)});
  }

  /// Leaves out the event together with the comma before it or, if no event remains before it, the comma
  /// after it.
  void remove(const heapcheck::chrome::Walker& walker) {
    const heapcheck::chrome::EventHead& head = walker.event().head();
    const bool is_first = head.index == removed_;
    const std::uint64_t begin = is_first ? head.span.offset : walker.gap_begin();
    splices_.push_back({Splice::Kind::text, {begin, head.span.end() - begin}, {}, head.index, is_first});
    ++removed_;
  }

  const Replacement* replacement_;
  std::vector<Splice> splices_;
  std::uint64_t removed_ = 0;  // the number of events that are left out
};

using Done = Result<void>;

/// Copies bytes up to `offset`, or to the end of the input.
Done copy_to(core::Window& window, std::uint64_t offset, core::ByteSink& out) {
  while (window.offset() < offset) {
    const core::ByteSpan bytes = window.peek(1);
    if (bytes.empty()) break;
    const core::ByteSpan part = bytes.first(std::min<std::uint64_t>(bytes.size(), offset - window.offset()));
    if (auto wrote = out.write(part); !wrote) return wrote;
    window.consume(part.size());
  }
  if (window.error()) return std::unexpected(*window.error());
  return {};
}

Done apply(const Splice& splice, core::Window& window, const Replacement& replacement, core::ByteSink& out) {
  if (auto copied = copy_to(window, splice.span.offset, out); !copied) return copied;
  if (window.skip(splice.span.length) != splice.span.length) return core::make_changed();
  if (splice.takes_comma) {
    core::json::skip_space(window);
    if (core::as_text(window.look(1)) == ",") window.consume(1);
    core::json::skip_space(window);
  }
  switch (splice.kind) {
    case Splice::Kind::text:
      return out.write(core::as_bytes(splice.text));
    case Splice::Kind::member:
      return out.write(core::as_bytes(replacement.make_member(splice.event)));
    case Splice::Kind::event:
      return out.write(core::as_bytes(replacement.make_event(splice.event)));
  }
  return {};
}

Result<std::vector<Splice>> make_plan(core::ByteSource& source, const Limits& limits,
                                      const Replacement& replacement) {
  core::Window window(source);
  core::SilentSink sink;
  Passer passer;
  const std::array<heapcheck::chrome::PayloadReader*, 1> readers{&passer};
  heapcheck::chrome::Walker walker(window, limits, readers, sink);
  EventPlan plan(replacement);
  while (walker.read_event()) plan.add(walker);
  if (window.error()) return std::unexpected(*window.error());
  if (!walker.container().is_complete) return core::make_changed();
  return plan.finish(walker);
}

}  // namespace

Result<void> keep_trace(core::SeekableSource& source, const Limits& limits, const Replacement& replacement,
                        core::ByteSink& out) {
  auto first = formats::unwrap(std::make_unique<core::RangeSource>(source, 0), limits);
  if (!first) return std::unexpected(first.error());
  const auto splices = make_plan(*first->source, limits, replacement);
  if (!splices) return std::unexpected(splices.error());
  auto second = formats::unwrap(std::make_unique<core::RangeSource>(source, 0), limits);
  if (!second) return std::unexpected(second.error());
  core::Window window(*second->source);
  for (const Splice& splice : *splices) {
    if (auto applied = apply(splice, window, replacement, out); !applied) return applied;
  }
  return copy_to(window, UINT64_MAX, out);
}

}  // namespace heapcheck::conversion::chrome
