#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "allocations/allocations.hpp"
#include "analyze/node_stacks.hpp"
#include "api/guard.hpp"
#include "api/state.hpp"
#include "formats/core/source.hpp"
#include "formats/format.hpp"
#include "formats/open.hpp"
#include "graph/make_graph.hpp"
#include "graph/trace_stacks.hpp"

namespace heapcheck {
namespace {

/// Makes the function for a snapshot without a graph. The function returns the error.
std::function<Result<Graph>()> make_refusal(std::string why, ErrorKind kind = ErrorKind::unreadable) {
  return [why = std::move(why), kind]() -> Result<Graph> { return std::unexpected(Error{kind, why}); };
}

/// The content of the dump, if it is a `Model`; otherwise, null.
template <class Model>
const Model* find_model(const Dump& dump) {
  const formats::Content* const content = find_content(dump.state());
  return content == nullptr ? nullptr : std::get_if<Model>(&content->model);
}

/// The state of the snapshot in a part, without its graph.
std::shared_ptr<Snapshot::State> describe(const mvmheap::Part& part) {
  return std::make_shared<Snapshot::State>(Snapshot::State{
      .index = part.index, .is_whole = part.has_whole_snapshot, .size = analyze::measure(part)});
}

/// What the dump says about its recording, if it says anything.
std::optional<Recording> find_recording(const mvmheap::FileMeta* file,
                                        const std::optional<mvmheap::SnapshotMeta>& snapshot) {
  if (file == nullptr || !snapshot) return std::nullopt;
  return Recording{.start = file->start_time, .time = snapshot->snap_time, .pid = file->pid};
}

/// Snapshots of a MoarVM dump, read part by part.
class PartSnapshots final : public Snapshots::State, public std::enable_shared_from_this<PartSnapshots> {
 public:
  explicit PartSnapshots(const Dump& dump) : dump_(dump), content_(dump.state().content) {
    auto* const kept = std::get_if<mvmheap::KeptDump>(&content_->model);
    auto opened =
        formats::RereadableDump(*dump.state().source, dump.state().options.limits, kept, dump.format())
            .open(sink_);
    if (opened) opened_ = std::move(*opened);
    is_kept_ = kept != nullptr;
  }

  std::optional<Snapshot> next() override {
    while (opened_.reader) {
      mvmheap::Part* const part = opened_.reader->read_part();
      if (part == nullptr) return std::nullopt;
      if (part->has_snapshot) return make_snapshot(*part);
    }
    return std::nullopt;
  }

 private:
  Snapshot make_snapshot(mvmheap::Part& part) {
    auto state = describe(part);
    state->recording = find_recording(opened_.reader->file_meta(), part.meta);
    auto shared = std::make_shared<mvmheap::Part>(is_kept_ ? mvmheap::Part(part) : std::move(part));
    state->make_graph = [self = shared_from_this(), shared] { return self->make_graph(*shared); };
    return Snapshot(std::move(state));
  }

  Result<Graph> make_graph(mvmheap::Part& part) {
    if (!part.has_whole_graph) return make_refusal("the snapshot could not be read completely")();
    const mvmheap::Tables* const tables =
        part.after != mvmheap::counts_unknown ? &opened_.reader->tables() : find_last_tables();
    if (tables == nullptr) return make_refusal("the tables of the dump could not be read")();
    const auto& limits = dump_.state().options.limits;
    if (!dump_.state().gives_content_up) return graph::make_graph(part.snapshot, *tables, limits);
    part.has_whole_graph = false;
    return graph::make_graph(std::move(part.snapshot), *tables, limits);
  }

  /// The tables that come after all snapshots. The dump is read once more to find them.
  const mvmheap::Tables* find_last_tables() {
    if (is_kept_) return &opened_.reader->tables();
    if (!last_.reader) {
      auto opened = formats::open_mvmheap(*dump_.state().source, dump_.state().options.limits, sink_);
      if (!opened) return nullptr;
      last_ = std::move(*opened);
      while (last_.reader->read_part() != nullptr) {
      }
    }
    return &last_.reader->tables();
  }

  Dump dump_;
  std::shared_ptr<formats::Content> content_;
  core::SilentSink sink_;
  formats::OpenedDump opened_;
  formats::OpenedDump last_;
  bool is_kept_ = false;
};

/// Snapshots of a format that is read as a whole.
class ReadSnapshots final : public Snapshots::State {
 public:
  explicit ReadSnapshots(std::vector<Snapshot> all) : all_(std::move(all)) {}
  std::optional<Snapshot> next() override {
    return next_ == all_.size() ? std::nullopt : std::optional(all_[next_++]);
  }

 private:
  std::vector<Snapshot> all_;
  std::size_t next_ = 0;
};

/// The graph of a V8 heap snapshot, whose content is given up if nothing else needs it.
Result<Graph> make_last_graph(Dump::State& state) {
  using v8::heapsnapshot::Snapshot;
  const formats::Content* const content = find_content(state);
  if (content == nullptr || !std::holds_alternative<Snapshot>(content->model)) return core::make_changed();
  if (!state.gives_content_up || state.content.use_count() != 1)
    return graph::make_graph(std::get<Snapshot>(content->model), state.options.limits);
  const auto last = std::exchange(state.content, std::make_shared<formats::Content>());
  return graph::make_graph(std::get<Snapshot>(std::move(last->model)), state.options.limits);
}

Snapshot describe(const v8::heapsnapshot::Snapshot& snapshot, const Dump& dump) {
  using v8::heapsnapshot::Section;
  auto state = std::make_shared<Snapshot::State>();
  state->is_whole = snapshot.is_sound(Section::nodes) && snapshot.is_sound(Section::edges);
  state->size = analyze::measure(snapshot);
  state->make_graph = [dump] { return make_last_graph(dump.state()); };
  state->make_profile = [dump]() -> Result<AllocationProfile> {
    const auto* model = find_model<v8::heapsnapshot::Snapshot>(dump);
    if (model == nullptr) return core::make_changed();
    const auto graph = graph::make_graph(*model, dump.state().options.limits);
    if (!graph) return std::unexpected(graph.error());
    if (!graph->node_stack.empty() || model->trace_tree.id.empty()) return analyze::make_live_profile(*graph);
    if (const auto column = graph::find_missing_stack_column(*model))
      return std::unexpected(
          Error{ErrorKind::unsupported,
                fmt::format("has calls, but no column `{}`, which allocation stacks need", *column)});
    return std::unexpected(Error{ErrorKind::unreadable, "the allocation stacks could not be read"});
  };
  return Snapshot(std::move(state));
}

Snapshot describe(const v8::heapprofile::Reading& reading, const Dump& dump) {
  auto state = std::make_shared<Snapshot::State>();
  state->is_whole = reading.container.is_complete && reading.container.head_is_sound;
  state->size = analyze::measure(reading);
  state->make_graph = [dump]() -> Result<Graph> {
    const auto* model = find_model<v8::heapprofile::Reading>(dump);
    if (model == nullptr) return core::make_changed();
    return graph::make_graph(model->profile, dump.state().options.limits);
  };
  state->make_profile = [dump]() -> Result<AllocationProfile> {
    const auto* model = find_model<v8::heapprofile::Reading>(dump);
    if (model == nullptr) return core::make_changed();
    return allocations::make_allocations(model->profile, dump.state().options.limits);
  };
  return Snapshot(std::move(state));
}

/// The states of dumps, by event.
using DumpStates = std::vector<std::pair<std::uint64_t, Snapshot::State>>;

/// Makes a function that takes the event of a dump in a trace and returns a function that makes the dump's
/// profile.
auto make_profiles(const Dump& dump, Format format) {
  return [dump, format, meaning = std::make_shared<allocations::TraceProfiles>()](std::uint64_t event) {
    return [dump, format, meaning, event]() -> Result<AllocationProfile> {
      const auto* trace = find_model<formats::Trace>(dump);
      if (trace == nullptr) return core::make_changed();
      return meaning->make(*trace, format, event, dump.state().options.limits);
    };
  };
}

template <class ChromeDump, class MakeProfile>
void add_dump(const formats::Trace& trace, const ChromeDump& dump, const MakeProfile& make_profile,
              DumpStates& dumps) {
  Snapshot::State state;
  state.index = dumps.size();
  state.is_whole = trace.container.is_complete;
  state.process = trace.find_process(dump.head);
  state.make_graph = make_refusal("a Chrome heap dump has no object graph", ErrorKind::unsupported);
  state.make_profile = make_profile(dump.head.index);
  state.size = analyze::measure(dump);
  dumps.emplace_back(dump.head.index, std::move(state));
}

/// The dumps of a trace, in the order of its events.
std::vector<Snapshot> describe(const formats::Trace& trace, const Dump& source) {
  DumpStates dumps;
  const auto make_legacy = make_profiles(source, Format::chrome_legacy);
  for (const auto& process : trace.legacy.processes) {
    for (const auto& dump : process.dumps) add_dump(trace, dump, make_legacy, dumps);
  }
  const auto make_heaps_v2 = make_profiles(source, Format::heaps_v2);
  for (const auto& dump : trace.heaps_v2.dumps) add_dump(trace, dump, make_heaps_v2, dumps);
  std::ranges::sort(dumps, {}, [](const auto& dump) { return std::pair(dump.first, dump.second.index); });
  std::vector<Snapshot> all;
  for (auto& [event, state] : dumps) {
    state.index = all.size();
    all.emplace_back(std::make_shared<Snapshot::State>(std::move(state)));
  }
  return all;
}

std::vector<Snapshot> describe_content(const Dump& dump) {
  const formats::Content* const content = find_content(dump.state());
  if (content == nullptr) return {};
  if (const auto* trace = std::get_if<formats::Trace>(&content->model)) return describe(*trace, dump);
  if (const auto* snapshot = std::get_if<v8::heapsnapshot::Snapshot>(&content->model))
    return {describe(*snapshot, dump)};
  if (const auto* reading = std::get_if<v8::heapprofile::Reading>(&content->model))
    return {describe(*reading, dump)};
  return {};
}

}  // namespace

Result<Snapshot> find_snapshot(const Dump::State& state, std::uint64_t index) {
  const Limits& limits = state.options.limits;
  auto found = api::guard([&] { return formats::read_snapshot(*state.source, limits, index); });
  if (!found) return std::unexpected(std::move(found.error()));
  auto snapshot = describe(found->part);
  snapshot->recording = find_recording(found->file_meta ? &*found->file_meta : nullptr, found->part.meta);
  const auto shared = std::make_shared<mvmheap::FoundSnapshot>(std::move(*found));
  snapshot->make_graph = [shared, limits]() -> Result<Graph> {
    if (!shared->part.has_whole_graph) return make_refusal("the snapshot could not be read completely")();
    return graph::make_graph(shared->part.snapshot, shared->tables, limits);
  };
  return Snapshot(std::move(snapshot));
}

std::string find_lack(const Dump& dump) {
  if (family_of(dump.format()) == Family::mvmheap)
    return dump.snapshots().begin() == std::default_sentinel ? "contains no snapshot" : std::string();
  if (family_of(dump.format()) != Family::trace) return {};
  const auto* const trace = find_model<formats::Trace>(dump);
  const bool is_known = trace != nullptr && trace->container.is_complete && !trace->has_dumps();
  return is_known ? trace->describe_lack() : std::string();
}

std::string explain_lack(const Dump& dump) {
  std::string lack = find_lack(dump);
  return lack.empty() ? "has no snapshot" : lack;
}

std::shared_ptr<Snapshots::State> make_snapshots(const Dump& dump) {
  if (family_of(dump.format()) == Family::mvmheap) return std::make_shared<PartSnapshots>(dump);
  return std::make_shared<ReadSnapshots>(describe_content(dump));
}

Snapshots::Iterator Snapshots::begin() {
  Iterator iterator;
  iterator.state_ = state_;
  ++iterator;
  return iterator;
}

Snapshots::Iterator& Snapshots::Iterator::operator++() {
  current_.reset();
  current_ = state_->next();
  return *this;
}

std::optional<Snapshot> Dump::last_snapshot(bool is_forced) const {
  std::optional<Snapshot> last;
  for (const Snapshot& snapshot : snapshots()) {
    if (is_forced && !snapshot.is_whole()) continue;
    if (!last || snapshot.byte_count() != 0 || last->byte_count() == 0) last = snapshot;
  }
  return last;
}

std::uint64_t Snapshot::index() const { return state_->index; }
bool Snapshot::is_whole() const { return state_->is_whole; }
const DumpProcess& Snapshot::process() const { return state_->process; }
const std::optional<Recording>& Snapshot::recording() const { return state_->recording; }
std::uint64_t Snapshot::node_count() const { return state_->size.nodes; }
std::uint64_t Snapshot::edge_count() const { return state_->size.edges; }
std::uint64_t Snapshot::byte_count() const { return state_->size.bytes; }
Result<AllocationProfile> Snapshot::profile() const {
  if (!state_->make_profile)
    return std::unexpected(Error{ErrorKind::unsupported, "this format has no allocations by call stack"});
  return api::guard([this] {
    auto profile = state_->make_profile();
    if (profile) profile->process = state_->process;
    return profile;
  });
}
Result<Graph> Snapshot::graph() const {
  return api::guard([this] { return state_->make_graph(); });
}

}  // namespace heapcheck
