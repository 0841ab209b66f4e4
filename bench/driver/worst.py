"""Worst cases for the algorithms of heapcheck. Each has a function that writes a dump with `n` items of some kind.
MoarVM dumps are written in version 1, from which heapcheck makes the other versions."""
import dataclasses
import functools
import itertools

from driver import shapes, write
from driver.write import legacy_dump, legacy_names, numbered, trace, v2_dump

ENDINGS = {"mvmheap-v1": "txt", "chrome-legacy": "json", "heaps-v2": "json", "heapsnapshot": "heapsnapshot",
           "heaptimeline": "heaptimeline", "heapprofile": "heapprofile"}
MOAR = ("mvmheap-v1", "mvmheap-v2", "mvmheap-v3")
STRIDE = 1 << 32  # ids that differ only in their upper half


@dataclasses.dataclass
class Worst:
    name: str
    format: str      # of the file that `make` writes
    count: int       # of the smaller of the two inputs
    make: callable   # of a path and a count
    formats: tuple = ()  # to measure


# MoarVM

def moar(**make_rows):
    """Makes dumps whose tables have `n` rows each, from functions of `n`; with a tiny graph."""
    def make(path, n):
        rows = {name: rows_of(n) for name, rows_of in make_rows.items()}
        write.v1(path, **{"snapshots": tiny_snapshots(1), **rows})
    return make


def moar_shape(shape, path, n):
    write.v1(path, snapshots=[write.v1_graph(shape(n))])


def moar_typed(path, n):
    """Each object has its own type, and each type its own name."""
    write.v1(path, numbered(b'"T#"', n), numbered(b"0,#", n, 1), snapshots=[
        write.v1_graph(shapes.fan(n), lambda i: i - 1)])


def moar_frames(path, n):
    """Each node is a frame with its own static frame."""
    nodes = itertools.chain([b"9,0,0,0,0,%d" % (n - 1)], numbered(b"4,#,64,0,0,0", n - 1))
    write.v1(path, numbered(b'"f#"', n), frames=numbered(b"#,0,1,0", n, 2),
             snapshots=[(nodes, (b"1,%d,%d" % (i, i + 1) for i in range(n - 1)))])


def tiny_snapshots(n):
    return (([b"9,0,0,0,0,1", b"1,0,32,0,0,0"], [b"1,0,1"]) for _ in range(n))


def long_name(n):
    return [b'"' + b"x" * n + b'"']


def moar_cases():
    for name, shape in shapes.SHAPES.items():
        yield Worst(name, "mvmheap-v1", 250_000, functools.partial(moar_shape, shape), ("mvmheap-v3",))
    yield Worst("types-named", "mvmheap-v1", 250_000, moar_typed, MOAR)
    yield Worst("frames", "mvmheap-v1", 250_000, moar_frames, MOAR)
    yield Worst("snapshots", "mvmheap-v1", 50_000, moar(snapshots=tiny_snapshots), MOAR[:2])
    # The format requires a table after each snapshot that lists all of them, so its size is quadratic.
    yield Worst("snapshots", "mvmheap-v1", 1000, moar(snapshots=tiny_snapshots), MOAR[2:])
    tables = {
        "types": (2_500_000, moar(types=lambda n: itertools.repeat(b"0,1", n))),
        "strings-empty": (1_000_000, moar(names=lambda n: itertools.repeat(b'""', n))),
        "strings-alike": (1_000_000, moar(names=lambda n: itertools.repeat(b'"a"', n))),
        "strings-colliding": (60_000, moar(names=lambda n: (b'"%s"' % text for text in write.colliding_texts(n)))),
        "string-long": (16 << 20, moar(names=long_name)),
    }
    for name, (count, make) in tables.items():
        yield Worst(name, "mvmheap-v1", count, make, MOAR)


# V8

def snapshot_shape(shape, path, n):
    nodes, edges, counts = write.snapshot_graph(shape(n))
    write.snapshot(path, nodes, edges, [], counts)


def snapshot_nodes(node, strings=lambda n: [], more=lambda n: {}):
    """Snapshots whose root refers to nodes; `node` makes their first four fields."""
    def make(path, n):
        nodes, edges, counts = write.snapshot_graph(shapes.fan(n), node)
        write.snapshot(path, nodes, edges, strings(n), counts, more(n))
    return make


def snapshot_cases():
    for name, shape in shapes.SHAPES.items():
        yield Worst(name, "heapsnapshot", 250_000, functools.partial(snapshot_shape, shape))

    def own_name(i):
        return b"3,%d,%d,32" % (i + 3, 2 * i + 1)

    def string(i):
        return b"2,%d,%d,32" % (i + 3, 2 * i + 1)
    nodes = {
        "types-named": snapshot_nodes(own_name, lambda n: numbered(b'"T#"', n)),
        "strings-empty": snapshot_nodes(string, lambda n: itertools.repeat(b'""', n)),
        "strings-alike": snapshot_nodes(string, lambda n: itertools.repeat(b'"a"', n)),
        "ids-colliding": snapshot_nodes(lambda i: b"3,3,%d,32" % (i * STRIDE + 1)),
        "ids-falling": snapshot_nodes(lambda i: b"3,3,%d,32" % (2 * (10**9 - i) + 1)),
        "members-nested": snapshot_nodes(own_name, lambda n: numbered(b'"T#"', n),
                                         lambda n: {"more": b"[" * n + b"]" * n}),
    }
    for name, make in nodes.items():
        yield Worst(name, "heapsnapshot", 200_000, make)
    yield Worst("closures-alike", "heapsnapshot", 200_000, closures_alike)
    yield Worst("locations-alike", "heapsnapshot", 500_000, locations_alike)
    yield Worst("listeners-alike", "heapsnapshot", 100_000, listeners_alike)
    yield Worst("concatenations-right", "heapsnapshot", 100_000, concatenations_right)
    yield Worst("calls-deep", "heaptimeline", 100_000, timeline(tree_deep, lambda n: 2))
    yield Worst("calls-wide", "heaptimeline", 200_000, timeline(tree_wide, lambda n: n))
    yield Worst("strings-colliding", "heapsnapshot", 60_000, snapshot_nodes(
        string, lambda n: (b'"%s"' % text for text in write.colliding_texts(n))))
    yield Worst("string-long", "heapsnapshot", 16 << 20,
                lambda path, n: snapshot_nodes(string, lambda _: long_name(n))(path, 2))


def closures_alike(path, n):
    """Closures of one function, which have the same place and the same shared function; node 1 is that function."""
    shape = n, lambda i: range(1, n) if i == 0 else [1] if i > 1 else []
    nodes, _, counts = write.snapshot_graph(shape, lambda i: b"%d,4,%d,32" % (5 if i > 1 else 4, 2 * i + 1))
    edges = itertools.chain((b"1,%d,%d" % (k, 7 * (k + 1)) for k in range(n - 1)),
                            itertools.repeat(b"3,5,7", n - 2))
    write.snapshot(path, nodes, edges, [b'"f"', b'"shared"'], counts,
                   {"locations": ((b"%d,9,0,21,2" % (7 * i) for i in range(2, n)), b",")})


def listeners_alike(path, n):
    """Event listeners with one callback, node 1, all of whose `n` edges lead to one node with `n` edges, node 2."""
    shape = n, lambda i: range(1, n) if i == 0 else [2] * n if i == 1 else [3] * n if i == 2 else [1]
    nodes, _, counts = write.snapshot_graph(shape, lambda i: b"%d,%d,%d,32" % (
        (8, 4, 2 * i + 1) if i > 2 else (3, 3, 2 * i + 1)))
    _, targets = shape
    edges = (b"1,%d,%d" % (k if i < 3 else 1, 7 * target) for i in range(n) for k, target in enumerate(targets(i)))
    write.snapshot(path, nodes, edges, [b'"V8EventListener"'], counts)


def concatenations_right(path, n):
    """Concatenated strings, each of an empty string, node 1, and the concatenated string before it; node 2 is `a`."""
    shape = n, lambda i: range(1, n) if i == 0 else [1, i - 1] if i > 2 else []
    nodes, _, counts = write.snapshot_graph(shape, lambda i: b"%d,%d,%d,32" % (
        (10, 1, 2 * i + 1) if i > 2 else (2, 1 if i == 1 else 4, 2 * i + 1)))
    edges = itertools.chain((b"1,%d,%d" % (k, 7 * (k + 1)) for k in range(n - 1)),
                            (b"3,%d,%d" % pair for i in range(3, n) for pair in ((5, 7), (6, 7 * (i - 1)))))
    write.snapshot(path, nodes, edges, [b'"a"', b'"first"', b'"second"'], counts)


def locations_alike(path, n):
    """A node with `n` locations in as many scripts, which nothing names."""
    nodes, edges, counts = write.snapshot_graph(shapes.fan(2), lambda i: b"5,3,%d,32" % (2 * i + 1))
    write.snapshot(path, nodes, edges, [], counts, {"locations": (numbered(b"7,#,0,21,2", n), b",")})


def timeline(tree_of, functions):
    """A timeline with `n` calls, each of which allocated a node; `functions` is their number, of `n`."""
    def make(path, n):
        nodes, edges, counts = write.snapshot_graph(shapes.fan(n), call_of=lambda i: i + 1)
        count = functions(n)
        write.snapshot(path, nodes, edges, numbered(b'"f#"', count), counts, {
            "trace_function_infos": (itertools.chain([b"0,2,1,0,0,0"], (
                b"%d,%d,1,0,0,0" % (i, i + 4) for i in range(1, count))), b","),
            "trace_tree": tree_of(n, count), "samples": (numbered(b"#,#", n), b",")}, functions=count)
    return make


def tree_deep(n, functions):
    calls = (b"%d,%d,1,32,[" % (i + 2, 1 + i % (functions - 1)) for i in range(n - 1))
    return b"1,0,0,0,[" + b"".join(calls) + b"]" * n


def tree_wide(n, functions):
    calls = (b"%d,%d,1,32,[]" % (i + 2, 1 + i % (functions - 1)) for i in range(n - 1))
    return b"1,0,0,0,[" + b",".join(calls) + b"]"


def profile_deep(path, n):
    nodes = (write.profile_node(i + 2) for i in range(n))
    write.profile(path, [(nodes, b""), b"]}" * n])


def profile_wide(path, n):
    nodes = (write.profile_node(i + 2, b"f%d" % i) + b"]}" for i in range(n))
    write.profile(path, [(nodes, b",")], numbered(b'{"size":8,"nodeId":#,"ordinal":#}', n, 2))


def profile_colliding(path, n):
    nodes = (write.profile_node(i * STRIDE + 2, text) + b"]}" for i, text in enumerate(write.colliding_texts(n)))
    samples = (b'{"size":8,"nodeId":%d,"ordinal":%d}' % (i * STRIDE + 2, i) for i in range(n))
    write.profile(path, [(nodes, b",")], samples)


def profile_cases():
    yield Worst("deep", "heapprofile", 120_000, profile_deep)
    yield Worst("wide", "heapprofile", 120_000, profile_wide)
    yield Worst("names-colliding", "heapprofile", 60_000, profile_colliding)


# Chrome

def legacy_frames(parent_of):
    """Stack frames with these parents, and an allocation in each of them."""
    def make(path, n):
        frames = (b'"%d":{"name":"f%d","parent":"%d"}' % (i, i % 7, parent_of(i, n)) for i in range(1, n))
        sizes = itertools.chain([n], itertools.repeat(1, n - 1))
        entries = itertools.chain([b'{"size":"%x","bt":""}' % n],
                                  (b'{"size":"%x","bt":"%d"}' % (size, i) for i, size in enumerate(sizes)))
        trace(path, [legacy_names(b"stackFrames", itertools.chain([b'"0":{"name":"f"}'], frames)),
                     legacy_names(b"typeNames", []), legacy_dump(entries)])
    return make


def legacy_flat(frames, types, entries):
    def make(path, n):
        trace(path, [legacy_names(b"stackFrames", frames(n)), legacy_names(b"typeNames", types(n)),
                     legacy_dump(entries(n))])
    return make


def legacy_dumps(path, n):
    names = [legacy_names(b"stackFrames", [b'"0":{"name":"f"}']), legacy_names(b"typeNames", [])]
    dumps = (legacy_dump([b'{"size":"1","bt":""}', b'{"size":"1","bt":"0"}'], b"0x%x" % (i + 1)) for i in range(n))
    trace(path, itertools.chain(names, dumps))


def legacy_colliding(path, n):
    """Frames and types whose ids are texts that collide."""
    texts = list(write.colliding_texts(n))
    legacy_flat(lambda n: (b'"%s":{"name":"%s"}' % (text, text) for text in texts),
                lambda n: (b'"%d":"%s"' % pair for pair in enumerate(texts)),
                lambda n: (b'{"size":"1","bt":"%s","type":"%d"}' % (text, i) for i, text in enumerate(texts)))(path, n)


def v2_rows(n, node=lambda i: i + 1, kind=lambda i: 1):
    return [lambda: (b"%d" % node(i) for i in range(n)), lambda: (b"%d" % kind(i) for i in range(n)),
            lambda: itertools.repeat(b"1", n), lambda: itertools.repeat(b"8", n)]


def v2_nodes(node, id_of=lambda i: i + 1):
    """Nodes, for which `node` makes everything except the id, and an allocation in each of them."""
    def make(path, n):
        nodes = (b'{"id":%d,%s}' % (id_of(i), node(i, n)) for i in range(n))
        trace(path, [v2_dump(v2_rows(n, id_of), nodes, [b'{"id":1,"name_sid":1}'], [b'{"id":1,"string":"a"}'])])
    return make


def v2_named(text_of):
    """Nodes and types with their own names, which `text_of` makes from `n`."""
    def make(path, n):
        own = functools.partial(numbered, b'{"id":#,"name_sid":#}', n, 1)
        strings = (b'{"id":%d,"string":"%s"}' % pair for pair in enumerate(text_of(n), 1))
        trace(path, [v2_dump(v2_rows(n, kind=lambda i: i + 1), own(), own(), strings)])
    return make


def v2_dumps(path, n):
    maps = [[b'{"id":1,"name_sid":1}'], [b'{"id":1,"name_sid":1}'], [b'{"id":1,"string":"a"}']]
    trace(path, (v2_dump(v2_rows(1), *(maps if i == 0 else []), dump_id=b"0x%x" % (i + 1)) for i in range(n)))


def v2_long(path, n):
    v2_named(lambda _: [b"x" * n])(path, 1)


def nested_event(path, n):
    """A dump after an event whose arguments are nested."""
    nested = write.event(b"I", b"x", b'{"a":' + b"[" * n + b"]" * n + b"}")
    trace(path, [[nested], *[v2_dump(v2_rows(1), *[[b'{"id":1,"name_sid":1}']] * 2, [b'{"id":1,"string":"a"}'])]])


def legacy_processes(path, n):
    """A heap dump for each of many processes, which have names."""
    def process(i):
        pid = b"%d" % (i + 1)
        return [[write.event(b"M", b"process_name", b'{"name":"P%d"}' % i, pid=pid)],
                legacy_names(b"stackFrames", [b'"0":{"name":"f"}'], pid), legacy_names(b"typeNames", [], pid),
                legacy_dump([b'{"size":"1","bt":""}', b'{"size":"1","bt":"0"}'], pid=pid)]
    trace(path, itertools.chain.from_iterable(process(i) for i in range(n)))


def chrome_cases():
    yield Worst("chain", "chrome-legacy", 120_000, legacy_frames(lambda i, n: i - 1))
    yield Worst("star", "chrome-legacy", 120_000, legacy_frames(lambda i, n: 0))
    yield Worst("types-named", "chrome-legacy", 120_000, legacy_flat(
        lambda n: [b'"0":{"name":"f"}'], lambda n: numbered(b'"#":"T#"', n),
        lambda n: numbered(b'{"size":"1","bt":"0","type":"#"}', n)))
    yield Worst("names-colliding", "chrome-legacy", 60_000, legacy_colliding)
    yield Worst("dumps", "chrome-legacy", 30_000, legacy_dumps)
    yield Worst("processes", "chrome-legacy", 5_000, legacy_processes)

    def with_parent(parent):
        return lambda i, n: b'"name_sid":1' + (b',"parent":%d' % parent(i, n) if 0 < parent(i, n) <= n else b"")
    heaps = {
        "chain": (250_000, v2_nodes(with_parent(lambda i, n: i))),
        "chain-up": (250_000, v2_nodes(with_parent(lambda i, n: i + 2))),
        "star": (250_000, v2_nodes(with_parent(lambda i, n: 1 if i else 0))),
        "ids-colliding": (120_000, v2_nodes(lambda i, n: b'"name_sid":1', lambda i: i * STRIDE + 1)),
        "types-named": (120_000, v2_named(lambda n: numbered(b"T#", n))),
        "names-colliding": (60_000, v2_named(write.colliding_texts)),
        "strings-empty": (120_000, v2_named(lambda n: itertools.repeat(b"", n))),
        "string-long": (16 << 20, v2_long),
        "dumps": (30_000, v2_dumps),
        "events-nested": (200_000, nested_event),
    }
    for name, (count, make) in heaps.items():
        yield Worst(name, "heaps-v2", count, make)


def list_cases():
    return [*moar_cases(), *snapshot_cases(), *profile_cases(), *chrome_cases()]
