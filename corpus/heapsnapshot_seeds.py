"""Small V8 heap snapshots: one with every section, forms that other engines write, a truncated one and one
with wrong edges."""
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
# Nodes: type, name, self size, detachedness (0 if it is left out). Edges: source, type, name or index, target.
PAGE_NODES = {
    "root": ("synthetic", "", 0), "roots": ("synthetic", "(GC roots)", 0), "handles": ("synthetic", "(Global handles)", 0),
    "window": ("object", "Window / https://example.org", 40),
    # A document, and a tree that was taken out of it. A weak edge and a node in V8's heap end the search for states.
    "html": ("native", "<html>", 96, 1), "body": ("native", "<body>", 96), "div": ("native", "<div>", 104, 2),
    "span": ("native", "<span>", 104), "shared": ("native", "<p>", 104), "wrapper": ("object", "HTMLDivElement", 32),
    "below": ("native", "<b>", 104), "weak": ("native", "<i>", 104), "cache": ("object", "Array", 16),
    "known": ("object", "HTMLElement", 32, 2), "kept": ("native", "<html>", 96, 1), "lost": ("native", "<u>", 104),
    # Event listeners whose callbacks are a function, an object with a function, and an object without one.
    "listener 1": ("native", "V8EventListener", 24), "listener 2": ("native", "V8EventListener", 24),
    "listener 3": ("native", "V8EventListener", 24), "onClick": ("closure", "onClick", 32),
    "handler": ("object", "Handler", 24), "handleEvent": ("closure", "handleEvent", 32),
    "other": ("object", "Other", 24), "code": ("code", "(code)", 64), "in onClick": ("object", "State", 48),
    "in handler": ("object", "State", 48), "in other": ("object", "State", 48),
    # The variable of a closure, and an object that the console and a closure hold.
    "context": ("object", "system / Context / scope", 32), "variable": ("object", "Big", 4096),
    "logged": ("object", "Logged", 512), "in logged": ("object", "Big", 4096), "both": ("object", "Shared", 64),
    # Strings: two equal ones of different sizes, one without a size, three that V8 cut off, concatenated ones.
    "text 1": ("string", "equal", 16), "text 2": ("string", "equal", 24), "constant": ("string", "equal", 0),
    "cut 1": ("string", "start", 5016), "cut 2": ("string", "start", 5024), "cut 3": ("string", "start", 6016),
    "cut 4": ("string", "start", 5016), "true": ("number", "bool", 0), "is true": ("string", "true", 0),
    "5000": ("number", "int", 0), "is 5000": ("string", "5000", 0), "6000": ("number", "int", 0),
    "is 6000": ("string", "6000", 0), "7": ("number", "int", 0), "is 7": ("string", "7", 0), "8": ("number", "int", 0),
    "is 8": ("string", "8", 0), "ab": ("string", "ab", 16), "cd": ("string", "cd", 16), "abc": ("concatenated string", "", 20),
    "c": ("string", "c", 16), "d": ("string", "d", 16), "ab+cd": ("concatenated string", "", 20),
    "abc+d": ("concatenated string", "", 20), "empty": ("string", "", 16), "flat": ("concatenated string", "", 20),
    "gone": ("object", "Gone", 32),
}
PAGE_EDGES = [
    ("root", "shortcut", "1", "window"), ("root", "element", 1, "roots"), ("roots", "element", 1, "handles"),
    ("window", "property", "document", "html"), ("window", "property", "cache", "cache"), ("html", "element", 1, "body"),
    ("body", "element", 1, "shared"), ("div", "element", 1, "span"), ("div", "weak", "w", "weak"),
    ("div", "internal", "wrapper", "wrapper"), ("div", "hidden", 2, "lost"), ("span", "element", 1, "shared"),
    ("span", "property", "up", "kept"), ("wrapper", "property", "a", "below"), ("cache", "element", 0, "div"),
    ("cache", "element", 1, "known"), ("cache", "element", 2, "weak"),
    ("html", "element", 2, "listener 1"), ("html", "element", 3, "listener 2"), ("html", "element", 4, "listener 3"),
    ("listener 1", "element", 1, "onClick"), ("listener 2", "internal", "1", "handler"),
    ("listener 3", "element", 1, "other"), ("onClick", "internal", "code", "code"),
    ("onClick", "internal", "context", "context"), ("onClick", "property", "state", "in onClick"),
    ("handler", "property", "handleEvent", "handleEvent"), ("handler", "property", "state", "in handler"),
    ("handleEvent", "internal", "code", "code"), ("handleEvent", "property", "both", "both"),
    ("other", "property", "state", "in other"), ("context", "context", "big", "variable"),
    ("context", "context", "both", "both"), ("handles", "internal", "2 / DevTools console", "logged"),
    ("handles", "shortcut", "3 / DevTools console", "in handler"), ("window", "internal", "4 / DevTools console", "both"),
    ("logged", "property", "big", "in logged"),
    *[("cache", "element", 10 + i, text) for i, text in enumerate(
        ["text 1", "text 2", "constant", "cut 1", "cut 2", "cut 3", "cut 4", "ab+cd", "abc+d", "flat"])],
    *[(f"cut {i + 1}", "internal", name, value) for i, (length, number) in enumerate(
        [("5000", "7"), ("5000", "7"), ("6000", "7"), ("5000", "8")])
      for name, value in (("truncated", "true"), ("length", length), ("hash", number))],
    *[(number, "internal", "value", f"is {number}") for number in ("true", "5000", "6000", "7", "8")],
    ("ab+cd", "internal", "first", "ab"), ("ab+cd", "internal", "second", "cd"), ("abc", "internal", "first", "ab"),
    ("abc", "internal", "second", "c"), ("abc+d", "internal", "first", "abc"), ("abc+d", "internal", "second", "d"),
    ("flat", "internal", "first", "text 1"), ("flat", "internal", "second", "empty"),
]


def make_page(has_states):
    """A snapshot with nodes of a page. Without the states, the name of one of them says that it is detached."""
    node_types = [*NODE_TYPES, "concatenated string", "sliced string"]
    fields = [*META["node_fields"][:5], *(["detachedness"] if has_states else [])]
    meta = {**META, "node_fields": fields, "node_types": [node_types, "string", *["number"] * (len(fields) - 2)]}
    strings, keys = ["<dummy>"], list(PAGE_NODES)
    nodes, edges = [], []

    def index_of(text):
        if text not in strings:
            strings.append(text)
        return strings.index(text)

    for row, (key, (kind, name, size, *state)) in enumerate(PAGE_NODES.items()):
        own = [edge for edge in PAGE_EDGES if edge[0] == key]
        prefix = "Detached " if not has_states and state == [2] else ""
        nodes += [node_types.index(kind), index_of(prefix + name), 2 * row + 1, size, len(own)]
        nodes += (state or [0]) if has_states else []
        for _, edge_kind, label, target in own:
            edges += [EDGE_TYPES.index(edge_kind), label if isinstance(label, int) else index_of(label),
                      keys.index(target) * len(fields)]
    return write({"snapshot": {"meta": meta, "node_count": len(keys), "edge_count": len(PAGE_EDGES), "trace_function_count": 0},
                  "nodes": nodes, "edges": edges, "trace_function_infos": [], "trace_tree": [], "samples": [],
                  "locations": [], "scopes": [], "scope_context_vars": [], "scope_uses": [], "strings": strings})


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
        "edges-to-nowhere.heapsnapshot": write({**SMALL, "edges": [1, 1, 8, 5, 3, 14, 1, 1, 22, 2, 5, 22]}),
        "other-engine.heapsnapshot": write(OTHER_ENGINE),
        "page.heapsnapshot": make_page(has_states=True),
        "page-without-states.heapsnapshot": make_page(has_states=False),
        "strings-first.heaptimeline": write({"nodes": SMALL["nodes"], **strings_first}),
    }
