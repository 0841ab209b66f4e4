"""Small V8 heap snapshots: one with every section, forms that other engines write, and a truncated one."""
import json

NODE_TYPES = ["hidden", "array", "string", "object", "code", "closure", "regexp", "number", "native", "synthetic"]
EDGE_TYPES = ["context", "element", "property", "internal", "hidden", "shortcut", "weak"]
META = {
    "node_fields": ["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"],
    "node_types": [NODE_TYPES, "string", "number", "number", "number", "number", "number"],
    "edge_fields": ["type", "name_or_index", "to_node"],
    "edge_types": [EDGE_TYPES, "string_or_number", "node"],
    "trace_function_info_fields": ["function_id", "name", "script_name", "script_id", "line", "column"],
    "trace_node_fields": ["id", "function_info_index", "count", "size", "children"],
    "sample_fields": ["timestamp_us", "last_assigned_id"],
    "location_fields": ["object_index", "script_id", "script_object_index", "line", "column"],
    "scope_fields": ["script_node_index", "scope_id", "depth", "scope_context_vars_count", "scope_uses_count"],
    "scope_context_var_fields": ["name"],
    "scope_use_fields": ["declaring_scope_id", "slot_index"],
}
SMALL = {
    "snapshot": {"meta": META, "node_count": 4, "edge_count": 4, "trace_function_count": 2, "extra_native_bytes": 0},
    "nodes": [9, 1, 1, 0, 2, 0, 0, 9, 2, 3, 0, 1, 0, 0, 5, 3, 5, 64, 1, 2, 0, 4, 4, 7, 32, 0, 0, 0],
    "edges": [1, 1, 7, 5, 3, 14, 1, 1, 21, 2, 5, 21],
    "trace_function_infos": [0, 6, 1, 0, 0, 0, 5, 3, 4, 9, 2, 28],
    "trace_tree": [1, 0, 0, 0, [2, 1, 1, 64, []]],
    "samples": [0, 3, 50, 7],
    "locations": [14, 9, 21, 2, 28],
    "scopes": [21, -2, 0, 1, 1],
    "scope_context_vars": [5],
    "scope_uses": [-2, 0],
    "strings": ["<dummy>", "", "(GC roots)", "f", "a.js", "x", "(root)"],
}
# Large ids, a different first string and a different root, no column names for sections that are never written.
OTHER_ENGINE = {
    "snapshot": {"meta": {**META, "trace_function_info_fields": [], "trace_node_fields": META["trace_node_fields"]},
                 "node_count": 2, "edge_count": 1, "trace_function_count": 0},
    "nodes": [9, 0, 0, 0, 1, 0, 0, 3, 1, 140187732541456, 16, 0, 0, 0],
    "edges": [3, 1, 7],
    "trace_function_infos": [], "trace_tree": [], "samples": [], "locations": [],
    "scopes": [], "scope_context_vars": [], "scope_uses": [],
    "strings": ["GC roots", "Module"],
}


def write(heap):
    members = [f"{json.dumps(name)}:{json.dumps(value, separators=(',', ':'))}" for name, value in heap.items()]
    return ("{" + ",\n".join(members) + "}").encode()


def deep_tree(depth):
    rows = "".join(f"{i},0,1,8,[" for i in range(1, depth + 1)) + "]" * depth
    heap = {**SMALL, "trace_tree": "TREE"}
    return write(heap).replace(b'"TREE"', b"[" + rows.encode() + b"]")


def seeds():
    small = write(SMALL)
    strings_first = {"strings": SMALL["strings"], **{k: v for k, v in SMALL.items() if k != "strings"}}
    return {
        "small.heaptimeline": small,
        "cut.heaptimeline": small[:len(small) * 4 // 5],
        "deep.heaptimeline": deep_tree(60),
        "other-engine.heapsnapshot": write(OTHER_ENGINE),
        "strings-first.heaptimeline": write({"nodes": SMALL["nodes"], **strings_first}),
    }
