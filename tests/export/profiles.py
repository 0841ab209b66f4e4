#!/usr/bin/env python3
"""Exports dumps in each form for call stacks, and compares the results of independent readers for the files.

    profiles.py HEAPCHECK SPEEDSCOPE_SCHEMA DUMP...

The stacks with their bytes must be the same in all forms, and add up to the total of `heapcheck top`.
"""

import collections
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys

import jsonschema



def export(heapcheck, form, dump):
    command = [heapcheck, "export", "--quiet", "--to", form, dump, "-o", "-"]
    return subprocess.run(command, check=True, capture_output=True).stdout


def read_collapsed(data):
    stacks = collections.Counter()
    for line in data.decode(errors="replace").split("\n")[:-1]:
        stack, size = line.rsplit(" ", 1)
        stacks[tuple(stack.split(";"))] += int(size)
    return stacks


def read_speedscope(data, schema):
    document = json.loads(data)
    jsonschema.validate(document, schema)
    frames = document["shared"]["frames"]
    names = [frame["name"] for frame in frames]
    (profile,) = document["profiles"]
    assert profile["endValue"] == sum(profile["weights"])
    stacks = collections.Counter()
    for sample, size in zip(profile["samples"], profile["weights"], strict=True):
        stacks[tuple(names[frame] for frame in sample)] += size
    places = {(f["name"], f.get("file", ""), f.get("line", 0), f.get("col", 0)) for f in frames}
    return stacks, places


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def read_message(data):
    """The fields of a protocol buffer, in order: numbers and values."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key & 7 == 0:
            value, at = read_varint(data, at)
        else:
            assert key & 7 == 2, "only numbers and bytes are used"
            length, at = read_varint(data, at)
            value, at = data[at : at + length], at + length
        yield key >> 3, value


def read_packed(data):
    values, at = [], 0
    while at < len(data):
        value, at = read_varint(data, at)
        values.append(value)
    return values


def read_with_protoc(data):
    """The text into which protoc decodes a profile. A field that the published messages lack appears as a number."""
    messages = pathlib.Path(__file__).parent.parent / "support/schemas/pprof.proto"
    command = ["protoc", f"--proto_path={messages.parent}", "--decode=perftools.profiles.Profile", messages.name]
    done = subprocess.run(command, check=True, capture_output=True, input=gzip.decompress(data))
    return done.stdout.decode()


def check_with_protoc(data, stacks):
    """protoc recognises all fields, and its values add up to those of the stacks."""
    if shutil.which("protoc") is None:
        print("protoc is not installed, so no profile is read with it")
        return
    text = read_with_protoc(data)
    assert not re.search(r"^ *[0-9]+[: ]", text, re.MULTILINE), "all fields are known"
    samples = re.findall(r"^sample \{\n(?:  location_id: [0-9]+\n)+(?:  value: [0-9]+\n)*  value: ([0-9]+)\n(?!  value)", text, re.MULTILINE)
    assert sum(map(int, samples)) == stacks.total(), (sum(map(int, samples)), stacks.total())


def read_pprof(data):
    fields = collections.defaultdict(list)
    for number, value in read_message(gzip.decompress(data)):
        fields[number].append(value)
    strings = [value.decode() for value in fields[6]]
    assert strings[0] == ""
    functions = {made[1]: made for made in map(dict, map(read_message, fields[5]))}
    locations, places = {}, set()
    for location in map(dict, map(read_message, fields[4])):
        line = dict(read_message(location[4]))
        function = functions[line[1]]
        assert line.get(2, 0) == function.get(5, 0)
        locations[location[1]] = strings[function[2]]
        places.add((strings[function[2]], strings[function.get(4, 0)], function.get(5, 0), line.get(3, 0)))
    types = [[strings[value] for _, value in read_message(made)] for made in fields[1]]
    # Sampling profiles do not state numbers of objects.
    alive = [["inuse_objects", "count"], ["inuse_space", "bytes"]]
    assert types in (alive, alive[1:], [["alloc_objects", "count"], ["alloc_space", "bytes"], *alive])
    stacks = collections.Counter()
    for sample in fields[2]:
        parts = dict((number, value) for number, value in read_message(sample) if number != 3)
        stack = tuple(locations[number] for number in reversed(read_packed(parts[1])))
        stacks[stack] += read_packed(parts[2])[-1]
    return +stacks, places  # without stacks that have only objects of size 0


def read_dhat(data):
    document = json.loads(data)
    assert document["dhatFileVersion"] == 2
    names = document["ftbl"]
    assert names[0] == "[root]"
    stacks = collections.Counter()
    seen = set()
    for point in document["pps"]:
        assert tuple(point["fs"]) not in seen, "the viewer rejects a stack that occurs twice"
        seen.add(tuple(point["fs"]))
        stacks[tuple(names[frame] for frame in reversed(point["fs"]))] += point["tb"]
    return +stacks, names[1:]  # without stacks that have only objects of size 0


def read_places(dump):
    """The functions of a sampling profile, each with its URL, line and column, counted from 1 (0: unknown)."""
    with open(dump, encoding="utf-8") as file:
        pending, places = [json.load(file)["head"]], set()
    while pending:
        node = pending.pop()
        pending += node["children"]
        frame = node["callFrame"]
        name = frame["functionName"] or "(anonymous)"
        places.add((name, frame["url"], frame["lineNumber"] + 1, frame["columnNumber"] + 1))
    return places


def show_place(place):
    """A function in the form that DHAT shows."""
    name, url, line, column = place
    numbers = "".join(f":{number}" for number in (line, column) if number != 0)
    return f"{name} ({url}{numbers})" if url else name


def make_names(stacks, places):
    """The stacks with names only."""
    names = {show_place(place): place[0] for place in places}
    plain = collections.Counter()
    for stack, size in stacks.items():
        plain[tuple(names[frame] for frame in stack)] += size
    return plain


def make_collapsed(stacks, places):
    """The stacks in the form of collapsed stacks, which state a column only if it tells two functions apart."""
    lines = collections.Counter(place[:3] for place in places)
    names = {show_place(place): show_place(place if lines[place[:3]] > 1 else (*place[:3], 0)) for place in places}
    plain = collections.Counter()
    for stack, size in stacks.items():
        shown = [names[frame] for frame in stack]
        shown = ["".join(":" if c == ";" else " " if ord(c) < 32 or c == "\x7f" else c for c in n) for n in shown]
        plain[tuple(shown)] += size
    return plain


def find_total(heapcheck, dump):
    """The bytes held by the root of the call tree or, without stacks, by the root of the dominator tree."""
    for command, column in (("tree", "cumulative"), ("dominators", "retained")):
        asked = [heapcheck, command, dump, "--limit", "1", "--output", "json"]
        done = subprocess.run(asked, capture_output=True, text=True)
        if done.returncode == 0:
            return json.loads(done.stdout)["rows"][0][column]
    raise AssertionError(done.stderr)


def main():
    heapcheck, schema, *dumps = sys.argv[1:]
    with open(schema, encoding="utf-8") as file:
        schema = json.load(file)
    for dump in dumps:
        collapsed = read_collapsed(export(heapcheck, "collapsed", dump))
        speedscope, places = read_speedscope(export(heapcheck, "speedscope", dump), schema)
        data = export(heapcheck, "pprof", dump)
        pprof, pprof_places = read_pprof(data)
        check_with_protoc(data, pprof)
        assert speedscope == pprof, dump
        assert places == pprof_places, dump
        if dump.endswith(".heapprofile"):
            assert places == read_places(dump), dump
        dhat, dhat_frames = read_dhat(export(heapcheck, "dhat", dump))
        assert set(dhat_frames) == set(map(show_place, places)), dump
        assert make_names(dhat, places) == pprof, dump
        assert make_collapsed(dhat, places) == collapsed, dump
        total = find_total(heapcheck, dump)
        assert sum(collapsed.values()) == total, (dump, sum(collapsed.values()), total)
        print(f"{dump}: {len(collapsed)} stacks, {total} bytes")


if __name__ == "__main__":
    main()
