#!/usr/bin/env python3
"""Runs every command of the program on structured mutants of the seeds, and checks its promises.

    fuzz/mutate.py [--count N] [--seed N] [--all] [--finds DIR] HEAPCHECK

A mutant changes the elements of the format: numbers, rows, names, lines, sections, blocks, members of JSON, and the
compression around the file. For each mutant, the program must end in time with a documented exit status, stay within
its memory limit, leave the input as it is and nothing behind, print no control characters, and write JSON that fits
the schemas in spec/. What it recovers or converts must have no error. Mutants for which this does not hold are kept in
DIR with the command line. The mutants depend only on --seed and --all. Shares no code with the other tools. Needs only
Python's standard library and the program zstd; schemas are checked if the package jsonschema is installed.
"""
import argparse
import base64
import collections
import functools
import gzip
import io
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import types
import unicodedata
import zipfile

import mutants_mvmheap

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_SEED_BYTES = 40_000
MOST_SECONDS = 20
MAX_MEMORY = 64 << 20
SMALL_MEMORY = [1, 64 << 10, 1 << 20, 4 << 20, 16 << 20]
OVERHEAD = 64 << 20
EDGES = [0, 1, 2, 3, 7, 8, 127, 128, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1,
         2**63, 2**64 - 1]
NUMBERS = [b"-0", b"01", b"1.0", b"1e0", b"1E400", b"-1", b"0x1", b"1.", b"NaN", b"9" * 400]
BIDI_AND_LINES = set("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")
TAGS = {"mvmheap-v2": [b"strs", b"type", b"fram", b"coll", b"refs", b"snap"],
        "mvmheap-v3": [b"filemeta", b"snapmeta", b"colkind\0", b"colsize\0", b"coltofi\0", b"colrfcnt", b"colrfstr",
                       b"colusize", b"refdescr", b"reftrget", b"strings\0", b"reprname", b"typename", b"sfname\0\0",
                       b"sfcuid\0\0", b"sfline\0\0", b"sffile\0\0", b"topIDs\0\0", b"topscore", b"toc\0\0\0\0\0"]}
TARGETS = {"mvmheap": ["mvmheap-v1", "mvmheap-v2", "mvmheap-v2:increments", "mvmheap-v3"],
           "chrome": ["chrome-legacy", "heaps-v2"], "v8": ["heapsnapshot", "heapprofile"]}
QUESTIONS = [["summary"], ["top", "objects"], ["find", "nodes"], ["count", "nodes size>9"], ["show", "row:0"],
             ["path", "row:1"], ["retainers", "row:2"], ["growth"],
             ["suspects", "--share", "1"], ["retained"], ["dominators"], ["dominators", "--by-type"], ["unreachable"],
             ["duplicates"], ["top", "kinds", "by", "retained"], ["find", "nodes retained>99 by retained"],
             ["path", "row:2", "--paths", "3"], ["path", "--merged", "nodes"],
             ["top", "frames"], ["top", "allocators", "by", "cumulative"], ["tree"], ["tree", "--inverted"]]


def edit_number(rnd, value):
    return rnd.choice([rnd.choice(EDGES), value + 1, max(value - 1, 0), value * 2, value ^ 1 << rnd.randrange(64),
                       rnd.randrange(value + 2)])


def edit_list(rnd, items):
    """Removes, repeats or swaps items."""
    if not items:
        return items
    i, j = sorted((rnd.randrange(len(items)), rnd.randrange(len(items))))
    how = rnd.randrange(5)
    if how == 0:
        return items[:i] + items[i + 1:]
    if how == 1:
        return items[:j] + items[i:]
    if how == 2:
        return items[:i] + items[j:]
    if how == 3:
        return items[:i] + [items[j]] + items[i + 1:j] + [items[i]] + items[j + 1:] if i < j else items + [items[i]]
    return items[:i]


def edit_rows(rnd, items):
    """Like edit_list(), with rows of several items, as V8's arrays of numbers have them."""
    width = rnd.choice([1, 1, 3, 5, 6, 7])
    rows = [items[i:i + width] for i in range(0, len(items), width)]
    return [item for row in edit_list(rnd, rows) for item in row]


def mutate_text(rnd, data):
    """Version 1: lines, lists of rows, rows of numbers, and names."""
    lines = data.split(b"\n")
    i = rnd.randrange(len(lines))
    how = rnd.randrange(4)
    head, colon, rest = lines[i].partition(b": ")
    if how == 0 or not colon:
        return b"\n".join(edit_list(rnd, lines))
    if head == b"strings":
        return b"\n".join(lines[:i] + [head + colon + b",".join(edit_list(rnd, rest.split(b",")))] + lines[i + 1:])
    rows = rest.split(b";")
    if how == 1:
        rows = edit_list(rnd, rows)
    else:
        row = rnd.randrange(len(rows))
        numbers = rows[row].split(b",")
        k = rnd.randrange(len(numbers))
        if how == 2 and numbers[k].isdigit():
            numbers[k] = b"%d" % edit_number(rnd, int(numbers[k]))
        else:
            numbers = edit_list(rnd, numbers)
        rows[row] = b",".join(numbers)
    return b"\n".join(lines[:i] + [head + colon + b";".join(rows)] + lines[i + 1:])


def mutate_binary(rnd, data, tags):
    """Versions 2 and 3: the parts that begin with a tag, and the numbers in them."""
    places = sorted({m.start() for tag in tags for m in re.finditer(re.escape(tag), data)})
    parts = [data[a:b] for a, b in zip([0, *places], [*places, len(data)])]
    if rnd.randrange(2):
        return b"".join(edit_list(rnd, parts))
    i = rnd.randrange(len(parts))
    part = bytearray(parts[i])
    width = rnd.choice([1, 2, 4, 8, 8])
    near = min(len(part), rnd.choice([40, 40, 200, len(part)]))
    at = rnd.randrange(max(near - width, 0) + 1)
    value = int.from_bytes(part[at:at + width], "little")
    part[at:at + width] = (edit_number(rnd, value) % 256**width).to_bytes(width, "little")
    return b"".join(parts[:i] + [bytes(part)] + parts[i + 1:])


def mutate_value(rnd, value, depth=0):
    """A JSON value with one change somewhere inside it."""
    if isinstance(value, (dict, list)) and value and (depth == 0 or rnd.randrange(5)):
        if isinstance(value, dict):
            key = rnd.choice(list(value))
            how = rnd.randrange(8)
            if how == 0:
                return {k: v for k, v in value.items() if k != key}
            if how == 1:
                return {(k + "x" if k == key else k): v for k, v in value.items()}
            if how == 2:
                other = rnd.choice(list(value))
                return {k: value[other] if k == key else value[key] if k == other else v for k, v in value.items()}
            return {k: mutate_value(rnd, v, depth + 1) if k == key else v for k, v in value.items()}
        if rnd.randrange(4) == 0:
            return edit_rows(rnd, value)
        i = rnd.randrange(len(value))
        return value[:i] + [mutate_value(rnd, value[i], depth + 1)] + value[i + 1:]
    if isinstance(value, bool) or value is None or rnd.randrange(6) == 0:
        return rnd.choice([None, True, 0, -1, 1.5, "", "\u0000\u202e\ud800", [], {}, [[]], "9" * 40, 10**30])
    if isinstance(value, int):
        return rnd.choice([edit_number(rnd, abs(value)), -value - 1, value / 3])
    if isinstance(value, str):
        if value and value[0] in "0123456789abcdef" and rnd.randrange(2):
            return "%x" % edit_number(rnd, int(value[0], 16))
        return rnd.choice([value[1:], value * 2, value + "\n::error::", "\u2028" + value, "x" * 5000])
    return value


def mutate_json_text(rnd, data):
    """Changes that no JSON value can express: spellings of numbers, repeated members, nesting."""
    pieces = re.split(rb"([,:\[\]{}])", data)
    i = rnd.randrange(len(pieces))
    how = rnd.randrange(4)
    if how == 0:
        pieces = edit_list(rnd, pieces)
    elif how == 1:
        pieces[i] = rnd.choice(NUMBERS)
    elif how == 2:
        depth = rnd.choice([1, 10, 1000, 20000])
        pieces[i] = rnd.choice([b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth, b"[" * depth])
    else:
        members = [m.span() for m in re.finditer(rb'"[^"\\]*":[^,:\[\]{}]*,', data)]
        start, end = rnd.choice(members or [(0, 0)])
        return data[:end] + data[start:end] + data[end:]
    return b"".join(pieces)


def mutate_json(rnd, data):
    if rnd.randrange(4) == 0:
        return mutate_json_text(rnd, data)
    try:
        value = json.loads(data)
        for _ in range(rnd.choice([1, 1, 1, 2, 5])):
            value = mutate_value(rnd, value)
        text = json.dumps(value, ensure_ascii=rnd.randrange(2) == 0, separators=(",", ":"))
    except (ValueError, RecursionError, OverflowError):  # not JSON, or more than Python can represent
        return mutate_bytes(rnd, data)
    return text.encode("utf-8", "surrogatepass")


def mutate_bytes(rnd, data):
    i, j = sorted((rnd.randrange(len(data) + 1), rnd.randrange(len(data) + 1)))
    return rnd.choice([data[:i], data[:i] + data[j:], data[:j] + data[i:], data[:i] + bytes(j - i) + data[j:],
                       data[:i] + bytes([rnd.randrange(256)]) + data[i + 1:]])


def wrap(rnd, data):
    """Compresses some of the mutants as a whole, and damages some of these."""
    how = rnd.randrange(16)
    if how == 0:
        data = gzip.compress(data, 1, mtime=0)
    elif how == 1:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo("dump"), data)
        data = file.getvalue()
    elif how == 2:
        data = mutants_mvmheap.frame(data, rnd)
    elif how == 3:
        inside = base64.b64encode(gzip.compress(data, 1, mtime=0))
        data = b'<!DOCTYPE html>\n<script id="viewer-data" type="text/plain">\n' + inside + b"\n</script>\n"
    elif how == 4:
        data = rnd.choice([b"\xef\xbb\xbf" + data, b"\xff\xfe" + data.decode("latin-1").encode("utf-16-le"),
                           b"\x1f\x8b" + data, data + data, data + b"\0" * 4096])
    if how < 4 and rnd.randrange(2):
        data = mutate_bytes(rnd, data)
    return data


TOOLS = types.SimpleNamespace(edit_number=edit_number, edit_list=edit_list, mutate_value=mutate_value)
PARTS = {"mvmheap-v2": (mutants_mvmheap.read_v2, mutants_mvmheap.mutate_v2),
         "mvmheap-v3": (mutants_mvmheap.read_v3, mutants_mvmheap.mutate_v3)}


@functools.cache
def read_parts(kind, data):
    """The parts of a binary seed; None if the seed is damaged."""
    try:
        return PARTS[kind][0](data)
    except (ValueError, KeyError, IndexError, struct.error, subprocess.CalledProcessError):
        return None


def mutate(rnd, kind, data):
    parts = read_parts(kind, data) if kind in PARTS else None
    if parts and rnd.randrange(4):
        data = PARTS[kind][1](rnd, parts, TOOLS)
        if rnd.randrange(4):
            return wrap(rnd, data)
    for _ in range(rnd.choice([1, 1, 1, 2, 4])):
        if rnd.randrange(8) == 0:
            data = mutate_bytes(rnd, data)
        elif kind == "mvmheap-v1":
            data = mutate_text(rnd, data)
        elif kind in TAGS:
            data = mutate_binary(rnd, data, TAGS[kind])
        else:
            data = mutate_json(rnd, data)
        data = data or b"{"
    return wrap(rnd, data)


def list_seeds():
    """The small seeds of every format, as (kind, bytes)."""
    seeds = []
    for path in sorted((ROOT / "corpus").glob("*/**/seed/*")):
        folder = path.relative_to(ROOT / "corpus").parts
        if folder[0] == "core" or not path.is_file() or path.stat().st_size > MOST_SEED_BYTES:
            continue
        kind = "-".join(folder[:2])
        seeds.append((kind, path.read_bytes()))
    by_kind = collections.defaultdict(list)
    for kind, data in seeds:
        by_kind[kind].append(data)
    return dict(by_kind)


class Wrong(Exception):
    pass


def check_text(output):
    """For any names in the dump, the output cannot control a terminal, reorder text or command a CI system."""
    text = output.decode()
    wrong = {c for c in text if (unicodedata.category(c) == "Cc" and c not in "\n\t") or c in BIDI_AND_LINES}
    if wrong:
        raise Wrong(f"control characters in the output: {sorted(wrong)}")
    if text.startswith("::") or "\n::" in text:
        raise Wrong("a line of the output begins with ::")


@functools.cache
def schema_for(name):
    return jsonschema.Draft202012Validator(json.loads((ROOT / "spec" / f"{name}.schema.json").read_text()))


def check_json(output, schema=None):
    value = json.loads(output)
    if schema and jsonschema:
        error = next(schema_for(schema).iter_errors(value), None)
        if error:
            raise Wrong(f"does not match {schema}.schema.json: {error.message[:200]}")
    return value


class Runner:
    def __init__(self, heapcheck, scratch, run_all):
        self.heapcheck, self.run_all = heapcheck, run_all
        self.folder, self.prints = scratch / "files", scratch / "prints"
        self.input, self.output = self.folder / "in", self.folder / "out"
        self.calls = self.most_memory = 0
        self.statuses = collections.Counter()
        self.limit, self.words = MAX_MEMORY, []
        self.folder.mkdir()
        self.prints.mkdir()

    def run(self, *words, statuses):
        """Runs one command within the limits. Returns its exit status and output."""
        self.words = [str(word) for word in (*words, "--max-memory", self.limit)]
        self.calls += 1
        with open(self.prints / "out", "w+b") as out, open(self.prints / "err", "w+b") as err:
            child = subprocess.Popen([self.heapcheck, *self.words], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            killer = threading.Timer(MOST_SECONDS, child.kill)
            killer.start()
            _, state, used = os.wait4(child.pid, 0)
            killer.cancel()
            child.returncode = os.waitstatus_to_exitcode(state)
            output, errors = (file.seek(0) or file.read() for file in (out, err))
        self.statuses[self.words[0], child.returncode] += 1
        self.check_call(child.returncode, used, errors, statuses)
        check_text(errors)
        if words[0] != "convert" and "json" not in words:
            check_text(output)
        return child.returncode, output

    def check_call(self, status, used, errors, statuses):
        if status == -signal.SIGKILL and used.ru_utime + used.ru_stime > MOST_SECONDS / 4:
            raise Wrong(f"runs longer than {MOST_SECONDS} s")
        if status not in statuses:
            raise Wrong(f"exit status {status}: {errors[-300:].decode(errors='replace')}")
        memory = used.ru_maxrss * 1024
        self.most_memory = max(self.most_memory, memory)
        if memory > self.limit + OVERHEAD:
            raise Wrong(f"takes {memory >> 20} MB, expected at most {(self.limit + OVERHEAD) >> 20} MB")

    def check_written(self, status):
        """The written file must have no errors. A limit may leave the verdict undecided."""
        if not self.output.exists():
            if status in (0, 3):
                raise Wrong("nothing was written")
            return
        if status not in (0, 3):
            raise Wrong(f"exit status {status}, but a file was written")
        words, limit = self.words, self.limit
        self.limit = MAX_MEMORY
        checked, text = self.run("validate", self.output, statuses={0, 1, 5})
        self.words, self.limit = words, limit
        if checked == 1:
            raise Wrong("what was written has an error: " + text.decode()[:300])
        self.output.unlink()

    def check_recover(self, rnd):
        options = rnd.choice([[], ["--placeholder-names"], ["--output", "json"]])
        status, output = self.run("recover", *options, self.input, "-o", self.output, statuses={0, 1, 3, 4, 5})
        if "json" in options and output:
            check_json(output, "recovery")
        self.check_written(status)

    def check_convert(self, target, validity):
        status, _ = self.run("convert", "--allow-loss", self.input, "-o", self.output, "--to", target,
                             statuses={0, 1, 2, 3, 4, 5})
        if validity == 0 and status == 1:
            raise Wrong("a valid file is not converted")
        if validity == 1 and status in (0, 3):
            raise Wrong("a file with errors is converted")
        self.check_written(status)

    def check_question(self, question, force):
        status, output = self.run(question[0], self.input, *question[1:], "--output", "json", *force,
                                  statuses={0, 1, 2, 4, 5})
        if output:
            check_json(output, f"answers/{question[0]}" if status == 0 else None)

    def check_validate_text(self, validity):
        status, _ = self.run("validate", self.input, statuses={0, 1, 4, 5})
        if status != validity:
            raise Wrong(f"exit status {status}, but {validity} with --output json")

    def check_info(self):
        self.run("info", self.input, statuses={0, 1, 4, 5})
        _, output = self.run("info", "--output", "json", self.input, statuses={0, 1, 4, 5})
        if output:
            check_json(output)

    def list_checks(self, rnd, kind, validity):
        force = rnd.choice([[], ["--force"]])
        yield lambda: self.check_validate_text(validity)
        yield self.check_info
        for target in TARGETS[kind.split("-")[0]]:
            yield lambda target=target: self.check_convert(target, validity)
        for question in QUESTIONS:
            yield lambda question=question: self.check_question(question, force)

    def check(self, rnd, kind, data):
        self.limit = rnd.choice(SMALL_MEMORY) if rnd.randrange(8) == 0 else MAX_MEMORY
        self.input.write_bytes(data)
        validity, output = self.run("validate", "--output", "json", self.input, statuses={0, 1, 4, 5})
        check_json(output, "report")
        self.check_recover(rnd)
        checks = list(self.list_checks(rnd, kind, validity))
        for check in checks if self.run_all else rnd.sample(checks, 2):
            check()
        if self.input.read_bytes() != data:
            raise Wrong("the input was changed")
        if left := sorted(path.name for path in self.folder.iterdir() if path != self.input):
            raise Wrong(f"left behind: {left}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heapcheck")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="run every command on every mutant, not two more at random")
    parser.add_argument("--finds", type=pathlib.Path, default=pathlib.Path("build/mutants"))
    options = parser.parse_args()
    seeds = list_seeds()
    kinds = sorted(seeds)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    counts, finds = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(os.path.abspath(options.heapcheck), pathlib.Path(scratch), options.all)
        for number in range(options.count):
            rnd = random.Random(f"{options.seed} {number}")
            kind = rnd.choice(kinds)
            data = mutate(rnd, kind, rnd.choice(seeds[kind]))
            counts[kind] += 1
            try:
                runner.check(rnd, kind, data)
            except (Wrong, ValueError) as wrong:
                finds += 1
                options.finds.mkdir(parents=True, exist_ok=True)
                kept = options.finds / f"{kind}-{options.seed}-{number}"
                kept.write_bytes(data)
                print(f"{kept}: {' '.join(runner.words)}: {wrong}", flush=True)
                for path in runner.folder.iterdir():
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
            if number % 10000 == 9999:
                print(f"{number + 1} mutants, {finds} finds", file=sys.stderr, flush=True)
    each = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    print(", ".join(f"{command} {status}: {n}" for (command, status), n in sorted(runner.statuses.items())))
    print(f"{options.count} mutants ({each}), {runner.calls} calls, at most {runner.most_memory >> 20} MB, "
          f"{finds} finds")
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
