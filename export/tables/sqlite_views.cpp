#include "export/tables/sqlite_views.hpp"

namespace heapcheck::exports::tables {
namespace {

const SqliteStatement statements[] = {
    {{"nodes"}, "CREATE UNIQUE INDEX nodes_by_number ON nodes (node, snapshot)"},
    {{"nodes"}, "CREATE INDEX nodes_by_dominator ON nodes (dominator)"},
    {{"edges"}, "CREATE INDEX edges_by_source ON edges (source)"},
    {{"edges"}, "CREATE INDEX edges_by_target ON edges (target)"},
    {{"stacks"}, "CREATE UNIQUE INDEX stacks_by_number ON stacks (stack, snapshot)"},
    {{"stacks"}, "CREATE INDEX stacks_by_caller ON stacks (caller)"},
    {{"allocations"}, "CREATE INDEX allocations_by_stack ON allocations (stack)"},

    {{"nodes"},
     "CREATE VIEW kinds AS "
     "SELECT snapshot, kind, count(*) AS count, sum(size) AS size FROM nodes GROUP BY snapshot, kind"},
    {{"nodes"}, "CREATE VIEW unreachable_nodes AS SELECT * FROM nodes WHERE distance IS NULL"},
    {{"nodes"},
     "CREATE VIEW dominated_types AS "
     "SELECT nodes.snapshot, holder.type AS dominator_type, nodes.type, count(*) AS count, "
     "sum(nodes.size) AS size, sum(nodes.retained) AS retained "
     "FROM nodes JOIN nodes AS holder ON holder.snapshot = nodes.snapshot AND holder.node = nodes.dominator "
     "GROUP BY nodes.snapshot, holder.type, nodes.type"},
    {{"nodes", "edges"},
     "CREATE VIEW named_edges AS "
     "SELECT edges.snapshot, source, source_node.kind AS source_kind, source_node.type AS source_type, "
     "edges.kind, coalesce(edges.name, '[' || edges.number || ']') AS label, "
     "target, target_node.kind AS target_kind, target_node.type AS target_type "
     "FROM edges "
     "JOIN nodes AS source_node ON source_node.snapshot = edges.snapshot AND source_node.node = source "
     "JOIN nodes AS target_node ON target_node.snapshot = edges.snapshot AND target_node.node = target"},
    {{"strings"},
     "CREATE VIEW duplicate_strings AS "
     "SELECT snapshot, text, count, size, size - size / count AS wasted FROM strings WHERE count > 1 AND "
     "size > 0"},
    // A type that is in only one of two snapshots has a count of 0 in the other.
    {{"snapshots", "types"},
     "CREATE VIEW type_growth AS "
     "WITH steps AS (SELECT snapshot, lag(snapshot) OVER (ORDER BY snapshot) AS before FROM snapshots), "
     "names AS (SELECT DISTINCT \"group\", name FROM types), "
     "sums AS (SELECT steps.snapshot, before, names.\"group\", names.name, "
     "coalesce(new.count, 0) AS count, coalesce(new.size, 0) AS size, "
     "coalesce(old.count, 0) AS old_count, coalesce(old.size, 0) AS old_size "
     "FROM steps CROSS JOIN names "
     "LEFT JOIN types AS new ON new.snapshot = steps.snapshot "
     "AND new.\"group\" = names.\"group\" AND new.name = names.name "
     "LEFT JOIN types AS old ON old.snapshot = before "
     "AND old.\"group\" = names.\"group\" AND old.name = names.name "
     "WHERE new.name IS NOT NULL OR old.name IS NOT NULL) "
     "SELECT snapshot, \"group\", name, count, size, "
     "iif(before IS NULL, NULL, count - old_count) AS count_change, "
     "iif(before IS NULL, NULL, size - old_size) AS size_change FROM sums"},
    {{"stacks"},
     "CREATE VIEW frames AS "
     "SELECT snapshot, frame, count(*) AS stacks, sum(size) AS size FROM stacks GROUP BY snapshot, frame"},
    {{"stacks"},
     "CREATE VIEW stack_texts AS "
     "WITH RECURSIVE text_of (snapshot, stack, text) AS ("
     "SELECT snapshot, stack, frame FROM stacks WHERE caller IS NULL "
     "UNION ALL SELECT stacks.snapshot, stacks.stack, text_of.text || ';' || frame "
     "FROM text_of JOIN stacks ON stacks.snapshot = text_of.snapshot AND stacks.caller = text_of.stack) "
     "SELECT * FROM text_of"},
    {{"allocations"},
     "CREATE VIEW allocated_types AS "
     "SELECT snapshot, type, sum(size) AS size, sum(count) AS count FROM allocations "
     "GROUP BY snapshot, type"},
};

}  // namespace

std::span<const SqliteStatement> all_indices_and_views() { return statements; }

}  // namespace heapcheck::exports::tables
