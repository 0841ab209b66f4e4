"""Readers and writers of MoarVM's binary dumps for fuzz/mutate.py, written from spec/mvmheap/.

A mutant made by changing random bytes rarely gets past the index or the decompression. Here, a dump is read into
sections or blocks, changed, and written with a matching index and tables of contents, so that the change is the only
damage.
Columns and strings of version 3 are written as zstd frames of stored blocks, which need no compressor.
"""
import copy
import json
import struct
import subprocess

COLLECTABLE = struct.Struct("<HIHQQI")
WIDTHS = {b"0": "B", b"1": "H", b"3": "I", b"6": "Q"}
ENTRY_SIZES = {b"coll": 28, b"refs": 17, b"type": 16, b"fram": 32}
TABLES = (b"strs", b"type", b"fram")
GROUPS = (("colkind", "colsize", "coltofi", "colrfcnt", "colrfstr", "colusize"), ("refdescr", "reftrget"),
          ("reprname", "typename"), ("sfname", "sfcuid", "sfline", "sffile"), ("topIDs", "topscore"))
BAD_STRINGS = (b"", b"\0", b"a\0b", b"\xff", b"\xed\xa0\x80", b"\x1b[31m", b"\xe2\x80\xae", b"x" * 70000,
               b"\n::error::")


def numbers(code, *values):
    """Packs each value modulo the range of its field."""
    return struct.pack("<" + code, *(value % 256**struct.calcsize("<" + c) for c, value in zip(code, values)))


def change_row(rnd, rows, edit_number, edit_list):
    """Rows with one number changed, or with rows removed, repeated or exchanged."""
    if not rows or rnd.randrange(3) == 0:
        return edit_list(rnd, rows)
    i = rnd.randrange(len(rows))
    row = list(rows[i])
    k = rnd.randrange(len(row))
    row[k] = edit_number(rnd, row[k])
    return rows[:i] + [tuple(row)] + rows[i + 1:]


def change_string(rnd, strings, edit_list):
    if not strings or rnd.randrange(3) == 0:
        return edit_list(rnd, strings)
    i = rnd.randrange(len(strings))
    return strings[:i] + [rnd.choice([*BAD_STRINGS, rnd.choice(strings), strings[i][1:]])] + strings[i + 1:]


def read_v2(data):
    """The sections of an undamaged dump, as [tag, rows], and the layout."""
    sections, at = [], 16
    while data[at:at + 4] in (*TABLES, b"coll", b"refs"):
        tag = data[at:at + 4]
        count = int.from_bytes(data[at + 4:at + 12], "little")
        at += 12 if tag == b"strs" else 20
        rows = []
        if tag == b"strs":
            while data[at:at + 4] != b"type":
                size = int.from_bytes(data[at:at + 8], "little")
                rows.append(data[at + 8:at + 8 + size])
                at += 8 + size
        for _ in range(0 if tag == b"strs" else count):
            if tag == b"refs":
                code = WIDTHS[data[at:at + 1]]
                rows.append((data[at], *struct.unpack_from("<B" + code * 2, data, at + 1)))
                at += 2 + 2 * struct.calcsize(code)
            else:
                code = COLLECTABLE if tag == b"coll" else struct.Struct("<QQ" if tag == b"type" else "<QQQQ")
                rows.append(code.unpack_from(data, at))
                at += code.size
        sections.append([tag, rows])
    if len(data) - at < 32:
        raise ValueError("not an intact dump")
    tags = [section[0] for section in sections]
    layout = "B" if tags.count(b"coll") != tags.count(b"strs") - 1 else "A" if sections[-3][1] else "C"
    return layout, sections


def write_row(tag, row):
    if tag == b"strs":
        return numbers("Q", len(row)) + row
    if tag != b"refs":
        return numbers({b"coll": "HIHQQI", b"type": "QQ", b"fram": "QQQQ"}[tag], *row)
    width, kind, index, target = row
    code = WIDTHS.get(bytes([width % 256]), "B")
    return numbers("BB" + code * 2, width, kind, index, target)


def write_v2(layout, sections, rnd=None, edit_number=None):
    """The file; if there is rnd, one number in a head or in the index is changed."""
    parts, index, earlier = [b"MoarHeapDumpv002"], [], 0
    for place, (tag, rows) in enumerate(sections):
        count = earlier if tag == b"strs" and layout == "C" else len(rows)
        earlier += len(rows) if tag == b"strs" else 0
        content = [write_row(tag, row) for row in rows]
        head = tag + numbers("Q", count) + (numbers("Q", ENTRY_SIZES[tag]) if tag in ENTRY_SIZES else b"")
        size = len(head) + sum(map(len, content))
        if tag == b"coll":
            index.append([size, 0, 0, 0])
        elif tag == b"refs" and index:
            half = len(rows) // 2
            index[-1][1:3] = size, (len(head) + sum(map(len, content[:half])) if half else 0)
        elif index and layout == "A" and place < len(sections) - 3:
            index[-1][3] += size
        if rnd and rnd.randrange(3 * len(sections)) == 0:
            at = rnd.choice([4, len(head) - 8])
            head = head[:at] + numbers("Q", edit_number(rnd, count)) + head[at + 8:]
        parts.append(head + b"".join(content))
    index.append([*(len(part) for part in parts[-3:]), len(index)] if len(parts) > 3 else [0, 0, 0, len(index)])
    if rnd and rnd.randrange(3) == 0:
        row = rnd.choice(index)
        k = rnd.randrange(4)
        row[k] = edit_number(rnd, row[k])
    return b"".join(parts + [numbers("QQQQ", *row) for row in index])


def mutate_v2(rnd, dump, tools):
    layout, sections = copy.deepcopy(dump)
    if rnd.randrange(4) == 0:
        sections = tools.edit_list(rnd, sections)
    elif rnd.randrange(8):
        section = rnd.choice(sections)
        section[1] = (change_string(rnd, section[1], tools.edit_list) if section[0] == b"strs" else
                      change_row(rnd, section[1], tools.edit_number, tools.edit_list))
    if rnd.randrange(8) == 0:
        layout = rnd.choice("ABC")
    return write_v2(layout, sections, *((rnd, tools.edit_number) if rnd.randrange(3) == 0 else ()))


def frame(content, rnd=None):
    """A zstd frame of stored blocks; if there is rnd, possibly several blocks, a size, or a run of one byte."""
    most = rnd.choice([1, 7, 1000, 131072]) if rnd and len(content) < 5000 else 131072
    sized = rnd is not None and rnd.randrange(3) == 0
    size = len(content) + (rnd.choice([0, 0, 1, -1, 2**62]) if sized else 0)
    out = [b"\x28\xb5\x2f\xfd" + (b"\xc0\x60" + numbers("Q", size) if sized else b"\x00\x60")]
    pieces = [content[i:i + most] for i in range(0, len(content), most)] or [b""]
    for i, piece in enumerate(pieces):
        same = rnd is not None and len(piece) > 1 and piece == piece[:1] * len(piece)
        head = (i == len(pieces) - 1) | (1 if same else 0) << 1 | len(piece) << 3
        out.append(head.to_bytes(3, "little") + (piece[:1] if same else piece))
    return b"".join(out)


def decompress(frames):
    return subprocess.run(["zstd", "-dcq"], input=frames, capture_output=True, check=True).stdout


def read_v3(data):
    """The blocks of an undamaged dump without its tables of contents, as [kind, entry size, content], in parts."""
    places, stack = [], [int.from_bytes(data[-8:], "little")]
    while stack:
        at = stack.pop()
        for entry in range(at + 16, at + 16 + 24 * int.from_bytes(data[at + 8:at + 16], "little"), 24):
            kind, start, end = struct.unpack_from("<8sQQ", data, entry)
            kind = kind.partition(b"\0")[0].decode()
            if kind == "toc":
                stack.insert(0, start)
            else:
                places.append((start, end, kind))
    blocks = []
    for start, end, kind in sorted(places):
        if kind.endswith("meta"):
            blocks.append([kind, 0, json.loads(data[start + 16:end - 1])])
        elif kind == "strings":
            blocks.append([kind, 0, read_strings(decompress(data[start + 16:end]))])
        else:
            width = int.from_bytes(data[start + 8:start + 10], "little")
            content = decompress(data[start + 18:end])
            values = [int.from_bytes(content[i:i + width], "little") for i in range(0, len(content), width)]
            blocks.append([kind, width, values])
    return split_parts(blocks)


def read_strings(content):
    strings, at = [], 0
    while at < len(content):
        size = int.from_bytes(content[at:at + 4], "little")
        strings.append(content[at + 4:at + 4 + size])
        at += 4 + size
    return strings


def split_parts(blocks):
    parts = [[]]
    for block in blocks:
        if block[0] == "snapmeta" and parts[-1] and parts[-1][-1][0] != "filemeta":
            parts.append([])
        parts[-1].append(block)
    return [*parts, []] if any(block[0] == "snapmeta" for block in blocks) else parts  # with a closing part


def write_block(block, rnd):
    kind, width, content = block
    head = kind.encode().ljust(8, b"\0")
    if kind.endswith("meta"):
        text = json.dumps(content).encode("utf-8", "surrogatepass") + b"\0"
        return head + numbers("Q", len(text)) + text
    if kind == "strings":
        packed = frame(b"".join(numbers("I", len(s)) + s for s in content), rnd)
    else:
        packed = frame(b"".join((value % 256**width).to_bytes(width, "little") for value in content), rnd)
        head += numbers("H", width)
    size = rnd.choice([0, 0, len(packed), len(packed) + 1]) if rnd else 0
    return head + numbers("Q", size) + packed


def write_v3(parts, rnd=None, tools=None):
    """The file; if there is rnd, the encoding of blocks varies, and a table of contents may be wrong."""
    out, at, outer = [b"MoarHeapDumpv003"], 16, []

    def add(piece):
        nonlocal at
        out.append(piece)
        at += len(piece)

    def add_toc(entries):
        start = at
        if rnd and entries and rnd.randrange(12) == 0:
            entries = change_row(rnd, tools.edit_list(rnd, entries), lambda r, v: tools.edit_number(r, v) if
                                 isinstance(v, int) else r.choice(["toc", "colkind", "?"]), tools.edit_list)
        add(b"toc\0\0\0\0\0" + numbers("Q", len(entries)) + b"".join(
            kind.encode().ljust(8, b"\0") + numbers("QQ", a, b) for kind, a, b in entries))
        add(numbers("Q", start))
        return ("toc", start, at - 8)

    for part in parts:
        inner = []
        for block in part:
            start = at
            add(write_block(block, rnd if rnd and rnd.randrange(4) == 0 else None))
            (outer if block[0] == "filemeta" else inner).append((block[0], start, at))
        outer.append(add_toc(inner))
        add_toc(outer)
    return b"".join(out)


def change_columns(rnd, part, tools):
    """Changes rows of a table in all its columns, or in one of them, so that their lengths differ."""
    group = rnd.choice(GROUPS)
    columns = [block for block in part if block[0] in group]
    state = rnd.getrandbits(32)
    for block in columns if rnd.randrange(2) else columns[:1]:
        block[2] = tools.edit_list(type(rnd)(state), block[2])


def change_block(rnd, block, tools):
    kind, width, content = block
    if kind.endswith("meta"):
        block[2] = tools.mutate_value(rnd, content)
    elif kind == "strings":
        block[2] = change_string(rnd, content, tools.edit_list)
    elif rnd.randrange(6) == 0:
        block[1] = rnd.choice([0, 1, 2, 3, 4, 8, 16])
    elif content:
        i = rnd.randrange(len(content))
        block[2] = content[:i] + [tools.edit_number(rnd, content[i])] + content[i + 1:]


def mutate_v3(rnd, parts, tools):
    parts = copy.deepcopy(parts)
    i = rnd.randrange(len(parts))
    how = rnd.randrange(10)
    if how == 0:
        parts = tools.edit_list(rnd, parts)
    elif how == 1:
        parts[i] = tools.edit_list(rnd, parts[i])
    elif how < 4:
        change_columns(rnd, parts[i], tools)
    elif parts[i]:
        change_block(rnd, rnd.choice(parts[i]), tools)
    return write_v3(parts, *((rnd, tools) if rnd.randrange(2) else ()))
