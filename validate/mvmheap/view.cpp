#include "validate/mvmheap/view.hpp"

#include <fmt/format.h>

#include "formats/core/text/counted.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

struct FieldName {
  std::string_view table;
  std::string_view column;
  bool in_snapshot;
};

FieldName name_of(Field field) {
  switch (field) {
    case Field::collectable_kind:
      return {"collectables", "kind", true};
    case Field::collectable_index:
      return {"collectables", "type_or_frame_index", true};
    case Field::collectable_size:
      return {"collectables", "size", true};
    case Field::collectable_unmanaged_size:
      return {"collectables", "unmanaged_size", true};
    case Field::collectable_refs_start:
      return {"collectables", "refs_start", true};
    case Field::collectable_num_refs:
      return {"collectables", "num_refs", true};
    case Field::reference_description:
      return {"references", "description", true};
    case Field::reference_target:
      return {"references", "target", true};
    case Field::string:
      return {"strings", "", false};
    case Field::type_repr_name:
      return {"types", "repr_name", false};
    case Field::type_type_name:
      return {"types", "type_name", false};
    case Field::frame_name:
      return {"static_frames", "name", false};
    case Field::frame_cuid:
      return {"static_frames", "cuid", false};
    case Field::frame_line:
      return {"static_frames", "line", false};
    case Field::frame_file:
      return {"static_frames", "file", false};
  }
  return {};
}

}  // namespace

std::string path_of(Field field, std::uint64_t snapshot, std::uint64_t index) {
  const FieldName name = name_of(field);
  std::string path = name.in_snapshot ? fmt::format("/snapshots/{}", snapshot) : "";
  path += fmt::format("/{}/{}", name.table, index);
  if (!name.column.empty()) path += fmt::format("/{}", name.column);
  return path;
}

void count_rows(Finding& finding, const core::ViolationGroup& group) {
  finding.message +=
      fmt::format("; {} of the next {} {} wrong too", group.count - 1,
                  core::counted(group.last - group.first, "row"), group.count == 2 ? "is" : "are");
}

}  // namespace heapcheck::validation::mvmheap
