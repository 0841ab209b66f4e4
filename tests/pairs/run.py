#!/usr/bin/env python3
"""Checks that two mistakes in one file are both found, and that nothing else is.

    tests/pairs/run.py [--family FAMILY,...] [--list] BUILD-FOLDER

A pair consists of two conformance cases with the same base that change different elements. Merges each pair into one
case, checks its file, and compares the rules of its errors and warnings with those of the two cases. Prints a table by
family and, with --list, the pairs in which a rule is missing or a further one is reported. The bars are for independent
pairs: those in which neither mistake makes unusable what the other one is found in (UNREADABLE and DEPENDENT).
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
# Mistakes after which a part of the file cannot be read, so that nothing else can be found in it.
UNREADABLE = {
    r"json\.": "nothing after a syntax error can be read",
    r"limit\.": "reading ends at a limit",
    r"zstd\.": "the content of a damaged frame is unknown",
    r"trace\.(events|event|dumps)\.": "a damaged event is not a dump of any process",
    r"legacy\.(value|entry\.missing-stack|entry\.duplicate|entry\.dangling)": "entries without a stack have no sums",
    r"legacy\.(frames|frame|types)\.": "entries cannot be added up without their frames and types",
    r"heaps2\.(value|columns)\.": "columns with missing or wrong values do not form rows",
    r"heaps2\.(rows\.dangling|maps)": "rows with ids that the maps lack may be those of another dump",
    r"mvm1\.(line|item|strings|snapshot)\.": "a line of the wrong form has no known values",
    r"mvm2\.(section|refs|strings)\.": "sections after a wrong length cannot be found",
    r"mvm3\.(block|column|meta|strings|file|filemeta)\.": "a block of the wrong form has no known values",
    r"mvm3\.toc\.": "blocks that a wrong table of contents lists are not compared with the table",
    r"mvm\.(refs\.(count|range|partition|target)|tables\.lost)": "references of unknown collectables have no graph",
    r"v8prof\.(file\.head|node\.type|node\.children|samples\.type)": "the tree or the samples cannot be read",
    r"v8snap\.(header|meta)\.type": "the columns of the sections are unknown",
    r"v8snap\.meta\.(field|order|permuted)": "the meaning of the numbers in rows is unknown",
    r"v8snap\.section\.(length|number|type|missing)": "a number is missing, so the ones after it are in other columns",
    r"v8snap\.(strings|trace-tree)\.(type|shape)": "the section cannot be read",
    r"v8snap\.edges\.(count|per-node)": "it is unknown which edges belong to which nodes",
}

# Rules that are checked only where another one holds: the rule, the other one, and the reason.
DEPENDENT = [
    (r"mvm3\.(snapmeta\.totals|highscores)", r"mvm\.collectable\.", "totals are computed from the columns"),
    (r"mvm3\.highscores\.mismatch", r"mvm3\.(snapmeta\.totals|highscores)", "one wrong column makes both wrong"),
    (r"mvm\.collectable\.", r"mvm\.collectable\.(kind|root)$", "rows of unknown kinds are damaged"),
    (r"mvm\.\w+\.(duplicate|string-range)", r"mvm\.strings\.", "damaged names are not compared"),
    (r"mvm\.\w+\.(unused|duplicate|string-range)", r"mvm\.\w+\.string-range", "names after the last one were lost"),
    (r"mvm\.\w+\.unused", r"mvm1?\.", "a row that was changed no longer uses what it did"),
    (r"mvm1?\.(refs|collectables)\.", r"mvm1?\.(refs|references|tables)\.", "the graph is not followed further"),
    (r"legacy\.entry\.", r"legacy\.entry\.", "an entry is in the sums of its callers and of its type"),
    (r"heaps2\.(rows\.count|total)", r"heaps2\.total", "rows and totals that differ have one cause"),
    (r"v8snap\.(edges|locations|scopes|nodes\.id)", r"v8snap\.nodes\.count", "positions after lost nodes are unknown"),
    (r"v8prof\.size\.sum", r"v8prof\.sample\.members", "a damaged sample has no size"),
]


def is_excepted(first, second):
    """Whether one of the two mistakes cannot be found next to the other."""
    if any(re.match(rule, violated) for rule in UNREADABLE for violated in first | second):
        return True
    return any(re.match(rule, a) and re.match(other, b) for rule, other, _ in DEPENDENT
               for a, b in itertools.chain(itertools.product(first, second), itertools.product(second, first)))


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
        return not self.name.endswith("-near") and self.is_plain and self.base and self.changes and len(self.rules) == 1

    def labels(self):
        """The elements that the changes touch."""
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
    return "\n".join([f"title: {first.name} and {second.name}", "why: two mistakes", "spec: diagnostics.md#findings",
                      "", f"use {first.base}", *first.changes, *second.changes, "", "expect valid", ""])


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
        row["all"] += 1
        row["all found"] += not missing
        if is_excepted(first.rules, second.rules):
            continue
        row["pairs"] += 1
        row["found"] += not missing
        row["alone"] += not further
        if lists and (missing or further):
            print(f"{name}: {first.name} + {second.name}: missing {sorted(missing)}, further {sorted(further)}")
    failed = False
    print(f"{'family':<16} {'all pairs':>9} {'found':>7} {'independent':>12} {'both found':>11} {'nothing else':>13}")
    for family, row in sorted(counts.items()):
        both, alone = row["found"] / max(row["pairs"], 1), row["alone"] / max(row["pairs"], 1)
        failed |= row["pairs"] != 0 and (both < LEAST_FOUND or alone < LEAST_ALONE)
        print(f"{family:<16} {row['all']:>9} {row['all found'] / row['all']:>7.1%} {row['pairs']:>12} {both:>11.1%} "
              f"{alone:>13.1%}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
