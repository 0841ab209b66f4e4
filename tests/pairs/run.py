#!/usr/bin/env python3
"""Checks that two mistakes in one file are both found, and that nothing else is.

    tests/pairs/run.py [--family FAMILY,...] [--list] BUILD-FOLDER

A pair consists of two conformance cases with the same base that change different elements. Merges each pair into one
case, checks its file, and compares the rules of its errors and warnings with those of the two cases. Prints a table by
family and, with --list, the pairs in which a rule is missing or a further one is reported.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ROOT / "conformance"
CHANGES = ("set", "drop", "duplicate", "move", "insert", "fill", "patch")
# Both are found in at least this share of the pairs, and nothing else in at least that share.
LEAST_FOUND = 0.95
LEAST_ALONE = 0.90


class Case:
    """The statements of a case, and the rules of the errors and warnings that it expects."""

    def __init__(self, path, severities):
        self.path = path
        self.name = str(path.relative_to(CASES).with_suffix(""))
        self.family = "/".join(path.relative_to(CASES).parts[:2])
        self.base = ""
        self.changes = []
        self.rules = set()
        self.is_plain = True  # whether it has a base and only changes before the layout
        self.verdict = ""
        for line in re.sub(r"\n[ \t]+", " ", path.read_text()).split("\n"):
            self.read_line(line, severities)

    def read_line(self, line, severities):
        word = line.split(" ")[0]
        if word == "use":
            self.base = line[4:]
        elif word in CHANGES:
            self.changes.append(line)
        elif word == "expect":
            self.verdict = line[7:]
        elif word == "finding":
            rule = line.split(" ")[1]
            if severities[rule] != "note":
                self.rules.add(rule)
        elif word and not word.startswith("#") and not word.endswith(":"):
            self.is_plain = False

    def is_single_mistake(self):
        return self.is_plain and self.base and self.changes and len(self.rules) == 1

    def labels(self):
        """The elements that the changes touch; the names of containers for those that add or remove rows."""
        found = set()
        for change in self.changes:
            words = change.split(" ")
            found.add(words[1])
            found.update(re.findall(r"(?:before|after) (\S+)", change))
        return found


def overlap(first, second):
    """Whether the cases change the same element, or one changes an element inside an element of the other."""
    def inside(a, b):
        return a == b or a.startswith((b + ".", b + "["))
    return any(inside(a, b) or inside(b, a) for a in first.labels() for b in second.labels())


def merge(first, second):
    return "\n".join([f"title: {first.name} and {second.name}", "why: two mistakes", "spec: diagnostics.md#findings", "",
                      f"use {first.base}", *first.changes, *second.changes, "", "expect valid", ""])


def read_severities(heapcheck):
    rules = json.loads(subprocess.run([heapcheck, "rules", "--output", "json"], check=True, capture_output=True).stdout)
    return {rule["id"]: rule["severity"] for rule in rules}


def find_pairs(severities, families, most):
    """At most that many pairs of each family, always the same ones."""
    cases = collections.defaultdict(list)
    for path in sorted(CASES.rglob("*.case")):
        case = Case(path, severities)
        if case.is_single_mistake() and (not families or case.family in families):
            cases[case.family, case.base].append(case)
    pairs = collections.defaultdict(list)
    for (family, _), group in cases.items():
        pairs[family] += [pair for pair in itertools.combinations(group, 2) if not overlap(*pair)]
    for family in pairs.values():
        yield from random.Random(1).sample(family, most) if len(family) > most else family


def write_cases(folder, pairs):
    """Writes the merged cases next to their bases. Returns their names."""
    shutil.copytree(CASES, folder, ignore=shutil.ignore_patterns("*.case", "CMake*", "*.cpp", "*.hpp", "readers"),
                    dirs_exist_ok=True)
    names = {}
    for number, (first, second) in enumerate(pairs):
        name = f"{first.family}/{first.path.parent.name}/pair-{number}"
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.case").write_text(merge(first, second))
        names[name] = (first, second)
    return names


def write_files(conformance, root, names):
    """Writes the file of each case. A case has none if one change removed what the other one changes."""
    def write(name):
        file = root / "files" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([conformance, "--cases", root / "cases", "bytes", name, "-o", file], stderr=subprocess.DEVNULL)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(write, names))


def check(heapcheck, folder):
    """The rules of the errors and warnings of each file in the folder, by file."""
    run = subprocess.run([heapcheck, "validate", "--output", "json", str(folder)], capture_output=True)
    result = {}
    for report in json.loads(run.stdout)["files"]:
        name = str(pathlib.Path(report["path"]).relative_to(folder))
        result[name] = {finding["id"] for finding in report["findings"] if finding["severity"] != "note"}
        result[name] |= {more["id"] for more in report.get("more", []) if more["severity"] != "note"}
    return result


def main():
    parser = argparse.ArgumentParser(prog="tests/pairs/run.py", description="Checks files with two mistakes.")
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD-FOLDER")
    parser.add_argument("--family", default="", metavar="FAMILY,...", help="such as v8/heapsnapshot")
    parser.add_argument("--most", type=int, default=2500, metavar="N", help="pairs of a family (2500)")
    parser.add_argument("--list", action="store_true", help="print the pairs that are not as expected")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="keep the files in this new folder")
    options = parser.parse_args()
    heapcheck = options.build / "cli/heapcheck"
    families = set(filter(None, options.family.split(",")))
    with tempfile.TemporaryDirectory() as temporary:
        root = options.keep or pathlib.Path(temporary)
        pairs = write_cases(root / "cases", find_pairs(read_severities(heapcheck), families, options.most))
        write_files(options.build / "conformance/heapcheck-conformance", root, pairs)
        found = check(heapcheck, root / "files")
    return print_table(pairs, found, options.list)


def print_table(pairs, found, lists):
    counts = collections.defaultdict(collections.Counter)
    for name, (first, second) in sorted(pairs.items()):
        if name not in found:
            continue
        row = counts[first.family]
        missing = (first.rules | second.rules) - found[name]
        further = found[name] - first.rules - second.rules
        row["pairs"] += 1
        row["found"] += not missing
        row["alone"] += not further
        if lists and (missing or further):
            print(f"{name}: {first.name} + {second.name}: missing {sorted(missing)}, further {sorted(further)}")
    failed = False
    print(f"{'family':<18} {'pairs':>6} {'both found':>11} {'nothing else':>13}")
    for family, row in sorted(counts.items()):
        both, alone = row["found"] / row["pairs"], row["alone"] / row["pairs"]
        failed |= both < LEAST_FOUND or alone < LEAST_ALONE
        print(f"{family:<18} {row['pairs']:>6} {both:>10.1%} {alone:>12.1%}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
