// Extracts the heap dumps of a Chrome trace with simdjson's on-demand parser, without any checks, into the
// same columns as in heapcheck's models, but without file offsets. Owns the columns.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/chrome/legacy/ids.hpp"
#include "formats/core/string_pool.hpp"

namespace heapcheck::bench {

using chrome::legacy::FrameId;
using chrome::legacy::TypeId;
using core::PoolIndex;

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

class TraceExtractor {
 public:
  /// Adds the dumps and names in the event, if it has any. Throws if the event has an unexpected form.
  void read_event(simdjson::ondemand::object event);

  [[nodiscard]] bool has_dumps() const { return !entries_.empty() || !maps_.empty(); }

 private:
  static std::uint32_t read_id(std::string_view text, std::uint32_t empty);
  static std::uint64_t read_hex(std::string_view text);
  void read_frames(simdjson::ondemand::object frames);
  void read_types(simdjson::ondemand::object types);
  void read_heaps(simdjson::ondemand::object heaps);
  void read_heaps_v2(simdjson::ondemand::object heaps);
  void read_rows(simdjson::ondemand::array rows, Rows& out);

  core::StringPool pool_;
  std::vector<Names> frames_;
  std::vector<Names> types_;
  std::vector<Entries> entries_;
  std::vector<Maps> maps_;
};

}  // namespace heapcheck::bench
