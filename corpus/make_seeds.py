#!/usr/bin/env python3
"""Writes the small seeds of the corpus, and updates manifest.tsv: the checksums, and the comments for files of
conformance cases, which are the titles of the cases.

    corpus/make_seeds.py           write everything
    corpus/make_seeds.py --check   write nothing, and fail if anything would change

Needs only Python's standard library: zstd frames consist of stored blocks, so that the bytes do not depend on the
version of a compressor.
"""
import argparse
import hashlib
import json
import pathlib
import struct
import sys
import zlib

sys.dont_write_bytecode = True  # this folder must contain only the files that the manifest lists

import heaps_v2_seeds
import heapsnapshot_seeds
import legacy_seeds

FOLDER = pathlib.Path(__file__).resolve().parent
MAGIC = b"MoarHeapDumpv003"
ENTRY_BYTES = {
    "colkind": 2, "colsize": 2, "coltofi": 4, "colrfcnt": 4, "colrfstr": 8, "colusize": 8,
    "refdescr": 8, "reftrget": 8, "reprname": 4, "typename": 4, "sfname": 4, "sfcuid": 4,
    "sfline": 4, "sffile": 4, "topIDs": 8, "topscore": 8,
}
# Version 1: a valid dump, names in every spelling that writers use, and forms that only readers accept.
TEXT_DUMP = b"""strings: ["P6opaque","Foo","main","cuid_1","main.nqp"]
types: 0,1
static_frames: 2,3,1,4

snapshot 0
collectables: 9,0,0,0,0,1;4,0,100,0,1,1;1,0,24,0,0,0
references: 0,0,1;1,7,2

snapshot 1
collectables: 9,0,0,0,0,1;5,0,0,0,3,2;1,0,24,70,1,2;3,0,192,0,0,0
references: 0,0,1;2,1,3;1,0,2;1,1,2;2,2,3

"""
TEXT_NAMES = b"""strings: ["",""quoted\\\\"","\\lead\\","\\a\\"b","end\\"\\\\","\xc3\xbc
types: 1,2;3,4
","z"]
types: 0,1;2,3
static_frames: 4,5,1,6

"""
TEXT_ACCEPTED = b"""# made by hand
static_frames: 0,0,1,0
strings: ["main"]
types: 0,0
snapshot 0

references: 0,0,1
collectables: 9,0,0,0,0,1;4,0,80000,0,1,0
"""
LISTS = ["types_by_count", "frames_by_count", "types_by_size", "frames_by_size"]


def stored_frame(content, block_bytes=100_000):
    """One zstd frame with the header that MoarVM writes (no content size, a window of 4 MiB) and stored blocks."""
    frame = b"\x28\xb5\x2f\xfd\x00\x60"
    blocks = [content[i:i + block_bytes] for i in range(0, len(content), block_bytes)] or [b""]
    for i, block in enumerate(blocks):
        last = 1 if i + 1 == len(blocks) else 0
        frame += struct.pack("<I", len(block) << 3 | last)[:3] + block
    return frame


def stored_gzip(content):
    """One gzip member with one stored deflate block, for content of less than 64 KiB."""
    length = len(content)
    deflate = b"\x01" + struct.pack("<HH", length, length ^ 0xFFFF) + content
    return b"\x1f\x8b\x08" + bytes(6) + b"\xff" + deflate + struct.pack("<II", zlib.crc32(content), length)


class Dump:
    """Builds a version 3 dump block by block, and records the blocks for its tables of contents."""

    def __init__(self, entry_count):
        self.bytes = bytearray(MAGIC)
        self.inner = []
        self.outer = []
        self.meta("filemeta", {
            "subversion": 1, "start_time": 1000000, "pid": 4711,
            "highscore_structure": {"entry_count": entry_count, "data_order": LISTS}})
        self.outer, self.inner = self.inner, []

    def block(self, kind, rest):
        start = len(self.bytes)
        self.bytes += kind.encode().ljust(8, b"\0") + rest
        self.inner.append((kind, start, len(self.bytes)))

    def meta(self, kind, fields):
        text = json.dumps(fields).encode() + b"\0"
        self.block(kind, struct.pack("<Q", len(text)) + text)

    def column(self, kind, values):
        size = ENTRY_BYTES[kind]
        content = b"".join(value.to_bytes(size, "little") for value in values)
        self.block(kind, struct.pack("<HQ", size, 0) + stored_frame(content))

    def strings(self, texts):
        content = b"".join(struct.pack("<I", len(text.encode())) + text.encode() for text in texts)
        self.block("strings", struct.pack("<Q", 0) + stored_frame(content))

    def toc(self, entries):
        start = len(self.bytes)
        self.bytes += b"toc".ljust(8, b"\0") + struct.pack("<Q", len(entries))
        for kind, begin, end in entries:
            self.bytes += kind.encode().ljust(8, b"\0") + struct.pack("<QQ", begin, end)
        self.bytes += struct.pack("<Q", start)
        return ("toc", start, len(self.bytes) - 8)

    def end_part(self):
        self.outer.append(self.toc(self.inner))
        self.inner = []
        self.toc(self.outer)


def add_snapshot(dump, meta, columns, strings):
    names = ["snap_time", "gc_seq_num", "total_heap_size", "total_objects", "total_typeobjects",
             "total_stables", "total_frames", "total_refs"]
    dump.meta("snapmeta", dict(zip(names, meta)))
    for kind, values in columns.items():
        if kind == "reprname":
            dump.strings(strings)
        dump.column(kind, values)
    dump.end_part()


def first_snapshot(dump):
    """A root, permanent roots, two objects of one type, its STable and a frame."""
    add_snapshot(dump, [1000250, 1, 300, 2, 0, 1, 1, 7], {
        "colkind": [9, 5, 1, 1, 3, 4],
        "colsize": [0, 0, 24, 32, 40, 104],
        "coltofi": [0, 0, 0, 0, 0, 0],
        "colrfcnt": [2, 2, 2, 0, 1, 0],
        "colrfstr": [0, 4, 2, 7, 6, 7],
        "colusize": [0, 0, 0, 100, 0, 0],
        "refdescr": [2, 1, 22, 26, 1, 5, 0],
        "reftrget": [1, 5, 4, 3, 2, 3, 2],
        "reprname": [1], "typename": [2],
        "sfname": [3], "sfcuid": [4], "sfline": [1], "sffile": [2],
        "topIDs": [0, 0, 0, 0], "topscore": [2, 1, 156, 104],
    }, ["Permanent Roots", "P6opaque", "Foo", "main", "cuid_1", "STable", "$!name"])


def second_snapshot(dump):
    """Another type and frame; some of their names are in the first snapshot, others are new."""
    add_snapshot(dump, [1350400, 3, 412, 2, 1, 0, 2, 6], {
        "colkind": [9, 5, 1, 2, 4, 4, 1],
        "colsize": [0, 0, 48, 16, 100, 120, 48],
        "coltofi": [0, 0, 1, 1, 1, 1, 1],
        "colrfcnt": [2, 1, 2, 0, 1, 0, 0],
        "colrfstr": [0, 5, 2, 6, 4, 6, 6],
        "colusize": [0, 0, 80, 0, 0, 0, 0],
        "refdescr": [2, 1, 26, 0, 38, 5],
        "reftrget": [1, 4, 3, 6, 5, 2],
        "reprname": [1], "typename": [7],
        "sfname": [8], "sfcuid": [4], "sfline": [40], "sffile": [2],
        "topIDs": [1, 1, 1, 1], "topscore": [2, 2, 176, 220],
    }, ["Überraum", "late", "caller"])


def make_dump(*snapshots):
    dump = Dump(1)
    for snapshot in snapshots:
        snapshot(dump)
    dump.end_part()
    return bytes(dump.bytes)


class DumpV2:
    """Builds a version 2 dump section by section; layout is "A", "B" or "C"."""

    def __init__(self, layout):
        self.layout = layout
        self.bytes = bytearray(b"MoarHeapDumpv002")
        self.tables = {"strs": [], "type": [], "fram": []}
        self.index = []

    def rows(self, strings, types, frames, before=None):
        """Writes three sections of rows and returns their sizes. `before` replaces the count of strings."""
        count = len(strings) if before is None else before
        texts = b"".join(struct.pack("<Q", len(text.encode())) + text.encode() for text in strings)
        sections = [b"strs" + struct.pack("<Q", count) + texts]
        for tag, rows, size in (("type", types, 2), ("fram", frames, 4)):
            content = b"".join(self.row(row) for row in rows)
            sections.append(tag.encode() + struct.pack("<QQ", len(rows), 8 * size) + content)
        self.bytes += b"".join(sections)
        return [len(section) for section in sections]

    def row(self, fields):
        """Makes a row. In layout C, the upper half of each field repeats the next field."""
        following = fields[1:] + [0] if self.layout == "C" else [0] * len(fields)
        return b"".join(struct.pack("<II", *pair) for pair in zip(fields, following))

    def snapshot(self, collectables, references, strings, types, frames):
        coll = b"".join(struct.pack("<HIHQQI", *entry) for entry in collectables)
        self.bytes += b"coll" + struct.pack("<QQ", len(collectables), 28) + coll
        refs = b"refs" + struct.pack("<QQ", len(references), 17)
        middle = 0
        for i, (kind, index, target) in enumerate(references):
            if i and i == len(references) // 2:
                middle = len(refs)
            largest = max(index, target)
            code, form = next((c, f) for c, f, n in (("0", "B", 8), ("1", "H", 16), ("3", "I", 32), ("6", "Q", 65))
                              if largest + 1 < 1 << n)
            refs += code.encode() + struct.pack("<B2" + form, kind, index, target)
        self.bytes += refs
        before = len(self.tables["strs"])
        for tag, new in (("strs", strings), ("type", types), ("fram", frames)):
            self.tables[tag] += new
        increments = 0
        if self.layout == "A":
            increments = sum(self.rows(strings, types, frames))
        elif self.layout == "C":
            self.rows(strings, types, frames, before)
        self.index.append((20 + len(coll), len(refs), middle, increments))

    def finish(self):
        all_strings = self.tables["strs"]
        if self.layout == "C":
            trailer = self.rows([], [], [], len(all_strings))
        else:
            trailer = self.rows(all_strings, self.tables["type"], self.tables["fram"])
        for entry in self.index + [(*trailer, len(self.index))]:
            self.bytes += struct.pack("<4Q", *entry)
        return bytes(self.bytes)


def make_dump_v2(layout, snapshots):
    """The snapshots of version 3, with references of every width."""
    dump = DumpV2(layout)
    if snapshots > 0:
        dump.snapshot(
            [(9, 0, 0, 0, 0, 2), (5, 0, 0, 0, 4, 2), (1, 0, 24, 0, 2, 2), (1, 0, 32, 100, 0, 0),
             (3, 0, 40, 0, 6, 1), (4, 0, 104, 0, 0, 0)],
            [(2, 0, 1), (1, 255, 5), (2, 5, 4), (2, 6, 3), (1, 65535, 2), (1, 1 << 32, 3), (0, 0, 2)],
            ["Permanent Roots", "P6opaque", "Foo", "main", "cuid_1", "STable", "$!name"],
            [[1, 2]], [[3, 4, 1, 2]])
    if snapshots > 1:
        dump.snapshot(
            [(9, 0, 0, 0, 0, 2), (5, 0, 0, 0, 5, 1), (1, 1, 48, 80, 2, 2), (2, 1, 16, 0, 0, 0),
             (4, 1, 100, 0, 4, 1), (4, 1, 120, 0, 0, 0), (1, 1, 48, 0, 0, 0)],
            [(2, 0, 1), (1, 0, 4), (2, 6, 3), (0, 0, 6), (2, 9, 5), (1, 1, 2)],
            ["\u00dcberraum", "late", "caller"], [[1, 7]], [[8, 4, 40, 2]])
    return dump.finish()


def make_profile_node(name, size, node_id, children, script=0):
    """A node as V8's inspector writes it."""
    place = f'"lineNumber":{script},"columnNumber":{script}' if script else '"lineNumber":-1,"columnNumber":-1'
    url = "file:///a.js" if script else ""
    return (f'{{"callFrame":{{"functionName":"{name}","scriptId":"{script}","url":"{url}",{place}}},'
            f'"selfSize":{size},"id":{node_id},"children":[{",".join(children)}]}}')


def make_profile():
    leaf = make_profile_node("f", 96, 5, [], 3)
    nodes = [make_profile_node("", 0, 2, [leaf, make_profile_node("push", 4120, 9, [])], 3),
             make_profile_node("(V8 API)", 64, 4, [])]
    samples = [(64, 5, 1), (32, 5, 3), (4120, 9, 2), (16, 11, 4)]
    texts = [f'{{"size":{size},"nodeId":{node},"ordinal":{ordinal}}}' for size, node, ordinal in samples]
    return f'{{"head":{make_profile_node("(root)", 0, 1, nodes)},"samples":[{",".join(texts)}]}}'.encode()


def make_deep_profile(depth):
    node = make_profile_node("f", 1, depth, [], 3)
    for node_id in range(depth - 1, 0, -1):
        node = make_profile_node("f" if node_id > 1 else "(root)", 1, node_id, [node], 3 if node_id > 1 else 0)
    return f'{{"head":{node},"samples":[]}}'.encode()


# Forms written by other programs: Node.js without the inspector, DevTools for native memory, early versions of Chrome.
PROFILE_SAMPLES_FIRST = b"""{"samples":[{"size":64,"nodeId":2,"ordinal":1.23457e+06},{"size":32,"nodeId":2,"ordinal":\
1.23457e+06}],"head":{"selfSize":0,"id":1,"callFrame":{"scriptId":0,"lineNumber":-1,"columnNumber":-1,"functionName":\
"(root)","url":""},"children":[{"selfSize":96,"id":2,"callFrame":{"scriptId":3,"lineNumber":2,"columnNumber":28,\
"functionName":"f","url":"file:///a.js"},"children":[]}]}}""".replace(b"\\\n", b"")
PROFILE_NATIVE = b"""{"head":{"children":[{"children":[],"callFrame":{"functionName":"blink::V8GCController::Gc","url":\
"blink"},"selfSize":65536}],"selfSize":0,"callFrame":{"functionName":"(root)","url":""}},"samples":[],"modules":[{\
"name":"libc.so","uuid":"0"}]}""".replace(b"\\\n", b"")
PROFILE_FLAT = b"""{"head":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":0,"columnNumber":0,"selfSize":0,\
"children":[{"functionName":"f","scriptId":"3","url":"file:///a.js","lineNumber":3,"columnNumber":29,"selfSize":96,\
"children":[]}]}}""".replace(b"\\\n", b"")


def make_seeds():
    two = make_dump(first_snapshot, second_snapshot)
    content = b"heapcheck " * 30
    rle = b"\x28\xb5\x2f\xfd\x00\x60" + struct.pack("<I", 5000 << 3 | 2 | 1)[:3] + b"a"
    return {
        "mvmheap/v1/seed/two-snapshots.txt": TEXT_DUMP,
        "mvmheap/v1/seed/names.txt": TEXT_NAMES,
        "mvmheap/v1/seed/accepted.txt": TEXT_ACCEPTED,
        "mvmheap/v1/seed/cut.txt": TEXT_DUMP[:len(TEXT_DUMP) * 4 // 5],
        "mvmheap/v2/seed/no-snapshot.mvmheap": make_dump_v2("B", 0),
        "mvmheap/v2/seed/layout-a.mvmheap": make_dump_v2("A", 2),
        "mvmheap/v2/seed/layout-b.mvmheap": make_dump_v2("B", 2),
        "mvmheap/v2/seed/layout-b-one.mvmheap": make_dump_v2("B", 1),
        "mvmheap/v2/seed/layout-c.mvmheap": make_dump_v2("C", 2),
        "mvmheap/v2/seed/cut.mvmheap": make_dump_v2("A", 2)[:700],
        "mvmheap/v3/seed/minimal.mvmheap": make_dump(),
        "mvmheap/v3/seed/one-snapshot.mvmheap": make_dump(first_snapshot),
        "mvmheap/v3/seed/two-snapshots.mvmheap": two,
        "mvmheap/v3/seed/cut.mvmheap": two[:len(two) * 4 // 5],
        **{f"chrome/heaps_v2/seed/{name}": content for name, content in heaps_v2_seeds.seeds().items()},
        "v8/heapprofile/seed/small.heapprofile": make_profile(),
        "v8/heapprofile/seed/deep.heapprofile": make_deep_profile(40),
        "v8/heapprofile/seed/samples-first.heapprofile": PROFILE_SAMPLES_FIRST,
        "v8/heapprofile/seed/native.heapprofile": PROFILE_NATIVE,
        "v8/heapprofile/seed/flat.heapprofile": PROFILE_FLAT,
        "v8/heapprofile/seed/cut.heapprofile": make_profile()[:len(make_profile()) * 4 // 5],
        **{f"chrome/legacy/seed/{name}": content for name, content in legacy_seeds.seeds().items()},
        **{f"v8/heapsnapshot/seed/{name}": content for name, content in heapsnapshot_seeds.seeds().items()},
        "core/json/seed/values.json": b'{"a": [0, -1.5e3, true, false, null, 18446744073709551615], "b": {}}\n',
        "core/json/seed/strings.json": b'["", "\\u00fc\\ud83d\\ude00\\n\\\\", "\xc3\xbc", "\\ud83d"]',
        "core/json/seed/integers.json": json.dumps([i * i * i for i in range(60)]).encode(),
        "core/json/seed/nested.json": b"[" * 70 + b"{}" + b"]" * 70,
        "core/config/seed/override.toml": (
            b'ignore = ["mvm3.toc.*", "json"]\nmax-per-rule = 3\n'
            b'[[override]]\npaths = "old/*"\nfail-level = "note"\nseverity = "mvm?.[a-m]*=warning,json=off"\n'),
        "core/rules/seed/pattern.txt": b"*.[!a-l]??[e-y]*",
        "core/utf8/seed/mixed.txt": "a\u00fc\u20ac\U0001f600 end".encode(),
        "core/utf8/seed/ill-formed.txt": b"a\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80\xe2\x82",
        "core/zstd/seed/stored.zst": stored_frame(content),
        "core/zstd/seed/two-blocks.zst": stored_frame(content, 200),
        "core/zstd/seed/run-length.zst": rle,
        "core/zstd/seed/sized.zst": b"\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hello",
        "core/zstd/seed/cut.zst": stored_frame(content)[:100],
        "core/detect/seed/dump.gz": stored_gzip(make_dump()),
        "core/detect/seed/dump.zst": stored_frame(make_dump()),
        "core/detect/seed/version-4.mvmheap": b"MoarHeapDumpv004coll",
    }


VERDICTS = {"valid", "not valid", "not well-formed", "undecided", "unreadable", "-"}


def read_manifest():
    """Returns the rows; the first one contains the names of the columns. Exits if a row is wrong."""
    rows = [line.split("\t") for line in (FOLDER / "manifest.tsv").read_text().splitlines()]
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(rows[0]):
            sys.exit(f"manifest.tsv:{number}: found {len(row)} columns, expected {len(rows[0])}, separated by tabs")
        if row[3] not in VERDICTS:
            sys.exit(f"manifest.tsv:{number}: found the verdict {row[3]!r}, expected one of {sorted(VERDICTS)}")
        if not (FOLDER / row[0]).is_file():
            sys.exit(f"manifest.tsv:{number}: {row[0]} does not exist")
    return rows


def make_comment(row):
    """The title of the conformance case that the file comes from, or else the existing comment."""
    name, origin, comment = row[0], row[1], row[4]
    if not origin.startswith("conformance/"):
        return comment
    lines = (FOLDER.parent / origin).read_text().splitlines()
    title = next(line.removeprefix("title:").strip() for line in lines if line.startswith("title:"))
    # The last byte of each of these files selects the reader for which the snapshot is checked.
    added = {"devtools": ", with a line feed added", "tab": ", with a tab added"}
    return title + added.get(name.split(".")[1], "")


def main():
    parser = argparse.ArgumentParser(description="Writes the small seeds, and updates manifest.tsv.")
    parser.add_argument("--check", action="store_true", help="write nothing, and list what would change")
    check = parser.parse_args().check
    bad = []
    for name, content in make_seeds().items():
        path = FOLDER / name
        if check:
            if not path.exists() or path.read_bytes() != content:
                bad.append(name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    rows = read_manifest()
    for row in rows[1:]:
        digest = hashlib.sha256((FOLDER / row[0]).read_bytes()).hexdigest()
        made = [*row[:2], digest, row[3], make_comment(row)]
        if row != made:
            bad.append(f"the line in manifest.tsv about {row[0]}")
        row[:] = made
    if not check:
        (FOLDER / "manifest.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
        return 0
    for name in bad:
        print(f"{name} would change", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
