#!/usr/bin/env python3
"""Compares detached nodes, the nodes that `held-by` finds, and equal strings with those in DevTools.

    detached.py HEAPCHECK LOADER SNAPSHOT...

LOADER is a script for Node that loads SNAPSHOT with DevTools' own loader: `node LOADER --ask WHAT OUT SNAPSHOT` writes
the answer to OUT as JSON: for `detached`, the ids of the detached nodes; for `filter:NAME`, the ids of the nodes that a
filter of DevTools shows; and for `duplicates`, the value and count of each group of equal strings. Timelines that it
cannot load because V8 counted too few functions are compared after `heapcheck recover`.

DevTools' filters show no nodes without a self size, after it moved some sizes to other nodes; such nodes are left out. Of equal strings, the differences that spec/analysis.md names are left out: those that are 1,024
characters or longer without a statement of V8 that it cut them off. Prints the numbers for each snapshot, and the first
differences; exits with 1 if there are any.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

FILTERS = {
    "detached-dom": "objectsRetainedByDetachedDomNodes",
    "console": "objectsRetainedByConsole",
    "event-handlers": "objectsRetainedByEventHandlers",
    "contexts": "objectsRetainedByContexts",
}
LONGEST_TEXT = 1024


def run(words):
    return subprocess.run(words, capture_output=True, text=True)


def expand(heapcheck, loader, path, folder):
    """A file with the same content that DevTools can load, or None."""
    expanded = os.path.join(folder, "expanded.heapsnapshot")
    recovered = os.path.join(folder, "recovered.heapsnapshot")
    if path.endswith(".zst"):
        run(["zstd", "-dqf", path, "-o", expanded]).check_returncode()
        path = expanded
    if run(["node", loader, path]).returncode == 0:
        return path
    run([heapcheck, "recover", path, "-o", recovered, "--quiet"])
    if os.path.exists(recovered) and run(["node", loader, recovered]).returncode == 0:
        return recovered
    return None


def ask_devtools(loader, what, path):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        run(["node", loader, "--ask", what, out.name, path]).check_returncode()
        return json.load(out)


def ask_heapcheck(heapcheck, *words):
    done = run([heapcheck, *words, "--output", "json"])
    if done.returncode != 0:
        sys.exit(f"heapcheck {' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)["rows"]


def find_sizes(loader, path):
    """The self sizes in DevTools by id."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as out:
        run(["node", loader, "--nodes", out.name, path]).check_returncode()
        return {row[0]: row[2] for row in map(json.loads, open(out.name))}


def compare_ids(what, theirs, ours):
    differences = [f"{what}: node {number} only in DevTools" for number in sorted(theirs - ours)]
    return differences + [f"{what}: node {number} only in heapcheck" for number in sorted(ours - theirs)]


def utf16_length(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def may_be_cut(text, is_cut):
    return not is_cut and utf16_length(text) >= LONGEST_TEXT


def compare_strings(heapcheck, loader, path):
    found = [row for row in ask_heapcheck(heapcheck, "duplicates", path) if not may_be_cut(row["text"], row["cut"])]
    theirs = collections.Counter((row["value"], row["count"], row["truncated"])
                                 for row in ask_devtools(loader, "duplicates", path)
                                 if not may_be_cut(row["value"], row["truncated"]))
    ours = collections.Counter((row["text"], row["count"], row["cut"]) for row in found)
    differences = [f"strings {key[0][:40]!r}, {key[1]} times: only in DevTools" for key in theirs - ours]
    differences += [f"strings {key[0][:40]!r}, {key[1]} times: only in heapcheck" for key in ours - theirs]
    equal = set(ask_devtools(loader, "filter:duplicatedStrings", path))
    long = {row["id"] for row in ask_heapcheck(heapcheck, "find", path, "strings")
            if utf16_length(row["name"]) >= LONGEST_TEXT}
    ids = {number for row in found for number in row["ids"]}
    return len(ids), differences + compare_ids("equal strings", equal - long, ids - long)


def compare(heapcheck, loader, path):
    """The numbers that were compared, and the differences."""
    numbers, differences, sizes = {}, [], find_sizes(loader, path)
    theirs = set(ask_devtools(loader, "detached", path))
    ours = {row["id"] for row in ask_heapcheck(heapcheck, "find", path, "detached")}
    numbers["detached"] = len(theirs)
    differences += compare_ids("detached", theirs, ours)
    for holder, name in FILTERS.items():
        theirs = set(ask_devtools(loader, f"filter:{name}", path))
        rows = ask_heapcheck(heapcheck, "find", path, f"nodes held-by={holder}")
        ours = {row["id"] for row in rows if sizes[row["id"]] != 0}
        numbers[holder] = len(theirs)
        differences += compare_ids(f"held-by={holder}", theirs, ours)
    numbers["equal strings"], of_strings = compare_strings(heapcheck, loader, path)
    return numbers, differences + of_strings


def main():
    parser = argparse.ArgumentParser(description="Compares detached nodes with those in DevTools.")
    parser.add_argument("heapcheck")
    parser.add_argument("loader")
    parser.add_argument("snapshots", nargs="+")
    arguments = parser.parse_args()
    is_same = True
    for path in arguments.snapshots:
        with tempfile.TemporaryDirectory() as folder:
            loaded = expand(arguments.heapcheck, arguments.loader, path, folder)
            if loaded is None:
                print(f"{path}: DevTools cannot load it")
                continue
            numbers, differences = compare(arguments.heapcheck, arguments.loader, loaded)
        is_same &= not differences
        print(f"{path}: {', '.join(f'{count} {what}' for what, count in numbers.items())}; {len(differences)} differences")
        for difference in differences[:5]:
            print(f"    {difference}")
    sys.exit(0 if is_same else 1)


if __name__ == "__main__":
    main()
