#!/usr/bin/env python3
"""Makes a small V8 heap snapshot from a large one: the nodes next to the root, the edges between them, and the
rows of other sections that belong to them, in the same form as the large file.

    corpus/cut_snapshot.py IN OUT [NODES]

The result has the same sections as the original, so it is valid if the original is. Unreachable nodes are lost.
The call tree is kept; rows of scopes are dropped, and long strings are shortened.
"""
import json
import pathlib
import re
import sys

NAMES = {"nodes": ["name"], "trace_function_infos": ["name", "script_name"], "scope_context_vars": ["name"]}
PLACES = {"edges": ["to_node"], "locations": ["object_index", "script_object_index"],
          "scopes": ["script_node_index"]}
FIELDS = {"nodes": "node_fields", "edges": "edge_fields", "trace_function_infos": "trace_function_info_fields",
          "samples": "sample_fields", "locations": "location_fields", "scopes": "scope_fields",
          "scope_context_vars": "scope_context_var_fields", "scope_uses": "scope_use_fields"}
MOST_TEXT = 60


class Table:
    def __init__(self, heap, name):
        self.fields = heap["snapshot"]["meta"].get(FIELDS[name], [])
        flat, width = heap[name], len(self.fields) or 1
        self.rows = [flat[i:i + width] for i in range(0, len(flat), width)]

    def place(self, field):
        return self.fields.index(field) if field in self.fields else None


def choose_nodes(nodes, edges, count):
    """Returns the first nodes on the way from the root, and the first row of edges of each node."""
    width, target, edge_count = len(nodes.fields), edges.place("to_node"), nodes.place("edge_count")
    starts = [0]
    for node in nodes.rows:
        starts.append(starts[-1] + node[edge_count])
    kept, seen = [0], {0}
    for node in kept:
        # A few from each node, so that all kinds of objects are included.
        for edge in edges.rows[starts[node]:starts[node + 1]][:12]:
            to = edge[target] // width
            if to not in seen and len(kept) < count:
                seen.add(to)
                kept.append(to)
    return sorted(kept), starts


def cut_graph(heap, tables, count):
    nodes, edges = tables["nodes"], tables["edges"]
    kept, starts = choose_nodes(nodes, edges, count)
    place_of, width = {node: i * len(nodes.fields) for i, node in enumerate(kept)}, len(nodes.fields)
    target, rows, lines = edges.place("to_node"), [], []
    for node in kept:
        own = [e for e in edges.rows[starts[node]:starts[node + 1]] if e[target] // width in place_of]
        row = list(nodes.rows[node])
        row[nodes.place("edge_count")] = len(own)
        rows.append(row)
        lines += [e[:target] + [place_of[e[target] // width]] + e[target + 1:] for e in own]
    nodes.rows, edges.rows = rows, lines
    heap["snapshot"]["node_count"], heap["snapshot"]["edge_count"] = len(rows), len(lines)
    for name in ("locations", "scopes"):
        if name in tables:
            keep_placed(tables[name], PLACES[name], place_of, width)
    return place_of


def keep_placed(table, fields, place_of, width):
    places = [table.place(field) for field in fields if table.place(field) is not None]
    rows = []
    for row in table.rows:
        if all(row[p] // width in place_of for p in places):
            rows.append([place_of[v // width] if i in places else v for i, v in enumerate(row)])
    table.rows = rows


def cut_scopes(tables):
    """Drops all scopes: if one were missing, the variables would belong to the wrong scopes."""
    for name in ("scopes", "scope_context_vars", "scope_uses"):
        if name in tables:
            tables[name].rows = []


def cut_strings(heap, tables):
    edges, indexed = tables["edges"], {"element", "hidden"}
    types = heap["snapshot"]["meta"]["edge_types"][edges.place("type")]
    cells = []
    for name, fields in NAMES.items():
        if name in tables:
            places = [tables[name].place(field) for field in fields]
            cells += [(row, p) for row in tables[name].rows for p in places if p is not None]
    cells += [(row, edges.place("name_or_index")) for row in edges.rows
              if types[row[edges.place("type")]] not in indexed]
    texts, index_of = [heap["strings"][0]], {heap["strings"][0]: 0}
    for row, place in cells:
        text = heap["strings"][row[place]][:MOST_TEXT]
        row[place] = index_of.setdefault(text, len(texts))
        if row[place] == len(texts):
            texts.append(text)
    heap["strings"] = texts


def spell(text):
    """Writes a string as V8 does: like Python, but with capital letters in escapes."""
    def repeat(match):
        escape = match[0]
        if escape == "\\u007f":
            return "\x7f"
        return "\\u" + escape[2:].upper() if escape[1] == "u" else escape
    return re.sub(r"\\u[0-9a-f]{4}|\\.", repeat, json.dumps(text))


def write(heap, tables, has_lines):
    out = ['{"snapshot":' + json.dumps(heap["snapshot"], separators=(",", ":"))]
    for name in list(heap)[1:]:
        if name in tables:
            rows = [",".join(map(str, row)) for row in tables[name].rows]
            text = ("\n,".join(rows) + ("\n" if rows else "")) if has_lines else ",".join(rows)
        elif name == "strings":
            text = (",\n" if has_lines else ",").join(map(spell, heap[name]))
        else:
            text = json.dumps(heap[name], separators=(",", ":"))[1:-1]
        out.append(f'"{name}":[{text}]')
    return ",\n".join(out) + "}"


def main():
    source, target = map(pathlib.Path, sys.argv[1:3])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    text = source.read_text()
    heap = json.loads(text)
    tables = {name: Table(heap, name) for name in FIELDS if name in heap}
    cut_graph(heap, tables, count)
    cut_scopes(tables)
    cut_strings(heap, tables)
    has_lines = "\n," in text[:100_000]
    target.write_bytes(write(heap, tables, has_lines).encode("ascii"))


if __name__ == "__main__":
    main()
