"""Facts about the form of files, for the table of writers."""
import json
import re

# Facts that heapcheck notes, and the words for them in the table. Other notes, such as those about nodes that cannot be
# reached, depend on what was collected before the dump.
NOTED = {"v8snap.nodes.unnamed-symbol": "nodes of type 12", "v8snap.header.zero-counts": "counts are 0",
         "v8snap.nodes.short-id": "short ids", "v8snap.section.signed": "signed numbers"}


def read_snapshot(data):
    """The header, the names of the sections and the first string. The sections, which are large, are not parsed."""
    head = data[:data.index(b'"nodes":[')].rstrip(b", \r\n") + b"}"
    names = re.finditer(rb'"(\w+)":\s*\[', data[len(head) - 1:])  # quotes in strings follow a backslash
    sections = [name[1].decode() for name in names if data[len(head) - 2 + name.start()] != ord("\\")]
    strings = data[data.index(b'"strings":[') + 11:][:10000].decode("utf-8", "replace").lstrip()
    first, _ = json.JSONDecoder().raw_decode(strings)
    return json.loads(head)["snapshot"], sections, first


def of_snapshot(data, is_written_back):
    """The columns, the number of node types, and deviations from the form of most writers."""
    header, sections, first = read_snapshot(data)
    meta = header["meta"]
    others = [f"`{name}`" for name in ("extra_native_bytes",) if name in header]
    others += [f"`{name}`" for name in ("script_object_index",) if name in meta.get("location_fields", [])]
    if "locations" not in sections:
        others.append("no locations")
    elif "trace_tree" in sections and sections.index("trace_tree") > sections.index("locations"):
        others.append("`trace_tree` after `locations`")
    if "scopes" in sections:
        others.append("scopes")
    begin = data.index(b'"nodes":[')
    if b"\n" not in data[begin:begin + 1000]:
        others.append("no line feeds in sections")
    if first != "<dummy>":
        others.append(f"the first string is `{first}`" if first else "the first string is empty")
    if not is_written_back:
        others.append("not written back byte for byte")
    return {"columns": meta["node_fields"], "types": len(meta["node_types"][0]), "others": others}


def of_profile(data, is_written_back):
    """The members of the document, of a node and of a call frame, in their order."""
    document = json.loads(data.decode("utf-8", "surrogatepass"))
    head = document["head"]
    names = [" ".join(part) for part in (document, head, head["callFrame"])]
    script = "number" if isinstance(head["callFrame"].get("scriptId"), int) else "string"
    return {"document": names[0], "node": names[1], "frame": names[2], "script": script,
            "written_back": is_written_back}


def merge_profiles(found):
    """The facts of the files of one mode, which have the same form."""
    merged = {name: value for name, value in found[0].items() if all(facts[name] == value for facts in found)}
    return merged | {"written_back": all(facts["written_back"] for facts in found)}


def merge_snapshots(found):
    """The facts of the files of one mode, which have the same columns and types."""
    merged = {"columns": found[0]["columns"], "types": found[0]["types"], "others": []}
    for facts in found:
        if (facts["columns"], facts["types"]) != (merged["columns"], merged["types"]):
            raise ValueError("files of the same kind differ in their columns or types")
        merged["others"] += [other for other in facts["others"] if other not in merged["others"]]
    return merged


READERS = {"heapsnapshot": of_snapshot, "heapprofile": of_profile}
