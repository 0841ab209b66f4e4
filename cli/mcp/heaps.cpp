#include "cli/mcp/heaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli::mcp {
namespace {

std::unexpected<Error> refuse(std::string why) {
  return std::unexpected(Error{ErrorKind::unsupported, std::move(why)});
}

Result<void> refuse_changed(const OpenDump& dump) {
  return std::unexpected(
      Error{ErrorKind::unreadable,
            fmt::format("{}: has changed since it was opened; open it again", core::show_path(dump.path))});
}

}  // namespace

bool has_graph(const OpenDump& dump) {
  const Family family = family_of(dump.format);
  return family == Family::mvmheap || family == Family::v8_heapsnapshot;
}

Error explain_error(const OpenDump& dump, const Error& error) {
  const bool is_about_damage = error.kind == ErrorKind::damaged || error.kind == ErrorKind::unreadable;
  const std::string message = dump.obstacle && is_about_damage
                                  ? dump.obstacle->message + "; the intact parts are not enough for an answer"
                                  : error.message;
  return {error.kind, fmt::format("{}: {}", core::show_path(dump.path), message)};
}

void Heaps::begin(const Work* work) {
  work_ = work;
  began_ = clock_;
  read_bytes_ = 0;
}

Result<void> Heaps::check_wanted() const {
  if (work_ == nullptr || !work_->stop.stop_requested()) return {};
  return std::unexpected(Error{ErrorKind::unreadable, "the request was cancelled"});
}

/// Removes the content of a dump from memory.
void Heaps::drop(OpenDump& dump) {
  if (on_drop_) on_drop_(dump);
  dump.heap.reset();
  dump.dump.reset();
#ifdef __GLIBC__
  ::malloc_trim(0);  // otherwise, freed memory still counts
#endif
}

void Heaps::drop_heap(OpenDump& dump) {
  if (dump.heap && on_drop_) on_drop_(dump);  // otherwise, answers keep the graph
  dump.heap.reset();
}

void Heaps::touch(OpenDump& dump) { dump.used = ++clock_; }

Result<OpenDump*> Heaps::find(std::string_view id) {
  const auto found =
      std::ranges::find(dumps_, id, [](const auto& dump) -> std::string_view { return dump->id; });
  if (found == dumps_.end())
    return refuse(
        fmt::format("found the dump \"{}\", expected the id of an open dump, such as d1; `list` lists them",
                    core::make_excerpt(id)));
  touch(**found);
  return found->get();
}

void Heaps::close(const OpenDump& dump) {
  if (on_drop_) on_drop_(dump);
  std::erase_if(dumps_, [&](const auto& other) { return other.get() == &dump; });
}

Result<Dump> Heaps::open_file(OpenFile file) {
  // Reading through a function of ours is what makes it possible to stop: an error ends it at any point.
  auto read_at = [this, inner = std::move(file.source.read_at)](
                     std::uint64_t offset, std::span<std::uint8_t> buffer) -> Result<std::size_t> {
    if (auto wanted = check_wanted(); !wanted) return std::unexpected(wanted.error());
    auto count = inner(offset, buffer);
    if (count) read_bytes_ += *count;
    if (count && work_ != nullptr && work_->on_progress) work_->on_progress(read_bytes_);
    return count;
  };
  return open_source({.byte_count = file.source.byte_count, .read_at = std::move(read_at)},
                     {.limits = limits_});
}

/// Opens the file, checks it, and fills in what is known about the dump.
Result<void> Heaps::read(OpenDump& dump, OpenFile file) {
  auto opened = open_file(std::move(file));
  if (!opened) return std::unexpected(opened.error());
  Report report = validate(*opened);
  if (auto wanted = check_wanted(); !wanted) return wanted;
  auto obstacle = find_obstacle(report);
  if (obstacle && obstacle->kind == ErrorKind::limit) return std::unexpected(*obstacle);
  dump.format = opened->format();
  dump.verdict = report.verdict;
  dump.snapshot_count = 0;
  for (const Snapshot& snapshot : opened->snapshots()) dump.snapshot_count += snapshot.is_whole() ? 1 : 0;
  dump.obstacle = std::move(obstacle);
  dump.report = std::move(report);
  dump.dump = std::move(*opened);
  return {};
}

Result<OpenDump*> Heaps::open(const std::string& path, std::optional<std::uint64_t> snapshot) {
  auto file = roots_.open(path);
  if (!file) return std::unexpected(file.error());
  for (const auto& dump : dumps_) {
    const bool is_same = dump->path == file->path && dump->identity == file->identity;
    if (!is_same || dump->snapshot != snapshot) continue;
    touch(*dump);
    return dump.get();
  }
  if (dumps_.size() >= most_dumps)
    return refuse(fmt::format("found {}, expected fewer than {}; `close` closes them",
                              core::counted(dumps_.size(), "dump"), most_dumps));
  auto dump = std::make_unique<OpenDump>(OpenDump{.id = fmt::format("d{}", next_id_),
                                                  .path = file->path,
                                                  .identity = file->identity,
                                                  .snapshot = snapshot,
                                                  .used = ++clock_});
  make_room();
  if (auto loaded = with_memory([&] { return read(*dump, *file); }); !loaded) {
    if (auto wanted = check_wanted(); !wanted) return std::unexpected(wanted.error());
    return std::unexpected(explain_error(*dump, loaded.error()));
  }
  if (snapshot) {
    const auto there = dump->dump->snapshot(*snapshot);
    if (!there) return std::unexpected(explain_error(*dump, there.error()));
  }
  ++next_id_;
  return dumps_.emplace_back(std::move(dump)).get();
}

Result<void> Heaps::check_unchanged(const OpenDump& dump) const {
  const auto file = roots_.open(dump.path);
  return file && file->identity != dump.identity ? refuse_changed(dump) : Result<void>();
}

Result<void> Heaps::load(OpenDump& dump) {
  if (auto wanted = check_wanted(); !wanted) return wanted;
  auto file = roots_.open(dump.path);
  if (file && file->identity != dump.identity) return refuse_changed(dump);
  if (dump.dump) return {};  // a file that is gone can be read as long as it is open
  if (!file) return std::unexpected(file.error());
  make_room();
  // What the check found is still known.
  return with_memory([&]() -> Result<void> {
    auto opened = open_file(*file);
    if (!opened) return std::unexpected(opened.error());
    dump.dump = std::move(*opened);
    return {};
  });
}

Result<const LoadedHeap*> Heaps::load_heap(OpenDump& dump, std::optional<std::uint64_t> snapshot,
                                           bool is_forced) {
  if (!snapshot) snapshot = dump.snapshot;
  const bool is_last = !snapshot;
  const bool is_there = dump.heap && (is_last ? dump.is_heap_last : dump.heap->snapshot == *snapshot);
  if (is_there) return &*dump.heap;
  drop_heap(dump);
  if (auto loaded = load(dump); !loaded) return std::unexpected(loaded.error());
  make_room();
  auto made = with_memory([&]() -> Result<void> {
    if (!snapshot) {
      const auto last = dump.dump->last_snapshot(is_forced);
      if (!last) return refuse("has no snapshot");
      snapshot = last->index();
    }
    const auto chosen = dump.dump->snapshot(*snapshot);
    if (!chosen) return std::unexpected(chosen.error());
    auto graph = chosen->graph();
    if (!graph) return std::unexpected(graph.error());
    dump.heap = LoadedHeap{.heap = Heap(std::move(*graph)),
                           .format = dump.dump->format(),
                           .snapshot = *snapshot,
                           .recording = chosen->recording()};
    dump.is_heap_last = is_last;
    return {};
  });
  if (!made) return std::unexpected(explain_error(dump, made.error()));
  return &*dump.heap;
}

void Heaps::drop_used() {
  for (const auto& dump : dumps_) {
    if (dump->used > began_) drop(*dump);
  }
}

bool Heaps::drop_oldest() {
  OpenDump* oldest = nullptr;
  for (const auto& dump : dumps_) {
    const bool is_idle = dump->used <= began_ && (dump->dump || dump->heap);
    if (is_idle && (oldest == nullptr || dump->used < oldest->used)) oldest = dump.get();
  }
  if (oldest != nullptr) drop(*oldest);
  return oldest != nullptr;
}

void Heaps::make_room() {
  // Reading another dump takes memory, too, so half of it is kept free.
  while (memory_.measure() > limits_.max_memory / 2 && drop_oldest()) continue;
}

}  // namespace heapcheck::cli::mcp
