"""Writes dumps piece by piece, from rows that are made one by one."""
import itertools
import json
import sys

from driver.inputs import ROOT

sys.path += [str(ROOT / "corpus"), str(ROOT / "fuzz")]
import colliding  # noqa: E402
import heapsnapshot_seeds  # noqa: E402

PIECE = 10_000  # items that are written at once


def write_items(file, items, separator):
    """Writes the items with separators between them."""
    items, before = iter(items), b""
    while piece := list(itertools.islice(items, PIECE)):
        file.write(before + separator.join(piece))
        before = separator


def write_parts(path, parts):
    """Writes parts that are bytes unchanged, and other parts as items with the separator."""
    with open(path, "wb") as file:
        for part in parts:
            file.write(part) if isinstance(part, bytes) else write_items(file, *part)


def numbered(form, count, start=0):
    return (form.replace(b"#", b"%d" % i) for i in range(start, start + count))


def colliding_texts(count):
    """Texts of 48 bytes with the same std::hash of libstdc++, for which tables without a key need quadratic time."""
    state, pieces = colliding.SEED ^ 48 * colliding.MULTIPLIER & colliding.MASK, []
    for _ in range(3):
        found, state = colliding.find_pieces(state, 64)
        pieces.append(found)
    return (b"".join(parts) for parts in itertools.islice(itertools.product(*pieces), count))


# MoarVM, version 1

def v1(path, names=(), types=(b"0,1",), frames=(), snapshots=()):
    """Each snapshot is a pair: its collectables and its references. The first two names are always present."""
    parts = [b"strings: [", (itertools.chain([b'"P6opaque"', b'"T"'], names), b","), b"]\ntypes: ", (types, b";"),
             b"\nstatic_frames: ", (frames, b";"), b"\n\n"]
    numbers = itertools.count()
    snapshots = (part for collectables, references in snapshots
                 for part in (b"snapshot %d\ncollectables: " % next(numbers), (collectables, b";"), b"\nreferences: ",
                              (references, b";"), b"\n\n"))
    write_parts(path, itertools.chain(parts, snapshots))


def v1_graph(shape, type_of=lambda i: 0):
    """The snapshot of a shape: the collectables and the references."""
    count, targets = shape

    def collectables():
        first = 0
        for i in range(count):
            edges = len(targets(i))
            kind = b"9,0,0,0" if i == 0 else b"1,%d,32,0" % type_of(i)
            yield kind + b",%d,%d" % (first if edges else 0, edges)
            first += edges
    return collectables(), (b"1,%d,%d" % (k, target) for i in range(count) for k, target in enumerate(targets(i)))


# V8

def snapshot(path, nodes, edges, strings, counts, more=(), functions=0):
    """A heap snapshot with these rows; `more` replaces other sections, and `counts` are numbers of nodes and edges."""
    head = {**heapsnapshot_seeds.SMALL["snapshot"], "node_count": counts[0], "edge_count": counts[1],
            "trace_function_count": functions}
    kinds, *types = head["meta"]["node_types"]
    head["meta"] = {**head["meta"], "node_types": [[*kinds, "concatenated string"], *types]}
    compact = json.dumps(head, separators=(",", ":")).encode()
    sections = {"nodes": (nodes, b","), "edges": (edges, b","), "trace_function_infos": b"", "trace_tree": b"",
                "samples": b"", "locations": b"", "scopes": b"", "scope_context_vars": b"", "scope_uses": b"",
                **dict(more), "strings": (itertools.chain([b'"<dummy>"', b'""', b'"(root)"', b'"T"'], strings), b",")}
    parts = [b'{"snapshot":' + compact]
    for name, rows in sections.items():
        parts += [b',\n"%s":[' % name.encode(), rows, b"]"]
    write_parts(path, [*parts, b"}"])


def snapshot_graph(shape, node=lambda i: b"3,3,%d,32" % (2 * i + 1), call_of=lambda i: 0):
    """The nodes and edges of a shape, and their numbers; `node` makes the first four fields of a node, `call_of` the id
    of the call that allocated it."""
    count, targets = shape
    nodes = ((b"9,2,1,0" if i == 0 else node(i)) + b",%d,%d,0" % (len(targets(i)), 0 if i == 0 else call_of(i))
             for i in range(count))
    edges = (b"1,%d,%d" % (k, 7 * target) for i in range(count) for k, target in enumerate(targets(i)))
    return nodes, edges, (count, sum(len(targets(i)) for i in range(count)))


def profile_node(i, name=b"f"):
    return (b'{"callFrame":{"functionName":"%s","scriptId":"1","url":"","lineNumber":0,"columnNumber":0},"selfSize":8,'
            b'"id":%d,"children":[' % (name, i))


def profile(path, nodes, samples=()):
    """`nodes` are the parts of the children of the root."""
    write_parts(path, [b'{"head":' + profile_node(1, b"(root)").replace(b":8", b":0"), *nodes, b']},"samples":[',
                       (samples, b","), b"]}"])


def bushy_profile(path, count):
    """A profile of `count` functions with eight callees each, and a sample for each of these."""
    def node(i):
        callees = b",".join(profile_node(9 * i + k + 2, b"g%d" % (i % 97 * 8 + k)) + b"]}" for k in range(1, 9))
        return profile_node(9 * i + 2, b"f%d" % (i % 997)) + callees + b"]}"
    samples = (b'{"size":8,"nodeId":%d,"ordinal":%d}' % (9 * (k // 8) + k % 8 + 3, k + 1) for k in range(8 * count))
    profile(path, [((node(i) for i in range(count)), b",")], samples)


# Chrome

def event(phase, name, args, more=b"", pid=b"7"):
    return (b'{"pid":' + pid + b',"tid":7,"ts":5,"ph":"' + phase + b'","cat":"x","name":"' + name + b'","args":' + args
            + more + b"}")


def legacy_dump(entries, dump_id=b"0x1", pid=b"7"):
    """The parts of an event."""
    head, tail = event(b"v", b"periodic_interval", b'{"dumps":{"heaps":{"malloc":{"entries":[?]}},'
                       b'"level_of_detail":"detailed"}}', b',"id":"' + dump_id + b'"', pid).split(b"?")
    return [head, (entries, b","), tail]


def legacy_names(kind, members, pid=b"7"):
    head, tail = event(b"M", kind, b'{"' + kind + b'":{?}}', pid=pid).split(b"?")
    return [head, (members, b","), tail]


def trace(path, events):
    """`events` are lists of parts."""
    parts = (part for i, parts in enumerate(events) for part in ([b",\n"] if i else []) + parts)
    write_parts(path, itertools.chain([b'{"traceEvents":['], parts, [b"]}\n"]))


def v2_dump(rows, nodes=(), types=(), strings=(), pid=b"7", dump_id=b"0x1"):
    """An event with the dump of one allocator. `rows` are four functions that make the columns."""
    columns = [part for name, make in zip((b"nodes", b"types", b"counts", b"sizes"), rows)
               for part in (b',"' + name + b'":[', (make(), b","), b"]")]
    columns[0] = columns[0][1:]
    maps = [part for name, items in ((b"nodes", nodes), (b"types", types), (b"strings", strings))
            for part in (b',"' + name + b'":[', (items, b","), b"]")]
    maps[0] = maps[0][1:]
    head, tail = event(b"v", b"periodic_interval", b'{"dumps":{"heaps_v2":{"version":1,"allocators":{"malloc":{?',
                       b',"id":"' + dump_id + b'"', pid).split(b"?")
    return [head, *columns, b'}},"maps":{', *maps, b'}},"level_of_detail":"detailed"}}' + tail]
