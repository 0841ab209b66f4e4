"""Reads intact MoarVM heap dumps and V8 heap snapshots into graphs, for independent.py.

Written from spec/; shares no code with the readers in formats/. The names and groups of kinds, which spec/ does not
define, are from graph/from_mvmheap.cpp and graph/from_heapsnapshot.cpp. Nothing is checked: for a damaged file, the
result is undefined.
"""
import array
import ctypes
import ctypes.util
import gzip
import json
import re
import struct

import dump_states

MOAR_KINDS = ("object", "type object", "STable", "frame", "permanent roots", "instance roots", "C stack roots",
              "thread roots", "root", "inter-generational roots", "call stack roots")
MOAR_GROUPS = {"object": "objects", "type object": "types", "STable": "stables", "frame": "frames"}
V8_STRINGS = ("string", "concatenated string", "sliced string")


class Graph:
    """One snapshot. Columns of nodes and edges; node i has the edges first[i] to first[i] + count[i] - 1."""

    def __init__(self, kinds, strings):
        self.kinds = kinds          # kinds of nodes: (name, group, name of the type that all nodes of the kind share)
        self.strings = strings
        self.kind = array.array("B")
        self.name = []              # indices into strings
        self.size = array.array("Q")
        self.id = range(0)
        self.first = array.array("Q")
        self.count = array.array("Q")
        self.target = array.array("Q")
        self.is_weak = None         # a byte for each edge, or None if no edge is weak
        self.is_v8 = False
        self.states = None          # whether nodes are attached (1) or detached (2), or None if no state is known

    def name_of(self, node):
        return self.strings[self.name[node]]

    def edges_of(self, node):
        return range(self.first[node], self.first[node] + self.count[node])

    def label_of(self, edge):
        raise NotImplementedError


# zstd


class Buffer(ctypes.Structure):
    """ZSTD_inBuffer and ZSTD_outBuffer."""
    _fields_ = [("start", ctypes.c_void_p), ("size", ctypes.c_size_t), ("at", ctypes.c_size_t)]


class Zstd:
    """Decompresses frames with libzstd, which is installed wherever heapcheck runs."""
    CHUNK = 1 << 20

    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
        self.library.ZSTD_createDStream.restype = ctypes.c_void_p
        self.library.ZSTD_decompressStream.restype = ctypes.c_size_t
        self.library.ZSTD_decompressStream.argtypes = [ctypes.c_void_p] + 2 * [ctypes.POINTER(Buffer)]
        self.library.ZSTD_isError.argtypes = [ctypes.c_size_t]
        self.stream = self.library.ZSTD_createDStream()
        self.out = ctypes.create_string_buffer(self.CHUNK)

    def read_frame(self, data, start):
        """The content of the frame at `start` in `data`, a bytearray, and the offset of its end."""
        held = (ctypes.c_char * len(data)).from_buffer(data)
        source = Buffer(ctypes.addressof(held), len(data), start)
        content, left = [], 1
        while left:
            out = Buffer(ctypes.addressof(self.out), self.CHUNK, 0)
            left = self.library.ZSTD_decompressStream(self.stream, out, source)
            if self.library.ZSTD_isError(left):
                raise ValueError(f"the zstd frame at {start} is damaged")
            content.append(ctypes.string_at(self.out, out.at))
        return b"".join(content), source.at


def read_file(path):
    """The bytes of a file, decompressed if it is compressed as a whole."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    if data.startswith(b"\x1f\x8b"):
        return bytearray(gzip.decompress(data))
    if not data.startswith(b"\x28\xb5\x2f\xfd"):
        return data
    content, at, zstd = bytearray(), 0, Zstd()
    while at < len(data):
        frame, at = zstd.read_frame(data, at)
        content += frame
    return content


# MoarVM


class MoarGraph(Graph):
    """Collectables are rows (kind, type or frame, size, unmanaged size, first reference, number of references)."""

    def __init__(self, rows, references, strings, types, frames):
        names = [*strings, *MOAR_KINDS, ""]
        kinds = [(name, MOAR_GROUPS.get(name, "roots"), None) for name in MOAR_KINDS]
        super().__init__(kinds, names)
        self.frames, self.frame_of = frames, {}
        for kind, row, size, unmanaged, first, count in rows:
            if kind == 4:
                self.frame_of[len(self.kind)] = row
            self.kind.append(kind - 1)
            self.size.append(size + unmanaged)
            self.first.append(first if count else 0)
            self.count.append(count)
            self.name.append(types[row][1] if kind < 4 else frames[row][0] if kind == 4 else len(strings) + kind - 1)
        self.id = range(len(self.kind))
        self.reference_kind, self.reference_index, self.target = references

    def label_of(self, edge):
        kind, index = self.reference_kind[edge], self.reference_index[edge]
        index = min(index, 0xffffffff) if kind == 1 else index  # the largest number that an edge can have
        return "" if kind == 0 else f"[{index}]" if kind == 1 else self.strings[index]


def decode_names(names):
    return [name.decode() for name in names]


def no_references():
    return array.array("B"), array.array("Q"), array.array("Q")


class Version1:
    """spec/mvmheap/v1.md"""

    def __init__(self, data):
        self.data = bytes(data)
        self.at = 0

    def read(self):
        tables, snapshots = {}, []
        while self.at < len(self.data):
            if self.data.startswith(b"strings: [", self.at):
                self.at += len(b"strings: [")
                tables[b"strings"] = decode_names(self.read_names())
                continue
            start, self.at = self.at, self.next_line(self.at)
            line = self.data[start:self.at].rstrip(b"\r\n")
            if line.startswith(b"snapshot "):
                snapshots.append({})
            elif line and not line.startswith(b"#"):
                head, _, items = line.partition(b": ")
                (tables if head in (b"types", b"static_frames") else snapshots[-1])[head] = self.read_items(items)
        for lists in snapshots:
            yield MoarGraph(lists[b"collectables"], self.split(lists[b"references"]), tables[b"strings"],
                            tables[b"types"], tables[b"static_frames"])

    def next_line(self, at):
        return self.data.find(b"\n", at) + 1 or len(self.data)

    @staticmethod
    def read_items(text):
        return [tuple(map(int, item.split(b","))) for item in text.split(b";")] if text else []

    @staticmethod
    def split(references):
        columns = no_references()
        for reference in references:
            for column, value in zip(columns, reference):
                column.append(value)
        return columns

    def ends_strings(self, at):
        return self.data.startswith((b'"]\n', b'"]\r\n'), at) or self.data[at:at + 3] == b'"]'

    def ends_name(self, at):
        return self.data.startswith(b'","', at) or self.ends_strings(at)

    def read_names(self):
        """The names that start at `at`. Leaves `at` after the end of the strings."""
        names = []
        if self.data[self.at:self.at + 1] == b"]":
            self.at = self.next_line(self.at)
            return names
        while True:
            start = self.at + 1
            end = self.find_end(start)
            names.append(self.decode(self.data[start:end]))
            self.at = end + 2
            if not self.data.startswith(b'","', end):
                self.at = self.next_line(end)
                return names

    def find_end(self, start):
        """The offset of the quote that ends the name at `start`."""
        first = self.data[start:start + 1]
        if first == b'"' and self.ends_name(start):
            return start
        at = start
        while True:
            at = self.data.index(b'"', at)
            text = self.data[start:at]
            if first in b'"\\' and at > start and self.ends_name(at):
                return at
            if first not in b'"\\' and (len(text) - len(text.rstrip(b"\\"))) % 2 == 0:
                return at
            at += 1

    @staticmethod
    def decode(name):
        if name.startswith(b'"'):
            return name.replace(b"\\\\", b"\\")
        if name.startswith(b"\\"):
            return name.replace(b'\\"', b'"')
        return re.sub(rb'\\(["\\])', rb"\1", name)


class Version2:
    """spec/mvmheap/v2.md. Reads from front to back, which works for all three layouts."""
    WIDTHS = {0x30: ("<BB", 1), 0x31: ("<HH", 2), 0x33: ("<II", 4), 0x36: ("<QQ", 8)}
    LOWER = 0xffffffff  # the upper halves of rows are unspecified in layout C

    def __init__(self, data):
        self.data = data
        self.at = 16

    def read(self):
        """Each set of rows is (strings, types, frames). In layouts A and C, the last set repeats the others or is
        empty; in layout B it is the only one."""
        snapshots, sets = [], []
        while self.data[self.at:self.at + 4] in (b"coll", b"strs"):
            if self.data[self.at:self.at + 4] == b"coll":
                rows = self.read_rows("<HIHQQI", 28)
                snapshots.append((rows, self.read_references()))
            else:
                sets.append((self.read_strings(), self.read_rows("<QQ", 16), self.read_rows("<QQQQ", 32)))
        strings, types, frames = [], [], []
        for new_strings, new_types, new_frames in sets[:len(snapshots)]:
            strings += decode_names(new_strings)
            types += [[value & self.LOWER for value in row] for row in new_types]
            frames += [[value & self.LOWER for value in row] for row in new_frames]
        for rows, references in snapshots:
            yield MoarGraph(rows, references, strings, types, frames)

    def read_count(self, head):
        count, = struct.unpack_from("<Q", self.data, self.at + 4)
        self.at += head
        return count

    def read_rows(self, layout, width):
        count = self.read_count(20)
        start, self.at = self.at, self.at + count * width
        return list(struct.iter_unpack(layout, self.data[start:self.at]))

    def read_strings(self):
        self.read_count(12)
        strings = []
        while self.data[self.at:self.at + 4] != b"type":
            size, = struct.unpack_from("<Q", self.data, self.at)
            strings.append(bytes(self.data[self.at + 8:self.at + 8 + size]))
            self.at += 8 + size
        return strings

    def read_references(self):
        kinds, indices, targets = no_references()
        data, at = self.data, self.at + 20
        structs = {width: (struct.Struct(layout), 2 + 2 * size) for width, (layout, size) in self.WIDTHS.items()}
        for _ in range(self.read_count(20)):
            layout, size = structs[data[at]]
            index, target = layout.unpack_from(data, at + 2)
            kinds.append(data[at + 1])
            indices.append(index)
            targets.append(target)
            at += size
        self.at = at
        return kinds, indices, targets


class Version3:
    """spec/mvmheap/v3.md. Reads from front to back, block by block, and skips the tables of contents."""
    COLLECTABLES = ("colkind", "coltofi", "colsize", "colusize", "colrfstr", "colrfcnt")
    CODES = {2: "H", 4: "I", 8: "Q"}

    def __init__(self, data):
        self.data = data
        self.zstd = Zstd()

    def read(self):
        strings, types, frames, columns = [], [], [], {}
        for kind, content in self.read_blocks():
            columns[kind] = content
            if kind == "strings":
                strings += self.split_strings(content)
            elif kind == "typename":
                types += zip(columns["reprname"], content)
            elif kind == "sffile":
                frames += zip(columns["sfname"], columns["sfcuid"], columns["sfline"], content)
            elif kind == "topscore":
                yield MoarGraph(zip(*(columns[name] for name in self.COLLECTABLES)), self.split(columns),
                                strings, types, frames)

    def read_blocks(self):
        """The kind and the content of each block: bytes of strings, numbers of columns."""
        at = 16
        while at < len(self.data):
            kind = bytes(self.data[at:at + 8]).split(b"\0")[0].decode()
            if kind in ("filemeta", "snapmeta"):
                at += 16 + struct.unpack_from("<Q", self.data, at + 8)[0]
            elif kind == "toc":
                at += 24 + 24 * struct.unpack_from("<Q", self.data, at + 8)[0]
            elif kind == "strings":
                content, at = self.zstd.read_frame(self.data, at + 16)
                yield kind, content
            else:
                entry_size, = struct.unpack_from("<H", self.data, at + 8)
                content, at = self.zstd.read_frame(self.data, at + 18)
                yield kind, array.array(self.CODES[entry_size], content)

    @staticmethod
    def split_strings(content):
        at = 0
        while at < len(content):
            size, = struct.unpack_from("<I", content, at)
            yield content[at + 4:at + 4 + size].decode()
            at += 4 + size

    @staticmethod
    def split(columns):
        descriptions = columns["refdescr"]
        return (array.array("B", (value & 3 for value in descriptions)),
                array.array("Q", (value >> 2 for value in descriptions)), columns["reftrget"])


# V8


class V8Graph(Graph):
    """spec/v8/heapsnapshot.md"""

    def __init__(self, document):
        meta = document["snapshot"]["meta"]
        kinds = [self.make_kind(name) for name in meta["node_types"][meta["node_fields"].index("type")]]
        if len(kinds) == 12:
            kinds.append(self.make_kind("symbol"))  # V8 5.8 to 6.2 does not name this type
        super().__init__(kinds, [repair(text) for text in document["strings"]])
        self.is_v8 = True
        self.edge_types = meta["edge_types"][meta["edge_fields"].index("type")]
        node, width = self.split(document["nodes"], meta["node_fields"])
        self.kind.extend(node["type"])
        self.name = node["name"]
        self.size.extend(node["self_size"])
        self.id = node["id"] if "id" in node else range(len(self.kind))
        for count in node["edge_count"]:
            self.first.append(self.first[-1] + self.count[-1] if self.count else 0)
            self.count.append(count)
        edge, _ = self.split(document["edges"], meta["edge_fields"])
        self.edge_type, self.edge_name = edge["type"], edge["name_or_index"]
        self.target.extend(place // width for place in edge["to_node"])
        self.functions = self.read_rows(document, meta, "trace_function_info_fields", "trace_function_infos") or []
        self.locations = self.read_rows(document, meta, "location_fields", "locations")
        for row in self.locations or []:
            for key in row.keys() & {"object_index", "script_object_index"}:
                row[key] //= width
        weak = [name == "weak" for name in self.edge_types]
        self.is_weak = bytes(weak[kind] for kind in self.edge_type)
        self.states = dump_states.find_states(self, node.get("detachedness"))
        if "detachedness" in node:
            dump_states.rename(self)

    @classmethod
    def read_rows(cls, document, meta, fields, section):
        """The rows of a section, or None if the file does not have it."""
        if section not in document:
            return None
        if not meta.get(fields):
            return []
        columns, _ = cls.split(document[section], meta[fields])
        return [dict(zip(columns, row)) for row in zip(*columns.values())]

    def has_name(self, edge):
        return self.edge_types[self.edge_type[edge]] not in ("element", "hidden")

    @staticmethod
    def split(values, fields):
        return {field: values[i::len(fields)] for i, field in enumerate(fields)}, len(fields)

    @staticmethod
    def make_kind(name):
        group = "roots" if name == "synthetic" else "strings" if name in V8_STRINGS else "objects"
        shared = {"object": None, "native": None, "hidden": "(system)", "code": "(compiled code)"}
        return name, group, shared.get(name, f"({name})")

    def label_of(self, edge):
        if self.edge_types[self.edge_type[edge]] in ("element", "hidden"):
            return f"[{self.edge_name[edge] & 0xffffffff}]"  # V8 13.6 writes numbers above 2^31 as negative numbers
        return self.strings[self.edge_name[edge]]


def repair(text):
    """Unpaired surrogates cannot be written as UTF-8."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_v8(data):
    text = bytes(data).decode("utf-8-sig")
    while not text.startswith("{"):
        text = text.partition("\n")[2]  # lines printed by Node.js
    yield V8Graph(json.loads(text))


def read_graphs(path):
    """The graph of each snapshot of a file, one after another."""
    data = read_file(path)
    if data.startswith(b"MoarHeapDumpv002"):
        return Version2(data).read()
    if data.startswith(b"MoarHeapDumpv003"):
        return Version3(data).read()
    if data[:1] in b"{\xef" or b'{"snapshot"' in data[:4096]:
        return read_v8(data)
    return Version1(data).read()
