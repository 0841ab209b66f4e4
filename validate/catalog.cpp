#include "validate/catalog.hpp"

#include <algorithm>
#include <array>

#include "formats/chrome/faults.hpp"
#include "formats/chrome/heaps_v2/faults.hpp"
#include "formats/chrome/legacy/faults.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/core/zstd_frame.hpp"
#include "formats/mvmheap/v1/faults.hpp"
#include "formats/mvmheap/v2/faults.hpp"
#include "formats/mvmheap/v3/faults.hpp"
#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "validate/chrome/check.hpp"
#include "validate/chrome/heaps_v2/rules.hpp"
#include "validate/chrome/legacy/rules.hpp"
#include "validate/mvmheap/collectable_rules.hpp"
#include "validate/mvmheap/reference_rules.hpp"
#include "validate/mvmheap/table_rules.hpp"
#include "validate/mvmheap/v1/graph_rules.hpp"
#include "validate/mvmheap/v2/index_rules.hpp"
#include "validate/mvmheap/v2/section_rules.hpp"
#include "validate/mvmheap/v3/column_rules.hpp"
#include "validate/mvmheap/v3/file_rules.hpp"
#include "validate/mvmheap/v3/meta_rules.hpp"
#include "validate/mvmheap/v3/toc_rules.hpp"
#include "validate/v8/heapprofile/sample_rules.hpp"
#include "validate/v8/heapprofile/tree_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/devtools_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/devtools_text_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/devtools_trace_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/memlab_rules.hpp"
#include "validate/v8/heapsnapshot/count_rules.hpp"
#include "validate/v8/heapsnapshot/edge_rules.hpp"
#include "validate/v8/heapsnapshot/node_rules.hpp"
#include "validate/v8/heapsnapshot/reachability.hpp"
#include "validate/v8/heapsnapshot/string_rules.hpp"
#include "validate/v8/heapsnapshot/trace_rules.hpp"

namespace heapcheck::validation {
namespace {

namespace chrome_faults = heapcheck::chrome::rules;
namespace chrome_rules = chrome::rules;
namespace core_rules = core::rules;
namespace heaps2_faults = heapcheck::chrome::heaps_v2::rules;
namespace heaps2_rules = chrome::heaps_v2::rules;
namespace legacy_faults = heapcheck::chrome::legacy::rules;
namespace legacy_rules = chrome::legacy::rules;
namespace model_rules = mvmheap::rules;
namespace v1_faults = heapcheck::mvmheap::v1::rules;
namespace v1_rules = mvmheap::v1::rules;
namespace v2_faults = heapcheck::mvmheap::v2::rules;
namespace v2_rules = mvmheap::v2::rules;
namespace v3_faults = heapcheck::mvmheap::v3::rules;
namespace v3_rules = mvmheap::v3::rules;
namespace v8prof_faults = heapcheck::v8::heapprofile::rules;
namespace v8prof_rules = v8::heapprofile::rules;
namespace v8snap_faults = heapcheck::v8::heapsnapshot::rules;
namespace v8snap_consumers = v8::heapsnapshot::consumers::rules;
namespace v8snap_rules = v8::heapsnapshot::rules;

/// Kept sorted by id; a test checks it.
constexpr auto catalog = std::to_array<const Rule*>({
    &heaps2_rules::columns_length,
    &heaps2_rules::columns_missing,
    &heaps2_faults::columns_renamed,
    &heaps2_rules::columns_sum,
    &heaps2_rules::dump_shared_id,
    &heaps2_faults::event_heap_profile,
    &heaps2_rules::maps_cycle,
    &heaps2_rules::maps_dangling_parent,
    &heaps2_rules::maps_dangling_string,
    &heaps2_rules::maps_duplicate_id,
    &heaps2_rules::maps_id_range,
    &heaps2_faults::maps_member,
    &heaps2_rules::maps_missing,
    &heaps2_faults::maps_parent_id,
    &heaps2_rules::maps_redefined,
    &heaps2_rules::rows_dangling_node,
    &heaps2_rules::rows_dangling_type,
    &heaps2_rules::rows_duplicate,
    &heaps2_rules::rows_no_stack,
    &heaps2_faults::rows_objects,
    &heaps2_rules::total_above,
    &heaps2_rules::total_below,
    &heaps2_faults::value_fraction,
    &heaps2_faults::value_integer,
    &heaps2_faults::value_type,
    &heaps2_rules::version_missing,
    &heaps2_rules::version_unknown,
    &core_rules::input_compression,
    &core_rules::json_document_syntax,
    &core_rules::json_document_trailing,
    &core_rules::json_document_truncated,
    &core_rules::json_number_syntax,
    &core_rules::json_object_duplicate_key,
    &core_rules::json_string_control,
    &core_rules::json_string_escape,
    &core_rules::json_string_utf8,
    &legacy_rules::dump_repeated,
    &legacy_rules::entry_child_exceeds_parent,
    &legacy_rules::entry_child_sum,
    &legacy_rules::entry_dangling_frame,
    &legacy_rules::entry_dangling_type,
    &legacy_rules::entry_duplicate,
    &legacy_faults::entry_hex,
    &legacy_rules::entry_misplaced,
    &legacy_rules::entry_missing_stack,
    &legacy_rules::entry_missing_total,
    &legacy_rules::entry_root_first,
    &legacy_faults::entry_size,
    &legacy_rules::entry_type_rest,
    &legacy_rules::entry_type_sum,
    &legacy_rules::frame_cycle,
    &legacy_rules::frame_dangling_parent,
    &legacy_faults::frame_duplicate_id,
    &legacy_faults::frame_name,
    &legacy_faults::frames_hierarchy,
    &legacy_faults::frames_hierarchy_name,
    &legacy_rules::frames_missing,
    &legacy_rules::heap_empty,
    &legacy_rules::heap_old_variant,
    &legacy_faults::id_number,
    &legacy_rules::types_missing,
    &legacy_rules::types_repeated,
    &legacy_faults::value_type,
    &core_rules::limit_expanded_bytes,
    &core_rules::limit_frame_window,
    &core_rules::limit_input_bytes,
    &core_rules::limit_items,
    &core_rules::limit_json_depth,
    &core_rules::limit_json_text,
    &core_rules::limit_memory,
    &model_rules::collectable_frame_range,
    &model_rules::collectable_kind,
    &model_rules::collectable_root,
    &model_rules::collectable_root_fields,
    &model_rules::collectable_type_range,
    &model_rules::collectable_unreachable,
    &model_rules::frames_duplicate,
    &model_rules::frames_string_range,
    &model_rules::refs_kind,
    &model_rules::refs_partition,
    &model_rules::refs_range,
    &model_rules::refs_string_range,
    &model_rules::refs_target_range,
    &model_rules::refs_unknown_index,
    &model_rules::strings_duplicate,
    &model_rules::strings_nul,
    &model_rules::strings_utf8,
    &model_rules::types_duplicate,
    &model_rules::types_string_range,
    &v1_rules::collectables_childless_start,
    &v1_rules::collectables_size,
    &v1_faults::file_truncated,
    &v1_faults::item_fields,
    &v1_faults::item_leading_zero,
    &v1_faults::item_number,
    &v1_faults::item_range,
    &v1_faults::line_carriage_return,
    &v1_faults::line_duplicate,
    &v1_faults::line_empty,
    &v1_faults::line_ignored,
    &v1_faults::line_joined,
    &v1_faults::line_late,
    &v1_faults::line_missing,
    &v1_faults::line_order,
    &v1_faults::line_split,
    &v1_faults::line_unknown,
    &v1_rules::references_count,
    &v1_faults::snapshot_number,
    &v1_faults::strings_end,
    &v1_faults::strings_escape,
    &v1_faults::strings_quote,
    &v1_faults::strings_undecidable,
    &v1_rules::tables_count,
    &v2_rules::collectables_childless_start,
    &v2_faults::file_trailing_bytes,
    &v2_faults::file_truncated,
    &v2_faults::file_unfinished,
    &v2_rules::index_collectables_size,
    &v2_rules::index_incremental_size,
    &v2_rules::index_middle,
    &v2_rules::index_references_size,
    &v2_rules::index_uncounted,
    &v2_faults::refs_kind,
    &v2_rules::refs_wide,
    &v2_faults::refs_width,
    &v2_rules::rows_upper_half,
    &v2_faults::section_count,
    &v2_faults::section_entry_size,
    &v2_faults::section_framing,
    &v2_faults::section_order,
    &v2_faults::section_tag,
    &v2_faults::section_unaccounted,
    &v2_rules::strings_count_before,
    &v2_faults::strings_length,
    &v2_rules::tables_repeated,
    &v2_rules::trailer_frames_size,
    &v2_rules::trailer_snapshots,
    &v2_rules::trailer_strings_size,
    &v2_rules::trailer_types_size,
    &v3_faults::block_kind,
    &v3_faults::block_kind_padding,
    &v3_faults::block_order,
    &v3_faults::block_size,
    &v3_faults::block_unaccounted,
    &v3_faults::column_entry_size,
    &v3_rules::column_length,
    &v3_faults::column_partial_entry,
    &v3_faults::file_trailing_bytes,
    &v3_faults::file_truncated,
    &v3_rules::file_unfinished,
    &v3_faults::filemeta_subversion,
    &v3_rules::highscores_filler,
    &v3_rules::highscores_length,
    &v3_rules::highscores_mismatch,
    &v3_faults::meta_field,
    &v3_faults::meta_json,
    &v3_faults::meta_size,
    &v3_faults::meta_terminator,
    &v3_rules::snapmeta_gc_order,
    &v3_rules::snapmeta_time_order,
    &v3_rules::snapmeta_totals,
    &v3_rules::snapmeta_uncounted_frames,
    &v3_faults::strings_framing,
    &v3_faults::toc_count,
    &v3_rules::toc_duplicate_entry,
    &v3_rules::toc_entry_bounds,
    &v3_rules::toc_entry_end,
    &v3_rules::toc_entry_kind,
    &v3_rules::toc_entry_start,
    &v3_rules::toc_missing_entry,
    &v3_faults::toc_own_start,
    &chrome_faults::dumps_json_string,
    &chrome_rules::dumps_none,
    &chrome_faults::dumps_type,
    &chrome_faults::event_id,
    &chrome_faults::event_phase,
    &chrome_faults::event_pid,
    &chrome_faults::event_type,
    &chrome_faults::events_missing,
    &chrome_faults::events_unclosed,
    &chrome_faults::file_bom,
    &v8prof_faults::file_bom,
    &v8prof_faults::file_head,
    &v8prof_faults::file_unknown,
    &v8prof_rules::frame_line,
    &v8prof_faults::frame_members,
    &v8prof_faults::frame_position,
    &v8prof_faults::frame_script_number,
    &v8prof_faults::node_call_frame,
    &v8prof_faults::node_children,
    &v8prof_faults::node_flat,
    &v8prof_faults::node_id,
    &v8prof_rules::node_id_duplicate,
    &v8prof_rules::node_id_missing,
    &v8prof_faults::node_self_size,
    &v8prof_faults::node_type,
    &v8prof_rules::root_frame,
    &v8prof_faults::sample_members,
    &v8prof_rules::sample_node,
    &v8prof_rules::sample_ordinal,
    &v8prof_faults::samples_type,
    &v8prof_faults::size_fraction,
    &v8prof_rules::size_sum,
    &v8snap_consumers::devtools_column,
    &v8snap_consumers::devtools_detachedness,
    &v8snap_consumers::devtools_negative,
    &v8snap_consumers::devtools_precision,
    &v8snap_consumers::devtools_root_index,
    &v8snap_consumers::devtools_sample_fields,
    &v8snap_consumers::devtools_scope_depth,
    &v8snap_consumers::devtools_section_between,
    &v8snap_consumers::devtools_section_name,
    &v8snap_consumers::devtools_strings_last,
    &v8snap_consumers::devtools_text_length,
    &v8snap_consumers::devtools_trace_depth,
    &v8snap_consumers::devtools_trace_empty,
    &v8snap_consumers::devtools_trace_fields,
    &v8snap_consumers::devtools_trace_functions,
    &v8snap_consumers::devtools_trace_ignored,
    &v8snap_consumers::devtools_type_name,
    &v8snap_consumers::devtools_wrap,
    &v8snap_rules::edges_count,
    &v8snap_rules::edges_per_node,
    &v8snap_rules::edges_to_node_alignment,
    &v8snap_rules::edges_to_node_range,
    &v8snap_rules::edges_type,
    &v8snap_faults::file_bom,
    &v8snap_faults::header_count,
    &v8snap_faults::header_type,
    &v8snap_rules::locations_node,
    &v8snap_rules::locations_repeated,
    &v8snap_consumers::memlab_locations,
    &v8snap_consumers::memlab_nodes_first,
    &v8snap_consumers::memlab_root_index,
    &v8snap_consumers::memlab_section_name,
    &v8snap_consumers::memlab_text_length,
    &v8snap_consumers::memlab_wrap,
    &v8snap_faults::meta_field,
    &v8snap_faults::meta_type,
    &v8snap_rules::nodes_count,
    &v8snap_rules::nodes_id,
    &v8snap_rules::nodes_none,
    &v8snap_rules::nodes_root,
    &v8snap_rules::nodes_trace_node,
    &v8snap_rules::nodes_type,
    &v8snap_rules::nodes_unreachable,
    &v8snap_rules::samples_order,
    &v8snap_rules::samples_start,
    &v8snap_rules::scopes_counts,
    &v8snap_rules::scopes_node,
    &v8snap_rules::section_length,
    &v8snap_faults::section_missing,
    &v8snap_faults::section_number,
    &v8snap_faults::section_order,
    &v8snap_faults::section_type,
    &v8snap_faults::section_unknown,
    &v8snap_rules::strings_first,
    &v8snap_rules::strings_index,
    &v8snap_rules::strings_repeated,
    &v8snap_faults::strings_type,
    &v8snap_rules::trace_functions_count,
    &v8snap_rules::trace_functions_undercount,
    &v8snap_rules::trace_tree_function,
    &v8snap_rules::trace_tree_id,
    &v8snap_rules::trace_tree_root,
    &v8snap_faults::trace_tree_shape,
    &core_rules::zstd_frame_corrupt,
    &core_rules::zstd_frame_dictionary,
    &core_rules::zstd_frame_magic,
});

}  // namespace

std::span<const Rule* const> all_rules() { return catalog; }

const Rule* find_rule(std::string_view id) {
  const auto* found = std::ranges::find(catalog, id, &Rule::id);
  return found == catalog.end() ? nullptr : *found;
}

}  // namespace heapcheck::validation
