"""Makes heap snapshots for tests of pages."""
import json


def make_hostile(folder):
    """A heap snapshot whose names would have an effect if one of them became part of the page."""
    names = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>", "\"'><svg onload=alert(3)>",
             "\u202egnol\u2066", "\u2028\u0000\u001b[31m", "<!--<script>", "javascript:alert(4)", "__proto__", "{{data}}",
             "constructor", "x" * 10_000_000]
    fields = ["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"]
    kinds = ["hidden", "array", "string", "object", "code", "closure", "regexp", "number", "native", "synthetic",
             "concatenated string", "sliced string", "symbol", "bigint"]
    edge_kinds = ["context", "element", "property", "internal", "hidden", "shortcut", "weak"]
    nodes = [9, 0, 1, 0, len(names), 0, 0]
    edges = []
    for index in range(len(names)):
        nodes += [3, index + 1, 3 + 2 * index, 1000 * (index + 1), 0, 0, 0]
        edges += [2, index + 1, 7 * (index + 1)]
    meta = {"node_fields": fields,
            "node_types": [kinds, "string", "number", "number", "number", "number", "number"],
            "edge_fields": ["type", "name_or_index", "to_node"],
            "edge_types": [edge_kinds, "string_or_number", "node"],
            "trace_function_info_fields": [], "trace_node_fields": [], "sample_fields": [], "location_fields": []}
    snapshot = {"snapshot": {"meta": meta, "node_count": len(names) + 1, "edge_count": len(names),
                             "trace_function_count": 0},
                "nodes": nodes, "edges": edges, "trace_function_infos": [], "trace_tree": [], "samples": [],
                "locations": [], "strings": [""] + names}
    path = f"{folder}/hostile.heapsnapshot"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(snapshot, file)
    return path


def make_leak(folder, number, wrappers=(), cache="Cache"):
    """A heap snapshot in which a cache holds `number` nodes called Leak of 1,000 bytes, each with its own id. The root
    holds the cache, or the first of `wrappers` wrappers of 10 bytes, each of which holds the next one."""
    fields = ["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"]
    meta = {"node_fields": fields, "node_types": [["object"], "string"] + ["number"] * 5,
            "edge_fields": ["type", "name_or_index", "to_node"],
            "edge_types": [["property"], "string_or_number", "node"],
            "trace_function_info_fields": [], "trace_node_fields": [], "sample_fields": [], "location_fields": []}
    above = ["(root)", *wrappers]
    nodes, edges = [], []
    for index in range(len(above)):
        nodes += [0, 3 + index, 1 + 2 * index, 0 if index == 0 else 10, 1, 0, 0]
        edges += [0, 2, 7 * (index + 1)]
    nodes += [0, 2, 1 + 2 * len(above), 5000, number, 0, 0]
    for index in range(number):
        nodes += [0, 1, 3 + 2 * (len(above) + index), 1000, 0, 0, 0]
        edges += [0, 1, 7 * (len(above) + 1 + index)]
    snapshot = {"snapshot": {"meta": meta, "node_count": len(above) + 1 + number, "edge_count": len(edges) // 3,
                             "trace_function_count": 0},
                "nodes": nodes, "edges": edges, "trace_function_infos": [], "trace_tree": [], "samples": [],
                "locations": [], "strings": ["", "Leak", cache, *above]}
    path = f"{folder}/leak-{number}-{len(wrappers)}.heapsnapshot"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(snapshot, file)
    return path
