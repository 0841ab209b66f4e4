#!/usr/bin/env python3
"""Runs every command of the program on structured mutants of the seeds, and checks what it promises.

    fuzz/mutate.py [--count N] [--seed N] [--finds DIR] HEAPCHECK

A mutant changes what the format consists of: numbers, rows, names, lines, sections, blocks, members of JSON, and the
compression around the file. For each mutant, the program must end in time with a documented exit status, stay within
its memory limit, leave the input as it is and nothing behind, and write JSON that can be parsed. What it
recovers or converts must have no error. Mutants for which this does not hold are kept in DIR with the command line.
The mutants depend only on --seed. Shares no code with the other tools; needs only Python's standard library.
"""
import argparse
import collections
import gzip
import io
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_SEED_BYTES = 40_000
MOST_SECONDS = 20
MAX_MEMORY = 64 << 20
OVERHEAD = 64 << 20
EDGES = [0, 1, 2, 3, 7, 8, 127, 128, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1,
         2**63, 2**64 - 1]
TAGS = {"mvmheap-v2": [b"strs", b"type", b"fram", b"coll", b"refs", b"snap"],
        "mvmheap-v3": [b"filemeta", b"snapmeta", b"colkind\0", b"colsize\0", b"coltofi\0", b"colrfcnt", b"colrfstr",
                       b"colusize", b"refdescr", b"reftrget", b"strings\0", b"reprname", b"typename", b"sfname\0\0",
                       b"sfcuid\0\0", b"sfline\0\0", b"sffile\0\0", b"topIDs\0\0", b"topscore", b"toc\0\0\0\0\0"]}
TARGETS = {"mvmheap": ["mvmheap-v1", "mvmheap-v2", "mvmheap-v2:increments", "mvmheap-v3"],
           "chrome": ["chrome-legacy", "heaps-v2"], "v8": ["heapsnapshot", "heapprofile"]}
QUESTIONS = [["summary"], ["top", "objects"], ["find", "nodes"], ["count", "nodes size>9"], ["show", "row:0"],
             ["path", "row:1"], ["retainers", "row:2"]]


def edit_number(rnd, value):
    return rnd.choice([rnd.choice(EDGES), value + 1, max(value - 1, 0), value * 2, value ^ 1 << rnd.randrange(64),
                       rnd.randrange(value + 2)])


def edit_list(rnd, items):
    """Removes, repeats or exchanges items."""
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
            return edit_list(rnd, value)
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


def mutate_json(rnd, data):
    if rnd.randrange(6) == 0:
        pieces = re.split(rb"([,:\[\]{}])", data)
        return b"".join(edit_list(rnd, pieces))
    try:
        value = json.loads(data)
    except ValueError:
        return mutate_bytes(rnd, data)
    for _ in range(rnd.choice([1, 1, 1, 2, 5])):
        value = mutate_value(rnd, value)
    return json.dumps(value, ensure_ascii=rnd.randrange(2) == 0, separators=(",", ":")).encode("utf-8", "surrogatepass")


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
    if how < 2 and rnd.randrange(2):
        data = mutate_bytes(rnd, data)
    return data


def mutate(rnd, kind, data):
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


class Runner:
    def __init__(self, heapcheck, scratch):
        self.heapcheck, self.scratch = heapcheck, scratch
        self.input, self.output = scratch / "in", scratch / "out"
        self.calls = 0
        self.words = []

    def run(self, *words, statuses):
        """Runs one command within the limits. Returns its exit status and output."""
        self.words = [str(word) for word in words]
        self.calls += 1
        try:
            done = subprocess.run([self.heapcheck, *self.words, "--max-memory", str(MAX_MEMORY)], capture_output=True,
                                  timeout=MOST_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise Wrong(f"runs longer than {MOST_SECONDS} s") from None
        if done.returncode not in statuses:
            raise Wrong(f"exit status {done.returncode}: {done.stderr[-300:].decode(errors='replace')}")
        if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", done.stdout + done.stderr):
            raise Wrong("control characters in the output")
        return done.returncode, done.stdout

    def check_written(self, status):
        """What was written must have no error. A limit may keep it undecided."""
        if not self.output.exists():
            if status in (0, 3):
                raise Wrong("nothing was written")
            return
        if status not in (0, 3):
            raise Wrong(f"exit status {status}, but a file was written")
        words = self.words
        _, text = self.run("validate", self.output, statuses={0, 5})
        self.words = words
        if b": error: " in text:
            raise Wrong("what was written has an error: " + text.decode()[:300])
        self.output.unlink()

    def check(self, rnd, kind, data):
        self.input.write_bytes(data)
        status, text = self.run("validate", "--output", "json", self.input, statuses={0, 1, 4, 5})
        json.loads(text)
        written = self.run("recover", *rnd.choice([[], ["--placeholder-names"]]), self.input, "-o", self.output,
                           statuses={0, 1, 3, 4, 5})
        self.check_written(written[0])
        family = kind.split("-")[0]
        how = rnd.randrange(4)
        if how == 0:
            self.run("validate", self.input, statuses={status})
            self.run("info", "--output", rnd.choice(["text", "json"]), self.input, statuses={0, 1, 4, 5})
        elif how == 1:
            converted = self.run("convert", "--allow-loss", self.input, "-o", self.output, "--to",
                                 rnd.choice(TARGETS[family]), statuses={0, 1, 2, 3, 4, 5})
            if status == 0 and converted[0] == 1:
                raise Wrong("a valid file is not converted")
            self.check_written(converted[0])
        elif how == 2:
            question = rnd.choice(QUESTIONS)
            _, text = self.run(question[0], self.input, *question[1:], "--output", "json",
                               *rnd.choice([[], ["--force"]]), statuses={0, 1, 2, 4, 5})
            if text:
                json.loads(text)
        if self.input.read_bytes() != data:
            raise Wrong("the input was changed")
        if left := sorted(path.name for path in self.scratch.iterdir() if path != self.input):
            raise Wrong(f"left behind: {left}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heapcheck")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--finds", type=pathlib.Path, default=pathlib.Path("build/mutants"))
    options = parser.parse_args()
    seeds = list_seeds()
    kinds = sorted(seeds)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    counts, finds = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(os.path.abspath(options.heapcheck), pathlib.Path(scratch))
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
                for path in runner.scratch.iterdir():
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
            if number % 10000 == 9999:
                print(f"{number + 1} mutants, {finds} finds", file=sys.stderr, flush=True)
    most_memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    if most_memory > MAX_MEMORY + OVERHEAD:
        finds += 1
        print(f"a call took {most_memory >> 20} MB, expected at most {(MAX_MEMORY + OVERHEAD) >> 20} MB")
    each = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    print(f"{options.count} mutants ({each}), {runner.calls} calls, at most {most_memory >> 20} MB, {finds} finds")
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
