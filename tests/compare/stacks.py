#!/usr/bin/env python3
"""Compares the output of `heapcheck top` about allocations by call stack with this script's own count.

usage: stacks.py HEAPCHECK FILE-OR-FOLDER...

Reads Chrome's traces and V8's sampling profiles with Python's json module, and compares the count, size and cumulative
size of each frame, type and allocator of each dump. Files for which heapcheck has no answer, because they are damaged
or have no stacks, are counted and left out. Exits with status 1 if anything differs, or if no file could
be compared."""

import collections
import gzip
import json
import os
import subprocess
import sys

SUFFIXES = (".json", ".json.gz", ".json.zst", ".heapprofile", ".heapprofile.gz")


def name_function(name, file, line, column):
    """Functions in sampling profiles are told apart by their places; an unknown line or column is 0."""
    return f"{name}\0{file}\0{line}\0{column}" if file or line else name


def name_row(row):
    place = row["place"]
    return name_function(row["name"], *(place[key] or 0 for key in ("file", "line", "column"))) if place else row["name"]


class Dump:
    """A list of (stack of names starting at the root, type, allocator, size, count)."""

    def __init__(self):
        self.rows = []

    def count(self, what):
        totals = collections.defaultdict(lambda: [0, 0, 0])
        for stack, type_name, allocator, size, count in self.rows:
            stack = ("(root)",) + stack if not stack or stack[0] != "(root)" else stack
            own = {"frames": stack[-1], "types": type_name, "allocators": allocator}[what]
            totals[own][0] += count
            totals[own][1] += size
            for name in set(stack) if what == "frames" else {own}:
                totals[name][2] += size
        return {name: tuple(row) for name, row in totals.items() if any(row)}


def read(path):
    if path.endswith(".gz"):
        data = gzip.open(path).read()
    elif path.endswith(".zst"):
        data = subprocess.run(["zstd", "-dcq", path], check=True, capture_output=True).stdout
    else:
        data = open(path, "rb").read()
    text = data.decode("utf-8-sig", "surrogatepass").rstrip()
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(text.rstrip(",") + "]")  # a trace may end without a bracket


def read_profile(document):
    dump = Dump()
    waiting = [(document["head"], ())]
    while waiting:
        node, above = waiting.pop()
        frame = node.get("callFrame", node)
        first = 1 if "callFrame" in node else 0  # nodes without a call frame count from 1
        line, column = (max(int(frame.get(key, -1)) + first, 0) for key in ("lineNumber", "columnNumber"))
        stack = above + (name_function(frame["functionName"], frame["url"], line, column),)
        dump.rows.append((stack, None, None, int(node["selfSize"]), 0))
        waiting.extend((child, stack) for child in node.get("children", []))
    return [dump]


def stack_of(node, nodes):
    """Nodes are stored by id: (name, id of the parent)."""
    names = []
    while node in nodes:
        names.append(nodes[node][0])
        node = nodes[node][1]
    return tuple(reversed(names))


def read_legacy(heaps, frames, types):
    dump = Dump()
    parents = {parent for _, parent in frames.values()}
    for allocator, heap in heaps.items():
        entries = [(entry.get("bt"), entry.get("type"), int(entry["size"], 16), int(entry.get("count", "0"), 16))
                   for entry in heap.get("entries", [])]
        if not entries:
            continue
        is_old = (entries[0][0] is None and not any(e[0] is not None and e[1] is not None for e in entries)
                  and sum(e[0] is None and e[1] is None for e in entries) == 1)
        known = {}  # (stack, type) -> size and count
        for stack, type_id, size, count in entries:
            known[stack or "", type_id] = (size, count)
        stacks = {key[0]: value for key, value in known.items() if key[1] is None}
        if is_old:  # of a stack without its callees; without a stack, the total
            sizes = {e[0]: e[2:] for e in entries if e[0] is not None}
            total = next(e[2:] for e in entries if e[0] is None and e[1] is None)
            rest = tuple(t - sum(s[i] for s in sizes.values()) for i, t in enumerate(total))
            selves = sizes
            selves[""] = tuple(a + b for a, b in zip(selves.get("", (0, 0)), rest))
        else:
            selves = dict(stacks)
            for stack, value in stacks.items():
                above = frames.get(stack, ("", None))[1] or ""
                while stack and above and above not in stacks:
                    above = frames.get(above, ("", ""))[1] or ""
                if stack and above in selves:
                    selves[above] = tuple(a - b for a, b in zip(selves[above], value))
        for stack, (size, count) in selves.items():
            while stack and frames[stack][0] == "<self>" and stack not in parents:
                stack = frames[stack][1] or ""
            dump.rows.append((stack_of(stack, frames), None, allocator, size, count))
        dump.types = getattr(dump, "types", collections.defaultdict(lambda: [0, 0, 0]))
        total = [sum(value[i] for value in selves.values()) for i in range(2)]
        for (stack, type_id), (size, count) in known.items():
            if stack == "" and type_id is not None and not (is_old and stacks.keys() - {""}):
                row = dump.types[types.get(type_id, "[unknown]")]
                row[0] += count
                row[1] += size
                total = [total[0] - size, total[1] - count]
        dump.types["<other>"][0] += total[1]
        dump.types["<other>"][1] += total[0]
    return dump


class Maps:
    """Maps of heaps_v2, in which later dumps of a process may refer to earlier ones."""

    def __init__(self):
        self.strings, self.types, self.nodes = {}, {}, {}

    def add(self, maps):
        self.strings.update((row["id"], row["string"]) for row in maps.get("strings", []))
        for row in maps.get("types", []):
            self.types[row["id"]] = row["name"] if "name" in row else self.strings.get(row["name_sid"], "[unknown]")
        for row in maps.get("nodes", []):
            name = row["name"] if "name" in row else self.strings.get(row["name_sid"], "")
            self.nodes[row["id"]] = (name, row.get("parent", row.get("parent_id", -1)))


def read_heaps_v2(heaps, maps):
    maps.add(heaps.get("maps", {}))
    dump = Dump()
    for allocator, heap in heaps.items() if "allocators" not in heaps else heaps["allocators"].items():
        if allocator in ("maps", "version"):
            continue
        rows = next((heap[key] for key in ("nodes", "allocations", "items")
                     if heap.get(key) and isinstance(heap[key][0], dict)), None)
        if rows is None:
            columns = [heap.get("nodes", []), heap.get("types", []), heap.get("counts", heap.get("objects", [])),
                       heap.get("sizes", heap.get("bytes", []))]
            rows = zip(*columns)
        else:
            rows = [(row.get("node", row.get("node_id", 0)), row.get("type", row.get("type_id", 0)),
                     row.get("count", row.get("objects", 1)), row.get("size", row.get("bytes", 0))) for row in rows]
        for node, type_id, count, size in rows:
            dump.rows.append((stack_of(node, maps.nodes), maps.types.get(type_id, "[unknown]"), allocator, int(size),
                              int(count)))
    return dump


def read_frames(members):
    if "hierarchy" not in members:
        return {key: (frame["name"], frame.get("parent")) for key, frame in members.items()}
    frames, waiting = {}, [(members["hierarchy"], None)]
    while waiting:
        nested, parent = waiting.pop()
        for key, frame in nested.items():
            if key != "bt":
                own = frame.get("bt", object())  # a frame without an id is only a caller
                frames[own] = (members["names"][int(key)], parent)
                waiting.append((frame, own))
    return frames


def read_trace(document):
    events = document["traceEvents"] if isinstance(document, dict) else document
    frames, types = collections.defaultdict(dict), collections.defaultdict(dict)
    for event in events:
        arguments = event.get("args") or {}
        if "stackFrames" in arguments:
            frames[event["pid"]].update(read_frames(arguments["stackFrames"]))
        if "typeNames" in arguments:
            types[event["pid"]].update(arguments["typeNames"])
    dumps, maps = [], collections.defaultdict(Maps)
    for event in events:
        arguments = event.get("args") or {}
        parts = arguments.get("dumps") or {}
        parts = json.loads(parts) if isinstance(parts, str) else parts
        pid = event.get("pid")
        if "heaps" in parts:
            dumps.append(read_legacy(parts["heaps"], frames[pid], types[pid]))
        if "heaps_v2" in parts:
            dumps.append(read_heaps_v2(parts["heaps_v2"], maps[pid]))
        if event.get("name") == "heap_profile" and event.get("ph") == "P":
            dumps.append(read_heaps_v2(arguments["data"], maps[pid]))
    return dumps


def ask(heapcheck, path, what, snapshot):
    words = [heapcheck, "top", path, what, "--snapshot", str(snapshot), "--output", "json"]
    run = subprocess.run(words, capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def compare(heapcheck, path):
    """The number of dumps and rows that were compared, or None if heapcheck has no answer. Prints differences."""
    is_profile = ".heapprofile" in path
    if ask(heapcheck, path, "frames", 0) is None:
        return None
    document = read(path)
    dumps = read_profile(document) if is_profile else read_trace(document)
    count, differences = 0, 0
    for index, dump in enumerate(dumps):
        for what in ["frames"] if is_profile else ["frames", "types", "allocators"]:
            ours = dump.count(what)
            if what == "types" and hasattr(dump, "types"):
                ours = {name: (row[0], row[1], row[1]) for name, row in dump.types.items() if any(row)}
            answer = ask(heapcheck, path, what, index)
            theirs = {name_row(row): (row["count"] or 0, row["size"], row["cumulative"]) for row in answer["rows"]}
            for name in sorted(ours.keys() | theirs.keys()):
                count += 1
                if ours.get(name) != theirs.get(name):
                    differences += 1
                    print(f"{path}: dump {index}: {what}: {name!r}: found {theirs.get(name)}, expected {ours.get(name)}")
    return len(dumps), count, differences


def list_files(arguments):
    for argument in arguments:
        if not os.path.isdir(argument):
            yield argument
        for folder, _, names in sorted(os.walk(argument)):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(SUFFIXES))


def main():
    compared, left_out, rows, dumps, differences = 0, 0, 0, 0, 0
    for path in list_files(sys.argv[2:]):
        result = compare(sys.argv[1], path)
        if result is None:
            left_out += 1
            continue
        compared += 1
        dumps += result[0]
        rows += result[1]
        differences += result[2]
    print(f"{compared} files with {dumps} dumps and {rows} rows, {differences} differences; {left_out} files left out")
    return 1 if differences or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
