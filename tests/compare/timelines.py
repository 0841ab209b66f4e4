#!/usr/bin/env python3
"""Compares the allocation stacks of V8 timelines with those in DevTools.

    timelines.py HEAPCHECK LOADER TIMELINE...

LOADER is a script for Node that loads TIMELINE with DevTools' own loader: `node LOADER --ask stacks OUT TIMELINE`
writes the functions with what they allocated and what of it is still alive, and the stack of each node. They are
compared with what `heapcheck top TIMELINE frames` and `heapcheck show TIMELINE ID` print. If DevTools cannot load a
timeline, because V8 recorded functions while it wrote the file, it gets the output of `heapcheck recover` instead.
Prints the number of differences for each timeline and the first differences; exits with 1 if there are any, or if no
timeline could be compared.
"""

import collections
import itertools
import json
import os
import subprocess
import sys
import tempfile


def run(words):
    return subprocess.run(words, capture_output=True, text=True)


def expand(path, folder):
    """The path of a file that DevTools can read, because it is not compressed."""
    if not path.endswith(".zst"):
        return path
    out = os.path.join(folder, "expanded.heaptimeline")
    run(["zstd", "-dqf", path, "-o", out]).check_returncode()
    return out


def ask_devtools(heapcheck, loader, path, folder):
    """DevTools' answer, the file that it is about, and whether that file had to be recovered."""
    out = os.path.join(folder, "answer.json")
    recovered = os.path.join(folder, "recovered.heaptimeline")
    for file in (path, recovered):
        if file == recovered:
            run([heapcheck, "recover", path, "-o", recovered, "--quiet"])
        done = run(["node", loader, "--ask", "stacks", out, file])
        if done.returncode == 0 and os.path.exists(out):
            return json.load(open(out)), file, file == recovered
    return None, path, False


def place_of(row):
    place = row["place"] or {"file": None, "line": None, "column": None}
    return row["name"], place["file"] or "", place["line"] or 0, place["column"] or 0


def count_theirs(functions):
    """V8 may list a function twice, so rows for the same function are added up."""
    totals = collections.defaultdict(lambda: [0, 0, 0, 0])
    for row in functions:
        total = totals[row["name"], row["script"], row["line"], row["column"]]
        for i, key in enumerate(("liveCount", "liveSize", "count", "size")):
            total[i] += row[key]
    return {key: tuple(total) for key, total in totals.items()}


def count_ours(heapcheck, path):
    answer = json.loads(run([heapcheck, "top", path, "frames", "--output", "json"]).stdout)
    rows = [(place_of(row), (row["count"], row["size"], row["allocated_count"], row["allocated_size"]))
            for row in answer["rows"]]
    # DevTools does not list functions that only call others.
    return {key: numbers for key, numbers in rows if any(numbers)}


def stacks_of(heapcheck, path, ids):
    """The stacks of nodes, as `show` prints them in one session of the shell."""
    questions = "".join(f"show {number}\n" for number in ids)
    words = [heapcheck, "shell", path, "--output", "json"]
    done = subprocess.run(words, input=questions, capture_output=True, text=True)
    decoder, text, start = json.JSONDecoder(), done.stdout, 0
    while start < len(text):
        answer, end = decoder.raw_decode(text, start)
        yield answer["id"], [place_of(frame) for frame in answer["stack"]]
        start = end + len(text[end:]) - len(text[end:].lstrip())


def compare(heapcheck, loader, path):
    """Whether both say the same; None if DevTools cannot load the timeline."""
    with tempfile.TemporaryDirectory() as folder:
        file = expand(path, folder)
        answer, file, is_recovered = ask_devtools(heapcheck, loader, file, folder)
        if answer is None:
            print(f"{path}: DevTools cannot load it, or it has no stacks")
            return None
        theirs, ours = count_theirs(answer["functions"]), count_ours(heapcheck, file)
        differences = [f"{key}: {theirs.get(key)} in DevTools, {ours.get(key)} in heapcheck"
                       for key in sorted(theirs.keys() | ours.keys()) if theirs.get(key) != ours.get(key)]
        wanted = {number: [tuple(frame) for frame in stack] for number, stack in answer["nodes"]}
        found = dict(stacks_of(heapcheck, file, wanted))
        differences += [f"node {number}: {stack} in DevTools, {found.get(number)} in heapcheck"
                        for number, stack in wanted.items() if found.get(number) != stack]
        if is_recovered:  # recovery only corrects the number of functions, and drops calls of unknown ones
            before = count_ours(heapcheck, expand(path, folder))
            before.pop(("(unknown)", "", 0, 0), None)
            differences += ["top differs after recovery"] * (before != ours)
    note = " after recovery" if is_recovered else ""
    print(f"{path}{note}: {len(theirs)} functions, {len(wanted)} stacks, {len(differences)} differences")
    for line in itertools.islice(differences, 10):
        print("    " + line)
    return not differences


def main():
    results = [compare(sys.argv[1], sys.argv[2], path) for path in sys.argv[3:]]
    sys.exit(0 if True in results and False not in results else 1)


if __name__ == "__main__":
    main()
