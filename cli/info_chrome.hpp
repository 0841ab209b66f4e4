// What `heapcheck info` tells of a Chrome trace: what of the file each process's names and heaps take up,
// as bytes and as items of JSON, and what each dump holds.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/info.hpp"
#include "formats/chrome/container.hpp"
#include "formats/chrome/heaps_v2/model.hpp"
#include "formats/chrome/legacy/model.hpp"

namespace heapcheck::cli {

/// What a part of a JSON document takes up.
struct JsonSize {
  std::uint64_t items = 0;   ///< elements or members of its outermost array or object
  std::uint64_t values = 0;  ///< all elements, and members as key, value and pair, at every depth
  std::uint64_t bytes = 0;   ///< of its text

  JsonSize& operator+=(const JsonSize& other) {
    items += other.items;
    values += other.values;
    bytes += other.bytes;
    return *this;
  }
};

struct ChromeInfo final : Info {
  struct Allocator {
    std::string name;
    JsonSize size;  ///< over all dumps
  };
  struct Process {
    std::int64_t pid = 0;
    std::string name;
    JsonSize type_names;
    JsonSize stack_frames;
    JsonSize strings;  ///< of heaps_v2 only
    std::uint64_t unique_frames = 0;
    std::uint64_t root_frames = 0;
    std::uint64_t leaf_frames = 0;
    std::uint64_t dumps = 0;
    std::vector<Allocator> heaps;

    /// What the heaps of that allocator take up, to be added to.
    JsonSize& heap(const std::string& allocator);

   private:
    std::map<std::string, std::size_t> places_;  // in `heaps`, by allocator
  };
  /// One allocator in one dump.
  struct Heap {
    std::int64_t pid = 0;
    std::string dump_id;
    std::string allocator;
    std::uint64_t rows = 0;
    std::uint64_t byte_count = 0;
    std::uint64_t objects = 0;
  };

  void append_text(std::string& out) const override;
  void write_json(core::JsonWriter& json) const override;

  /// The process of that id, made if there is none.
  Process& process(std::int64_t pid);

  chrome::TraceContainer container;
  std::vector<Process> processes;
  std::vector<Heap> heaps;

 private:
  std::map<std::int64_t, std::size_t> places_;  // in `processes`, by id
};

/// Each adds what dumps of its format hold.
void add_legacy(const chrome::legacy::Model& model, ChromeInfo& info);
void add_heaps_v2(const chrome::heaps_v2::Model& model, ChromeInfo& info);

/// Reads the trace in `window`, which stands at the first byte.
std::unique_ptr<Info> read_chrome_info(core::Window& window, const Limits& limits);

}  // namespace heapcheck::cli
