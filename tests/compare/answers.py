#!/usr/bin/env python3
"""Compares answers about V8 heap snapshots with those of DevTools: the places of nodes, and the list of classes.

    answers.py HEAPCHECK LOADER SNAPSHOT...

LOADER is a script for Node that loads SNAPSHOT with DevTools' own loader: `node LOADER --ask WHAT OUT SNAPSHOT` writes
the answer to OUT as JSON: for `places`, [id, script id, line, column] for each node that has a place, and for
`classes`, the name, count, self size and retained size of each class.

Classes are compared by their retained sizes, under the names that DevTools uses. Left out are the classes whose sums
differ for the reasons given in spec/analysis.md: those with nodes without a self size, which DevTools does not count,
and plain objects, which it names after their properties. Prints the number of differences for each
snapshot and the first differences; exits with 1 if there are any.
"""

import argparse
import collections
import json
import subprocess
import sys
import tempfile

RENAMED = {"Function": "(closure)", "RegExp": "(regexp)"}


def ask_devtools(loader, what, path):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        done = subprocess.run(["node", loader, "--ask", what, out.name, path], capture_output=True, text=True)
        if done.returncode != 0:
            return None, json.loads(done.stdout.splitlines()[-1])["error"]
        return json.load(out), None


def ask_heapcheck(heapcheck, *words):
    done = subprocess.run([heapcheck, *words, "--output", "json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["rows"]


def compare_places(heapcheck, loader, path):
    theirs, error = ask_devtools(loader, "places", path)
    if theirs is None:
        return error, []
    expected = {number: (line + 1, column + 1) for number, _, line, column in theirs}
    found = {row["id"]: (row["place"]["line"], row["place"]["column"])
             for row in ask_heapcheck(heapcheck, "find", path, "nodes") if row["place"] and row["place"]["line"]}
    wrong = [number for number in expected.keys() | found.keys() if expected.get(number) != found.get(number)]
    return None, [f"node {number}: DevTools {expected.get(number)}, heapcheck {found.get(number)}" for number in wrong]


def find_incomparable(nodes):
    """The classes with nodes that DevTools leaves out of its list or puts into another class."""
    return {row["name"] for row in nodes if row["size"] == 0} | {"Object", "(array)", "(system)", "(object shape)"}


def compare_classes(heapcheck, loader, path):
    theirs, error = ask_devtools(loader, "classes", path)
    if theirs is None:
        return error, []
    expected, found = collections.defaultdict(list), collections.defaultdict(list)
    for row in theirs:
        expected[RENAMED.get(row["name"], row["name"])].append(row["retained"])
    for row in ask_heapcheck(heapcheck, "top", path, "objects"):
        found[row["name"]].append(row["retained"])
    left_out = find_incomparable(ask_heapcheck(heapcheck, "find", path, "objects"))
    names = (expected.keys() & found.keys()) - left_out
    wrong = [name for name in names if sum(expected[name]) != sum(found[name])]
    assert names, f"{path}: no class can be compared"
    return None, [f"class {name}: DevTools {expected[name]}, heapcheck {found[name]}" for name in wrong]


def main():
    parser = argparse.ArgumentParser(description="Compares answers with those of DevTools.")
    parser.add_argument("heapcheck")
    parser.add_argument("loader")
    parser.add_argument("snapshots", nargs="+")
    arguments = parser.parse_args()
    is_same = True
    for path in arguments.snapshots:
        for compare in (compare_places, compare_classes):
            error, differences = compare(arguments.heapcheck, arguments.loader, path)
            what = compare.__name__.removeprefix("compare_")
            print(f"{path}: {what}: {error or f'{len(differences)} differences'}")
            print("".join(f"  {line}\n" for line in differences[:10]), end="")
            is_same &= not differences
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
