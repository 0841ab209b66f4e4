#!/usr/bin/env python3
"""Writes hostile inputs, each with as much as possible of something that is expensive to process.

    fuzz/large_inputs.py DIR [SIZE]   writes DIR/<slug>/<name> of up to SIZE bytes, by default 1,000,000

fuzz/large runs the targets on them, and fuzz/large_commands.py the commands.

Needs only Python's standard library.
"""
import gzip
import itertools
import pathlib
import struct
import sys
import zlib

sys.dont_write_bytecode = True  # corpus/ may contain only files that the manifest lists
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "corpus"))

import colliding
import heapsnapshot_seeds
import legacy_seeds
import make_seeds
from heaps_v2_seeds import compact

SIZE = int(sys.argv[2]) if len(sys.argv) == 3 else 1_000_000
MOST = 2**64 - 1


def fill(head, items, tail, size=SIZE):
    """Returns head, as many items as there is room for, and tail, in at most size bytes."""
    parts, left = [head], size - len(head) - len(tail)
    for item in items:
        if len(item) > left:
            break
        parts.append(item)
        left -= len(item)
    return b"".join(parts) + tail


def repeat(text):
    return itertools.repeat(text)


def numbered(form, start=0):
    return (form.replace(b"#", b"%d" % i) for i in itertools.count(start))


def listed(items, comma=b","):
    """Joins the items with commas."""
    for i, item in enumerate(items):
        yield comma + item if i else item


def deep(head, opening, closing, tail, middle=b"", size=SIZE):
    depth = (size - len(head) - len(middle) - len(tail)) // (len(opening) + len(closing))
    return head + opening * depth + middle + closing * depth + tail


# zstd and gzip

def bomb_frame(content_bytes):
    """A zstd frame of blocks that repeat a NUL byte: 4 bytes for 128 KiB of content."""
    block = 128 * 1024
    frame = bytearray(b"\x28\xb5\x2f\xfd\x00\x60")
    while content_bytes > 0:
        piece = min(block, content_bytes)
        content_bytes -= piece
        frame += struct.pack("<I", piece << 3 | 2 | (content_bytes == 0))[:3] + b"\0"
    return bytes(frame)


def bomb_gzip(megabytes):
    packer = zlib.compressobj(wbits=31)
    zeros = bytes(SIZE)
    return b"".join([packer.compress(zeros) for _ in range(megabytes)] + [packer.flush()])


def transport():
    largest = b"\x28\xb5\x2f\xfd\x00\x60" + struct.pack("<I", 131072 << 3 | 2)[:3] + b"["
    return {
        "bomb.zst": fill(largest[:6], repeat(largest[6:]), b""),
        "bomb.gz": bomb_gzip(1000)[:SIZE],
        "members.gz": fill(b"", repeat(gzip.compress(b"", mtime=0)), b""),
        "frames.zst": fill(b"", repeat(b"\x28\xb5\x2f\xfd\x00\x60\x01\x00\x00"), b""),
        "empty-blocks.zst": fill(largest[:6], repeat(bytes(3)), b""),
    }


# MoarVM, version 3

def block_v3(kind, frame):
    head = struct.pack("<Q", 0) if kind == "strings" else struct.pack("<HQ", make_seeds.ENTRY_BYTES[kind], 0)
    return kind.encode().ljust(8, b"\0") + head + frame


def toc_v3(entries, start=0):
    return b"toc".ljust(8, b"\0") + struct.pack("<Q", len(entries)) + b"".join(entries) + struct.pack("<Q", start)


def graph_v3(columns):
    dump = make_seeds.Dump(1)
    make_seeds.add_snapshot(dump, [1, 1, 0, 0, 0, 0, 0, 0], columns, [])
    dump.end_part()
    return bytes(dump.bytes)


def chain_columns(count):
    """A root and a chain of objects, each of which refers to the next one."""
    return {"colkind": [9] + [1] * (count - 1), "colsize": [0] * count, "coltofi": [0] * count,
            "colrfcnt": [1] * (count - 1) + [0], "colrfstr": list(range(count)), "colusize": [0] * count,
            "refdescr": [2] * (count - 1), "reftrget": list(range(1, count)),
            "reprname": [0], "typename": [0]}


def wrong_columns(count):
    """Columns in which every value breaks a rule."""
    most = {2: 0xFFFF, 4: 0xFFFFFFFF, 8: MOST}
    return {kind: [most[size]] * count for kind, size in make_seeds.ENTRY_BYTES.items() if size != 4 or kind == "coltofi"}


def mvmheap_v3():
    start = bytes(make_seeds.Dump(1).bytes)
    meta = b"snapmeta" + struct.pack("<Q", 3) + b"{}\0"
    everywhere = numbered_entries(b"colkind\0", 7)

    def snapshot(content_bytes):
        kinds = list(make_seeds.ENTRY_BYTES)[:8]
        return meta + b"".join(block_v3(kind, bomb_frame(content_bytes)) for kind in kinds)
    return {
        "bomb-frame": fill(start + block_v3("colkind", bomb_frame(0)[:6]), repeat(bomb_frame(1 << 20)[6:10]), b""),
        "bomb-frames": fill(start, repeat(block_v3("strings", bomb_frame(1 << 20))), b""),
        "bomb-columns": fill(start, repeat(block_v3("colkind", bomb_frame(1 << 20))), b""),
        "bomb-snapshots": fill(start, repeat(snapshot(1 << 20)), b""),
        "small-bombs": fill(start, repeat(snapshot(1 << 17)), b""),
        "empty-columns": fill(start, repeat(block_v3("colsize", bomb_frame(0) + b"\x01\x00\x00")), b""),
        "empty-tocs": fill(start, repeat(toc_v3([])), b""),
        "empty-strings": fill(start, repeat(block_v3("strings", b"\x28\xb5\x2f\xfd\x00\x60\x01\x00\x00")), b""),
        "snapmetas": fill(start, repeat(meta), b""),
        "long-snapmeta": start + b"snapmeta" + struct.pack("<Q", SIZE - 300)
                         + fill(b"{", listed(numbered(b'"#":1')), b"}\0", SIZE - 300),
        "toc-everywhere": start + toc_v3(list(itertools.islice(everywhere, 41_000)), len(start)),
        "tocs-everywhere": fill(start, (toc_v3(list(itertools.islice(everywhere, 20))) for _ in itertools.count()), b""),
        "toc-huge-count": (start + b"toc".ljust(8, b"\0") + struct.pack("<Q", MOST // 24)).ljust(SIZE, b"\xff"),
        "meta-huge-size": (start + b"snapmeta" + struct.pack("<Q", MOST)).ljust(SIZE, b"x"),
        "unknown-kinds": fill(start, numbered(b"kind#\0\0\0\0\0\0\0"), b""),
        "chain": graph_v3(chain_columns(22_000)),
        "all-rules": graph_v3(wrong_columns(15_000)),
        "strings-colliding": start + block_v3("strings", make_seeds.stored_frame(
            b"".join(colliding.in_form(struct.pack("<I", colliding.TEXT_BYTES) + b"#", colliding.texts())))),
        "same-strings": start + block_v3("strings", make_seeds.stored_frame(fill(b"", repeat(b"\1\0\0\0x"), b"", 990_000))),
    }


def numbered_entries(kind, step):
    """Entries of a table of contents that start at regular intervals."""
    return (kind + struct.pack("<QQ", at % SIZE, (at + 50) % SIZE) for at in itertools.count(16, step))


# MoarVM, version 2

def section_v2(tag, content, count, entry_bytes):
    return tag + struct.pack("<QQ", count, entry_bytes) + content


def strings_v2(content, count):
    return b"strs" + struct.pack("<Q", count) + content


def collectable_v2(kind=1, start=0, count=0):
    return struct.pack("<HIHQQI", kind, 0, 8, 0, start, count)


def end_v2(snapshots=0, strings=(b"", 0)):
    rows = strings_v2(*strings) + section_v2(b"type", b"", 0, 16) + section_v2(b"fram", b"", 0, 32)
    return rows + bytes(32) * (snapshots + 1)


def pair_v2(collectables, references):
    return (section_v2(b"coll", b"".join(collectables), len(collectables), 28) +
            section_v2(b"refs", b"".join(references), len(references), 17))


def snapshots_v2(rows):
    """As many snapshots as there is room for, with their index."""
    one = pair_v2([collectable_v2(9)], []) + rows
    count = (SIZE - 200) // (len(one) + 32)
    entry = struct.pack("<4Q", 48, 20, 0, len(rows))
    trailer = struct.pack("<4Q", 12, 20, 20, count)
    return b"MoarHeapDumpv002" + one * count + end_v2()[:-32] + entry * count + trailer


def mvmheap_v2():
    start = b"MoarHeapDumpv002"
    rows = end_v2()[:-32]
    chain = 25_000
    links = [b"1" + struct.pack("<BHH", 2, 0, i) for i in range(1, chain)]
    objects = [collectable_v2(9 if i == 0 else 1, i, int(i + 1 < chain)) for i in range(chain)]
    names = strings_v2(fill(b"", repeat(bytes(8)), b"", 999_000), 124_875)
    wide = fill(b"", repeat(b"6" + struct.pack("<BQQ", 3, MOST, MOST)), b"", 500_000)
    return {
        "snapshots": snapshots_v2(b""),
        "snapshots-with-rows": snapshots_v2(rows),
        "tiny-sections": fill(start, repeat(section_v2(b"coll", b"", 0, 28)), b""),
        "rows-only": fill(start + pair_v2([collectable_v2(9)], []), repeat(rows), b""),
        "wrong-counts": fill(start, repeat(section_v2(b"coll", collectable_v2(9), MOST, 28)), b""),
        "wrong-counts-of-all": fill(start, repeat(section_v2(b"coll", b"", MOST, 28) + section_v2(b"refs", b"", MOST, 17)
                                                  + strings_v2(b"", MOST) + section_v2(b"type", b"", MOST, 16)
                                                  + section_v2(b"fram", b"", MOST, 32)), b""),
        "count-huge": (start + b"coll" + struct.pack("<QQ", MOST, 28)).ljust(SIZE, b"\xff"),
        "tags-only": fill(start, repeat(b"collrefsstrstypefram"), b""),
        "tags-in-strings": start + strings_v2(fill(b"", repeat(struct.pack("<Q", 4) + b"coll"), b"", 990_000), 82_500),
        "wrong-lengths": start + pair_v2([collectable_v2(9)], [])
                         + strings_v2(fill(b"", repeat(struct.pack("<Q", 900_000) + b"abc"), b"", 990_000), 90_000),
        "length-huge": (start + pair_v2([collectable_v2(9)], []) + strings_v2(struct.pack("<Q", MOST), 9)).ljust(SIZE, b"x"),
        "empty-strings": start + names + end_v2()[12:],
        "strings-colliding": start + pair_v2([collectable_v2(9)], []) + end_v2(1, (b"".join(
            colliding.in_form(struct.pack("<Q", colliding.TEXT_BYTES) + b"#", colliding.texts())), len(colliding.texts()))),
        "types": start + strings_v2(b"", 0) + section_v2(b"type", b"\xff" * 990_000, 61_875, 16),
        "chain": start + pair_v2(objects, links) + end_v2(1),
        "wide-references": start + pair_v2([collectable_v2(77, MOST, 0xFFFFFFFF)] * 17_000, []) [:-20]
                           + section_v2(b"refs", wide, len(wide) // 18, 17) + end_v2(1),
        "wrong-widths": start + pair_v2([collectable_v2(9)], []) [:-20] + section_v2(b"refs", b"9" * 990_000, MOST, 17),
        "index-only": start + end_v2(30_000)[:-32] + struct.pack("<4Q", 12, 20, 20, 30_000),
    }


# MoarVM, version 1

def mvmheap_v1():
    head = b'strings: ["a"]\ntypes: 0,0\nstatic_frames: 0,0,1,0\n\n'
    snapshot = b"snapshot 0\ncollectables: "
    objects = b"1,0,8,0,#,1"
    return {
        "lines": fill(b"strings: []\n", repeat(b"\n"), b""),
        "comments": fill(b"strings: []\n", repeat(b"#\n"), b""),
        "unknown-lines": fill(b"strings: []\n", repeat(b"x\n"), b""),
        "names": fill(b"strings: [", listed(repeat(b'""')), b"]\n"),
        "same-names": fill(b"strings: [", listed(repeat(b'"a"')), b"]\ntypes: 0,0\n"),
        "names-colliding": fill(b"strings: [", listed(colliding.in_form(b'"#"', colliding.texts())), b"]\n"),
        "quotes": fill(b"strings: [", repeat(b'"'), b"]\n"),
        "separators": fill(b'strings: ["', repeat(b'","'), b""),
        "escapes": fill(b'strings: ["', repeat(b"\\"), b'"]\n'),
        "escaped-separators": fill(b'strings: ["', repeat(b'\\","\\\\","'), b'"]\n'),
        "ends-of-strings": fill(b'strings: ["', repeat(b'"]\n'), b""),
        "line-feeds-in-names": fill(b"strings: [", listed(repeat(b'"\n"')), b"]\n"),
        "snapshots": fill(head, numbered(b"snapshot #\ncollectables: \nreferences: \n\n"), b""),
        "snapshots-with-root": fill(head, numbered(b"snapshot #\ncollectables: 9,0,0,0,0,0\nreferences: \n\n"), b""),
        "heads": fill(head, repeat(b"snapshot 0\n"), b""),
        "tables": fill(b"", repeat(b"strings: []\ntypes: \nstatic_frames: \n"), b""),
        "collectables": fill(head + snapshot, listed(numbered(objects), b";"), b"\nreferences: \n\n"),
        "references": fill(head + snapshot + b"9,0,0,0,0,1\nreferences: ", listed(repeat(b"0,0,0"), b";"), b"\n\n"),
        "chain": fill(head + snapshot + fill(b"", listed(numbered(objects), b";"), b"\nreferences: ", 550_000),
                      listed(numbered(b"0,0,#", 1), b";"), b"\n\n", 990_000),
        "wrong-references": fill(head + snapshot + b"9,0,0,0,0,1\nreferences: ", listed(repeat(b"9,9,9"), b";"), b"\n\n"),
        "empty-items": fill(head + snapshot, repeat(b";"), b"\n"),
        "one-number": fill(head + snapshot, repeat(b"9"), b"\n"),
        "one-item": fill(head + snapshot, repeat(b"9,"), b"\n"),
    }


# JSON

def json_core():
    return {
        "arrays-open": b"[" * SIZE,
        "arrays-nested": deep(b"", b"[", b"]", b""),
        "objects-nested": deep(b"", b'{"":', b"}", b"", b"0"),
        "arrays-empty": fill(b"[", listed(repeat(b"[]")), b"]"),
        "escapes": fill(b'["', repeat(b"\\u0000"), b'"]'),
        "short-escapes": fill(b'["', repeat(b"\\n"), b'"]'),
        "surrogates": fill(b'["', repeat(b"\\ud83d"), b'"]'),
        "empty-texts": fill(b"[", listed(repeat(b'""')), b"]"),
        "one-text": fill(b'["', repeat(b"x"), b'"]'),
        "one-text-open": b'"'.ljust(SIZE, b"x"),
        "ill-formed-utf8": fill(b'["', repeat(b"\xed\xa0\x80"), b'"]'),
        "one-number": fill(b"[", repeat(b"9"), b"]"),
        "one-fraction": fill(b"[0.", repeat(b"9"), b"e-999999999]"),
        "one-exponent": fill(b"[1e", repeat(b"9"), b"]"),
        "numbers": fill(b"[", listed(repeat(b"9")), b"]"),
        "large-numbers": fill(b"[", listed(repeat(b"18446744073709551615")), b"]"),
        "keys": fill(b"{", listed(numbered(b'"#":0')), b"}"),
        "keys-colliding": fill(b"{", listed(colliding.in_form(b'"#":0', colliding.texts())), b"}"),
        "same-keys": fill(b"{", listed(repeat(b'"a":0')), b"}"),
        "blanks": b"[".ljust(SIZE),
        "commas": fill(b"[", repeat(b","), b"]"),
    }


# V8

def heapsnapshot(**sections):
    """A snapshot like those of V8, with different sections, passed as the bytes between their brackets."""
    head = compact(heapsnapshot_seeds.SMALL["snapshot"]).encode()
    texts = {name: compact(value)[1:-1].encode() for name, value in heapsnapshot_seeds.SMALL.items() if name != "snapshot"}
    texts.update(sections)
    return b'{"snapshot":' + head + b"".join(b',"%s":[%s]' % (name.encode(), text) for name, text in texts.items()) + b"}"


def dense(section, items):
    size = SIZE - len(heapsnapshot(**{section: b""}))
    return heapsnapshot(**{section: fill(b"", listed(items), b"", size)})


def with_meta(fields):
    whole = heapsnapshot()
    key = b'"meta":{'
    at = whole.index(key) + len(key)
    return fill(whole[:at], fields, whole[at:])


def v8_heapsnapshot():
    node, edge = b"3,1,#,8,0,0,0", b"1,#,7"
    chain = fill(b"9,1,1,0,1,0,0", numbered(b",3,1,#,8,1,0,0", 2), b"", 550_000)
    links = fill(b"", listed(b"1,0,%d" % (7 * i) for i in itertools.count(1)), b"", 400_000)
    before, after = heapsnapshot(trace_tree=b"?").split(b"?")
    many = b'"node_fields":[' + fill(b"", listed(numbered(b'"f#"')), b"", 400_000) + b"],"
    return {
        "nodes": dense("nodes", numbered(node)),
        "nodes-of-same-id": dense("nodes", repeat(b"3,1,7,8,0,0,0")),
        "nodes-alike-in-hash": dense("nodes", (b"3,1,%d,8,0,0,0" % (i << 32) for i in itertools.count())),
        "nodes-colliding": dense("nodes", colliding.in_form(node, colliding.numbers())),
        "functions-colliding": dense("trace_function_infos", colliding.in_form(b"#,9,9,9,9,9", colliding.numbers())),
        "strings-colliding": dense("strings", colliding.in_form(b'"#"', colliding.texts())),
        "meta-members-colliding": with_meta(colliding.in_form(b'"#":[],', colliding.texts())),
        "sections-colliding": fill(heapsnapshot()[:-1], colliding.in_form(b',"#":[]', colliding.texts()), b"}"),
        "nodes-all-wrong": dense("nodes", repeat(b"99,99,9,9,9,9,9")),
        "nodes-no-integers": dense("nodes", repeat(b"-1,1.5,1e9,null,[],{}")),
        "edges": dense("edges", numbered(edge)),
        "edges-all-wrong": dense("edges", repeat(b"9,9,9")),
        "chain": heapsnapshot(nodes=chain, edges=links),
        "strings-same": dense("strings", repeat(b'"a"')),
        "strings-empty": dense("strings", repeat(b'""')),
        "strings": dense("strings", numbered(b'"#"')),
        "strings-wrong": dense("strings", repeat(b"0")),
        "tree-deep": deep(before, b"1,0,0,0,[", b"]", after),
        "tree-wide": dense("trace_tree", repeat(b"1,0,0,0,[]")),
        "tree-steps": dense("trace_tree", repeat(deep(b"", b"1,0,0,0,[", b"]", b"", size=9000))),
        "functions": dense("trace_function_infos", numbered(b"#,9,9,9,9,9")),
        "samples": dense("samples", repeat(b"9,1")),
        "locations": dense("locations", repeat(b"3,3,3,3,3")),
        "scopes": dense("scopes", repeat(b"21,-2,0,1,1")),
        "scope-uses": dense("scope_uses", repeat(b"-9,0")),
        "scope-variables": dense("scope_context_vars", repeat(b"9")),
        "meta-members": with_meta(numbered(b'"m#":[],')),
        "meta-same-members": with_meta(repeat(b'"node_types":[],')),
        "meta-columns": with_meta([many]),
        "meta-same-columns": with_meta([many.replace(b"f", b"").replace(b"node_ields", b"node_fields")]),
        "meta-types": with_meta([b'"edge_types":[[' + fill(b"", listed(numbered(b'"t#"')), b"", 900_000) + b"]],"]),
        "sections": fill(heapsnapshot()[:-1], numbered(b',"s#":[]'), b"}"),
        "same-sections": fill(heapsnapshot()[:-1], repeat(b',"nodes":[]'), b"}"),
        "header-members": fill(b'{"snapshot":{', listed(numbered(b'"h#":0')), b"}}"),
    }


def profile_node(children, node_id=b"#", name=b"f", more=b""):
    return (b'{"callFrame":{"functionName":"' + name + b'","scriptId":"1","url":"","lineNumber":0,"columnNumber":0},'
            b'"selfSize":1,"id":' + node_id + more + b',"children":[' + children)


def v8_heapprofile():
    root = b'{"head":' + profile_node(b"", b"1", b"(root)")
    tail = b']},"samples":[]}'
    small = b'{"callFrame":{},"selfSize":0,"children":['
    sample = b'{"size":1,"nodeId":1,"ordinal":#}'
    samples = root + b']},"samples":['
    return {
        "deep": deep(root, small, b"]}", tail),
        "deep-with-memory": deep(root, small.replace(b'"selfSize":0', b'"selfSize":8'), b"]}", tail),
        "deep-open": fill(root, repeat(small), b""),
        "steps": fill(root, listed(repeat(deep(b"", small, b"]}", b"", size=30_000))), tail),
        "wide": fill(root, listed(numbered(profile_node(b"]}"), 2)), tail),
        "wide-small": fill(root, listed(repeat(small + b"]}")), tail),
        "same-ids": fill(root, listed(repeat(profile_node(b"]}", b"1"))), tail),
        "ids-colliding": fill(root, listed(colliding.in_form(small[:-13] + b',"id":#,"children":[]}', colliding.numbers())), tail),
        "names-colliding": fill(root, listed(colliding.in_form(
            b'{"callFrame":{"functionName":"#"},"selfSize":0,"children":[]}', colliding.texts())), tail),
        "samples-colliding": fill(samples, listed(colliding.in_form(b'{"size":1,"nodeId":#,"ordinal":#}', colliding.numbers())),
                                  b"]}"),
        "no-nodes": fill(root, listed(repeat(b"0")), tail),
        "empty-nodes": fill(root, listed(repeat(b"{}")), tail),
        "unknown-members": fill(root, listed(numbered(profile_node(b"]}", more=b',"m#":0'), 2)), tail),
        "members-of-one-node": fill(root + b"]", numbered(b',"m#":0'), b"}}"),
        "same-members": fill(root + b"]", repeat(b',"id":1'), b"}}"),
        "samples": fill(samples, listed(numbered(sample)), b"]}"),
        "same-samples": fill(samples, listed(repeat(b'{"size":1,"nodeId":1,"ordinal":1}')), b"]}"),
        "samples-of-no-node": fill(samples, listed(numbered(b'{"size":9,"nodeId":#,"ordinal":1}', 9)), b"]}"),
        "samples-first": fill(b'{"samples":[', listed(numbered(sample)), b"]," + (root + tail[:2])[1:] + b"}"),
        "empty-samples": fill(samples, listed(repeat(b"{}")), b"]}"),
    }


# Chrome

def trace_events(items):
    return fill(b'{"traceEvents":[', listed(items), b"]}")


def in_event(head, items, tail, more=b""):
    """One long event of a trace."""
    return fill(b'{"traceEvents":[' + head, listed(items), tail + more + b"]}")


EVENT_V2 = b'{"pid":1,"ts":1,"ph":"v","name":"x","id":"0x1","args":{"dumps":{"heaps_v2":{"version":1,'
MAPS_V2 = b'"maps":{"nodes":[{"id":1,"name_sid":1}],"types":[{"id":1,"name_sid":1}],"strings":[{"id":1,"string":"a"}]}'


def heaps_v2():
    def column(name, count, form=b"1"):
        return b'"' + name + b'":[' + b",".join(itertools.islice(numbered(form), count)) + b"]"

    def rows(count, form):
        return (b'"allocators":{"malloc":{' + b",".join(column(name, count, form if name == b"nodes" else b"1")
                                                        for name in (b"nodes", b"types", b"counts", b"sizes")) + b"}},")

    def mapped(head, items):
        return in_event(EVENT_V2 + b'"allocators":{},"maps":{' + head, items, b"]}}}}}")
    event = EVENT_V2 + b'"allocators":{},"maps":{}}}}}'
    empty = b'"a#":{}'
    return {
        "events": trace_events(repeat(b"{}")),
        "no-events": trace_events(repeat(b"0")),
        "dumps": trace_events(repeat(event)),
        "dumps-of-processes": trace_events(numbered(event.replace(b'"pid":1', b'"pid":#'))),
        "dumps-by-id": trace_events(numbered(event.replace(b"0x1", b"0x#"))),
        "dumps-with-maps": trace_events(numbered((EVENT_V2 + MAPS_V2 + b"}}}}").replace(b'"id":1', b'"id":#'))),
        "names-of-processes": trace_events(numbered(b'{"ph":"M","name":"process_name","pid":#,"args":{"name":"p"}}')),
        "processes-colliding": trace_events(colliding.in_form(
            b'{"ph":"M","name":"process_name","pid":#,"args":{}}', colliding.numbers())),
        "allocators-colliding": in_event(EVENT_V2 + b'"maps":{},"allocators":{', colliding.in_form(b'"#":{}', colliding.texts()),
                                         b"}}}}}"),
        "nodes-colliding": mapped(b'"nodes":[', colliding.in_form(b'{"id":#,"name_sid":1}', colliding.numbers())),
        "strings-colliding": mapped(b'"strings":[', colliding.in_form(b'{"id":#,"string":"s"}', colliding.numbers())),
        "texts-colliding": mapped(b'"strings":[', (b'{"id":%d,"string":"%s"}' % pair for pair in enumerate(colliding.texts(), 1))),
        "allocators": in_event(EVENT_V2 + b'"maps":{},"allocators":{', numbered(empty), b"}}}}}"),
        "same-allocators": in_event(EVENT_V2 + b'"maps":{},"allocators":{', repeat(b'"a":{}'), b"}}}}}"),
        "allocators-of-sizes": trace_events([EVENT_V2 + rows(1, b"1") + MAPS_V2 + b'},"allocators":{'
                                             + fill(b"", listed(numbered(b'"a#":{"attrs":{"size":{"value":"1"}}}')), b"", 990_000)
                                             + b"}}}}"]),
        "rows": trace_events([EVENT_V2 + rows(120_000, b"1") + MAPS_V2 + b"}}}}"]),
        "rows-of-no-node": trace_events([EVENT_V2 + rows(74_000, b"#") + MAPS_V2 + b"}}}}"]),
        "columns-unequal": trace_events([EVENT_V2 + b'"allocators":{"malloc":{' + column(b"nodes", 490_000) + b"}}," + MAPS_V2
                                         + b"}}}}"]),
        "nodes": mapped(b'"nodes":[', numbered(b'{"id":#,"name_sid":1}', 1)),
        "nodes-chain": mapped(b'"nodes":[', (b'{"id":%d,"name_sid":1,"parent":%d}' % (i, i - 1) for i in itertools.count(1))),
        "rows-of-chain": in_event(
            EVENT_V2 + rows(SIZE // 100, b"#") + b'"maps":{"types":[],"strings":[{"id":1,"string":"a"}],"nodes":[',
            itertools.islice((b'{"id":%d,"name_sid":1,"parent":%d}' % (i, i - 1) for i in itertools.count(1)), SIZE // 100),
            b"]}}}}}"),
        "nodes-chain-up": mapped(b'"nodes":[', (b'{"id":%d,"name_sid":1,"parent":%d}' % (i, i + 1) for i in itertools.count(1))),
        "nodes-cycles": mapped(b'"nodes":[', numbered(b'{"id":#,"name_sid":1,"parent":#}', 1)),
        "nodes-same": mapped(b'"nodes":[', repeat(b'{"id":1,"name_sid":1}')),
        "nodes-empty": mapped(b'"nodes":[', repeat(b"{}")),
        "types": mapped(b'"types":[', numbered(b'{"id":#,"name_sid":1}', 1)),
        "strings": mapped(b'"strings":[', numbered(b'{"id":#,"string":"s"}', 1)),
        "json-in-string": trace_events([b'{"pid":1,"ts":1,"ph":"v","name":"x","id":"0x1","args":{"dumps":"'
                                        + fill(b"", repeat(b"[{\\u0022\\u0022:"), b"", 990_000) + b'"}}']),
        "members": fill(b"{", listed(numbered(b'"m#":0')), b',"traceEvents":[]}'),
        "events-often": fill(b'{"traceEvents":[]', repeat(b',"traceEvents":[]'), b"}"),
        "unclosed": fill(b"[", repeat(b"{},"), b""),
        "members-of-event": in_event(b'{"ph":"v"', numbered(b'"m#":0'), b"}").replace(b'"ph":"v""m', b'"ph":"v","m'),
    }


def legacy():
    def dump_of(entries, more=b""):
        head, tail = legacy_seeds.dump("?").encode().split(b"?")
        frames = legacy_seeds.frames(legacy_seeds.FRAMES).encode()
        return in_event(frames + b"," + head, entries, tail, more)

    def names(kind, members):
        head, tail = getattr(legacy_seeds, kind)("?").encode().split(b"?")
        return in_event(head, members, tail, b"," + legacy_seeds.dump(legacy_seeds.entry(9, "7")).encode())
    child = b'{"size":"1","bt":"#"}'
    chain = (b'"%d":{"name":"a","parent":"%d"}' % (i, i - 1) for i in itertools.count(1))
    up = (b'"%d":{"name":"a","parent":"%d"}' % (i, i + 1) for i in itertools.count(1))
    frames, tail = legacy_seeds.frames("?").encode().split(b"?")
    chain_of = (b'"%d":{"name":"a","parent":"%d"}' % (i, i - 1) for i in itertools.count(1))
    some = fill(frames + b'"0":{"name":"a"},', listed(chain_of), tail, 550_000)
    star = fill(frames + b'"0":{"name":"a"},', listed(numbered(b'"#":{"name":"a","parent":"0"}', 1)), tail, 550_000)
    head, end = legacy_seeds.dump("?").encode().split(b"?")
    whole = legacy_seeds.dump(legacy_seeds.entry(1, "")).encode()
    heap, heap_end = legacy_seeds.dump("?").encode().split(b'"malloc":{"entries":[?]}')
    return {
        "entries": dump_of(numbered(child)),
        "entries-same": dump_of(repeat(b'{"size":"1","bt":"1"}')),
        "entries-of-types": dump_of(numbered(b'{"size":"1","bt":"1","type":"#"}')),
        "entries-wrong": dump_of(repeat(b'{"size":"x","bt":3}')),
        "entries-empty": dump_of(repeat(b"{}")),
        "frames-chain": names("frames", chain),
        "frames-chain-up": names("frames", up),
        "frames-cycles": names("frames", numbered(b'"#":{"name":"a","parent":"#"}')),
        "frames-same": names("frames", repeat(b'"7":{"name":"a"}')),
        "frames-alike": names("frames", numbered(b'"0000#":{}')),
        "types": names("types", numbered(b'"#":"T"')),
        "frames-colliding": names("frames", colliding.in_form(b'"#":{}', colliding.texts())),
        "frames-named-alike": names("frames", (b'"%d":{"name":"%s"}' % pair for pair in enumerate(colliding.texts()))),
        "types-colliding": names("types", colliding.in_form(b'"#":"T"', colliding.texts())),
        "processes-colliding": trace_events(colliding.in_form(whole.replace(b'"pid":7', b'"pid":#'), colliding.numbers())),
        "types-same": names("types", repeat(b'"1":"T"')),
        "chain-with-entries": in_event(some + b"," + head, numbered(child), end),
        "chain-with-sums": in_event(some + b"," + head + b'{"size":"0","bt":""},', numbered(child), end),
        "star-with-entries": in_event(star + b"," + head + b'{"size":"0","bt":""},', numbered(child), end),
        "hierarchy": names("frames", [deep(b'"hierarchy":', b'{"0":', b"}", b',"names":["a"]', b'{"bt":"7"}', 900_000)]),
        "dumps": trace_events(repeat(whole)),
        "dumps-by-id": trace_events(numbered(whole.replace(b"0x1", b"0x#"))),
        "dumps-of-processes": trace_events(numbered(whole.replace(b'"pid":7', b'"pid":#'))),
        "allocators": in_event(heap, numbered(b'"a#":{"entries":[{"size":"1","bt":""}]}'), heap_end),
        "payloads-of-names": trace_events(numbered(legacy_seeds.frames('"#":{"name":"a"}').encode())),
    }


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    inputs = {"core/detect": transport, "core/json": json_core, "mvmheap/v1": mvmheap_v1, "mvmheap/v2": mvmheap_v2,
              "mvmheap/v3": mvmheap_v3, "v8/heapsnapshot": v8_heapsnapshot, "v8/heapprofile": v8_heapprofile,
              "chrome/heaps_v2": heaps_v2, "chrome/legacy": legacy}
    for slug, make in inputs.items():
        folder = pathlib.Path(sys.argv[1]) / slug
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in make().items():
            if len(content) > SIZE:
                raise SystemExit(f"{slug}/{name} has {len(content)} bytes, expected at most {SIZE}")
            (folder / name).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
