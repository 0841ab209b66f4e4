#!/usr/bin/env python3
"""Compares distances, self sizes and retained sizes of all nodes of V8 heap snapshots with those in DevTools.

    devtools.py [--export HEAPCHECK] LOADER BENCH SNAPSHOT...

With --export, SNAPSHOT is a MoarVM dump instead: HEAPCHECK exports each of its snapshots to a heap snapshot, and the
results are compared with those of DevTools for that file; ids are not compared.

LOADER is a script for Node that loads SNAPSHOT with DevTools' own loader: `node LOADER --nodes OUT SNAPSHOT` writes
one line `[id, distance, self size, retained size]` for each node to OUT. BENCH is the program bench_analysis. Prints
the number of differences for each snapshot and the first differences; exits with 1 if there are any.
"""

import argparse
import itertools
import json
import subprocess
import sys
import tempfile

NO_DISTANCE = {4294967295: -5}
COLUMNS = ("id", "distance", "self size", "retained size")


def read_devtools(loader, path):
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as out:
        done = subprocess.run(["node", loader, "--nodes", out.name, path], capture_output=True, text=True)
        if done.returncode != 0:
            return None, json.loads(done.stdout.splitlines()[-1])["error"]
        return [json.loads(line) for line in open(out.name)], None


def read_heapcheck(bench, path, index=0):
    done = subprocess.run([bench, "nodes", path, str(index)], capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    for row in rows:
        row[0] %= 2**32  # as DevTools reads numbers
        row[1] = NO_DISTANCE.get(row[1], row[1])
    return rows


def compare_exported(heapcheck, loader, bench, path):
    """Compares every snapshot of a MoarVM dump with its export. Returns whether all are the same."""
    is_same = True
    for index in itertools.count():
        with tempfile.NamedTemporaryFile(suffix=".heapsnapshot") as out:
            command = [heapcheck, "export", path, "--to", "heapsnapshot", "--snapshot", str(index), "-o", out.name]
            if subprocess.run(command, capture_output=True).returncode == 2 and index != 0:
                return is_same
            theirs, error = read_devtools(loader, out.name)
        if theirs is None:
            print(f"{path}: DevTools cannot load snapshot {index}: {error}")
            return False
        ours = read_heapcheck(bench, path, index)
        for row, (number, *_) in zip(ours, theirs):
            row[0] = number
        is_same &= report(f"{path}, snapshot {index}", theirs, ours)


def compare(theirs, ours):
    """The differences of each column: lists of (node, theirs, ours)."""
    return {
        name: [(i, a[k], b[k]) for i, (a, b) in enumerate(zip(theirs, ours)) if a[k] != b[k]]
        for k, name in enumerate(COLUMNS)
    }


def report(path, theirs, ours):
    differences = compare(theirs, ours)
    counts = ", ".join(f"{len(found)} {name}" for name, found in differences.items())
    print(f"{path}: {len(theirs)} nodes and {len(ours)} nodes; different: {counts}")
    for name, found in differences.items():
        for node, a, b in itertools.islice(found, 3):
            print(f"    node {node}: {name} {a} in DevTools, {b} in heapcheck")
    return len(theirs) == len(ours) and not any(differences.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--export", metavar="HEAPCHECK")
    parser.add_argument("loader")
    parser.add_argument("bench")
    parser.add_argument("snapshots", nargs="+")
    arguments = parser.parse_args()
    is_same = True
    for path in arguments.snapshots:
        if arguments.export:
            is_same &= compare_exported(arguments.export, arguments.loader, arguments.bench, path)
            continue
        theirs, error = read_devtools(arguments.loader, path)
        if theirs is None:
            print(f"{path}: DevTools cannot load it: {error}")
            continue
        is_same &= report(path, theirs, read_heapcheck(arguments.bench, path))
    sys.exit(0 if is_same else 1)


if __name__ == "__main__":
    main()
