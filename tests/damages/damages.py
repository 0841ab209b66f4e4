#!/usr/bin/env python3
"""Damages real files in many ways, and counts the findings that each damage causes.

usage: tests/damages/damages.py [--rounds N] [--seed N] [--most N] [--list] HEAPCHECK [FILE...]

Without FILEs, damages the seeds in corpus/ that real programs wrote. A table shows, for each format and kind of damage,
how many damages were found, how many led to more than three findings, and how often the first finding was at the damage
or around it. The same arguments always lead to the same damages. Exits with 1 if a damage led to more than --most
findings (default: 12), or if heapcheck crashed.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus"
SEEDS = ["v8/heapprofile/seed/chrome-156*", "v8/heapprofile/seed/node-*", "v8/heapsnapshot/seed/chrome-*",
         "v8/heapsnapshot/seed/node-*", "mvmheap/v*/seed/moar-*", "chrome/*/seed/chrome-*"]
NEAR = 200  # bytes


def find_seeds():
    files = [path for pattern in SEEDS for path in sorted(CORPUS.glob(pattern))]
    return [path for path in files if "zero-snapshots" not in path.name and "unfinished" not in path.name]


def find_items(data):
    """The spans of the parts between two separators; of eight bytes each if the file is binary."""
    if data.startswith(b"MoarHeapDump"):
        return [(at, at + 8) for at in range(16, len(data) - 8, 8)]
    marks = [at for at, byte in enumerate(data) if byte in b",;\n"]
    return list(zip(marks, marks[1:]))


def make_damages(data, rng):
    """Yields the kind of a damage, the span of bytes that it replaces, and the bytes that replace them."""
    def pick(length):
        at = rng.randrange(16, len(data) - length)
        return at, at + length

    a, b = pick(1)
    yield "byte changed", a, b, bytes([data[a] ^ 1 << rng.randrange(8)])
    a, b = pick(1)
    yield "byte lost", a, b, b""
    size = min(rng.choice([16, 64, 512, 4096]), len(data) // 4)
    a, b = pick(size)
    yield "page zeroed", a, b, bytes(size)
    a, b = pick(size)
    yield "page lost", a, b, b""
    a, b = pick(size)
    yield "page doubled", a, b, data[a:b] * 2
    a, b = pick(2 * size)
    yield "pages exchanged", a, b, data[a + size:b] + data[a:a + size]
    a, b = pick(1)
    yield "cut", a, len(data), b""
    items = find_items(data)
    at = rng.randrange(len(items) - 1)
    (a, b), (c, d) = items[at], items[at + 1]
    yield "item lost", a, b, b""
    yield "item doubled", a, b, data[a:b] * 2
    yield "items exchanged", a, d, data[c:d] + data[a:b]
    yield "separator lost", a, a + 1, b""


def validate(program, files):
    done = subprocess.run([program, "validate", "--output", "json", "--no-progress", *files], capture_output=True)
    if done.returncode < 0 or not done.stdout:
        sys.exit(f"heapcheck ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
    return {report["path"]: report for report in json.loads(done.stdout)["files"]}


def is_near(finding, first, last):
    location = finding["location"]
    begin = location.get("offset", 0)
    return begin <= last + NEAR and begin + location.get("length", 0) >= first - NEAR


def judge(report, ignored, first, last):
    """The number of findings, and whether the first one is at the damage or around it."""
    findings = [one for one in report.get("findings", []) if one["id"] not in ignored]
    count = len(findings) + sum(more["count"] for more in report.get("more", []))
    return count, bool(findings) and is_near(findings[0], first, last)


def damage_file(path, options, folder, table):
    """Adds the results for one file to the table. Returns the largest number of findings."""
    data = path.read_bytes()
    rng = random.Random(f"{options.seed} {path.name}")
    original = validate(options.program, [str(path)])[str(path)]
    ignored = {finding["id"] for finding in original["findings"]}
    cases = {}
    for number in range(options.rounds):
        for kind, first, last, new in make_damages(data, rng):
            name = os.path.join(folder, f"{number}-{kind.replace(' ', '-')}-{path.name}")
            damaged = data[:first] + new + data[last:]
            if damaged == data:
                continue
            pathlib.Path(name).write_bytes(damaged)
            cases[name] = (kind, first, first + len(new))
    worst = 0
    for name, report in validate(options.program, list(cases)).items():
        kind, first, last = cases[name]
        count, is_right = judge(report, ignored, first, last)
        table[original["format"], kind].append((count, is_right))
        worst = max(worst, count)
        if options.list and count > 3:
            print(f"{os.path.basename(name)}: {count} findings for bytes {first} to {last}")
    return worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("program")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    table = collections.defaultdict(list)
    worst = 0
    for path in options.files or find_seeds():
        with tempfile.TemporaryDirectory() as folder:
            worst = max(worst, damage_file(path, options, folder, table))
    print(f"{'format':16}{'damage':18}{'number':>7}{'found':>7}{'> 3':>5}{'worst':>7}{'first right':>13}")
    for (form, kind), results in sorted(table.items()):
        counts = [count for count, _ in results]
        print(f"{form:16}{kind:18}{len(results):>7}{sum(count > 0 for count in counts):>7}"
              f"{sum(count > 3 for count in counts):>5}{max(counts):>7}{sum(right for _, right in results):>13}")
    sys.exit(worst > options.most)


main()
