#!/usr/bin/env python3
"""Makes each allocation and each system call fail in small runs of every command.

usage: tests/faults/faults.py [--stride N] [--runs GLOB] HEAPCHECK LIBRARY

Runs HEAPCHECK with LIBRARY preloaded (faults.cpp), once for each allocation that can fail, and several times for each
system call: with each error and, for reading and writing, with only half the bytes. With --stride N, only every Nth
failure point is tried; each run starts at a different one. --runs selects runs by name. Checks that

- the program ends with a documented status, not with a signal, and does not print `std::bad_alloc`;
- when memory runs out, it either does not notice, or exits with status 5 and reports that;
- an interrupted call, or one that transfers fewer bytes, changes nothing;
- after any other error, the result is either the usual one or missing, and no other file is left;
- the inputs are not changed.

Exits with 1 if any of this is not true for some failure point.
"""
import argparse
import collections
import fnmatch
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zlib

CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus"
INPUTS = {
    "v1": "mvmheap/v1/seed/two-snapshots.txt", "v1-cut": "mvmheap/v1/seed/cut.txt",
    "v2": "mvmheap/v2/seed/layout-b.mvmheap", "v2-cut": "mvmheap/v2/seed/cut.mvmheap",
    "v3": "mvmheap/v3/seed/two-snapshots.mvmheap", "v3-cut": "mvmheap/v3/seed/cut.mvmheap",
    "timeline": "v8/heapsnapshot/seed/small.heaptimeline", "timeline-cut": "v8/heapsnapshot/seed/cut.heaptimeline",
    "profile": "v8/heapprofile/seed/small.heapprofile", "profile-cut": "v8/heapprofile/seed/cut.heapprofile",
    "legacy": "chrome/legacy/seed/whole.json", "legacy-cut": "chrome/legacy/seed/cut.json",
    "heaps_v2": "chrome/heaps_v2/seed/in-process.json",
}
TARGETS = {"v1": "mvmheap-v3", "v2": "mvmheap-v1", "v3": "mvmheap-v2", "timeline": "heapsnapshot",
           "profile": "heapprofile", "legacy": "heaps-v2", "heaps_v2": "chrome-legacy"}
ERRORS = ["EIO", "ENOSPC", "EINTR", "short"]
STATUSES = range(6)
MEMORY_WORDS = [b"out of memory", b"more memory", b"not enough memory", b"Cannot allocate memory", b"a limit was reached"]
QUESTIONS = [["summary"], ["top", "kinds"], ["find", "nodes", "by", "retained"], ["count", "nodes"], ["show", "row:1"],
             ["path", "row:1"], ["retainers", "row:1"], ["suspects", "--share", "1"], ["retained"], ["dominators"],
             ["dominators", "--by-type"], ["unreachable"], ["growth"]]
FORMS = {"v3": ["heapsnapshot", "collapsed", "speedscope", "pprof", "dhat", "sqlite", "csv", "ndjson", "parquet"],
         "timeline": ["parquet"], "legacy": ["dhat", "sqlite"]}
START_RUNS = ["help", "version", "usage", "validate-v1"]  # these also try the start of the program
SECONDS = 20

Run = collections.namedtuple("Run", "name arguments standard_input", defaults=[None])
Fault = collections.namedtuple("Fault", "kind at last error", defaults=["", ""])
Outcome = collections.namedtuple("Outcome", "status stdout stderr files")


def list_runs():
    """Every command, each on every format that it reads. The inputs are in the folder `in`."""
    runs = [Run("help", ["--help"]), Run("version", ["--version"]), Run("usage", ["valdate"]),
            Run("rules", ["rules", "--output", "json"]), Run("explain", ["explain", "mvm3.toc.entry-bounds"]),
            Run("validate-folder", ["validate", "--jobs", "3", "in"]),
            Run("validate-json", ["validate", "--jobs", "1", "--output", "json", "in/v3-cut"]),
            Run("validate-file", ["validate", "--jobs", "1", "--output-file", "out/report", "in/v1"]),
            Run("validate-for", ["validate", "--jobs", "1", "--for", "devtools", "in/timeline"]),
            Run("validate-stdin", ["validate", "--jobs", "1", "-"], "in/v2"),
            Run("validate-gzip-threads", ["validate", "--jobs", "3", "in/gzip"]),
            Run("validate-v3-threads", ["validate", "--jobs", "3", "in/v3"]),
            Run("info-json", ["info", "--output", "json", "in/v3"]),
            Run("info-snapshot", ["info", "--snapshot", "1", "in/v2"]),
            Run("convert-stdin", ["convert", "-", "-o", "out/new", "--to", "mvmheap-v3"], "in/v1"),
            Run("convert-stdout", ["convert", "in/v2", "-o", "-", "--to", "mvmheap-v3"]),
            Run("convert-in-place", ["convert", "out/copy", "--in-place", "--to", "mvmheap-v3"]),
            Run("convert-gzip", ["convert", "in/gzip", "-o", "out/new", "--to", "mvmheap-v3"]),
            Run("recover-in-place", ["recover", "out/copy", "--in-place"])]
    for name in INPUTS:
        runs += [Run("validate-" + name, ["validate", "--jobs", "1", "in/" + name]),
                 Run("info-" + name, ["info", "in/" + name]),
                 Run("recover-" + name, ["recover", "in/" + name, "-o", "out/new", "--allow-loss"])]
    for name, target in TARGETS.items():
        runs.append(Run("convert-" + name, ["convert", "in/" + name, "-o", "out/new", "--to", target, "--allow-loss"]))
    for command, *words in QUESTIONS:
        runs += [Run("ask-" + "-".join([command, *words[:1]]) + "-" + name, [command, "in/" + name, *words])
                 for name in ("v3", "timeline")]
    for name in ("legacy", "heaps_v2", "profile"):
        runs += [Run("ask-frames-" + name, ["top", "in/" + name, "frames"]),
                 Run("ask-tree-" + name, ["tree", "in/" + name, "--inverted"]),
                 Run("ask-growth-" + name, ["growth", "in/" + name])]
    for name, forms in FORMS.items():
        runs += [Run(f"export-{form}-{name}", ["export", "in/" + name, "--to", form, "-o", "out/new"])
                 for form in forms]
        runs.append(Run("page-" + name, ["report", "in/" + name, "-o", "out/new"]))
    runs += [Run("ask-diff", ["diff", "in/v1", "in/v3"]), Run("ask-duplicates", ["duplicates", "in/timeline"]),
             Run("ask-shell", ["shell", "in/v3"], "script")]
    return runs


class Lab:
    """A folder with the inputs, in which the program runs."""

    def __init__(self, folder, program, library):
        self.folder = pathlib.Path(folder)
        self.program, self.library = program, library
        (self.folder / "in").mkdir()
        for name, path in INPUTS.items():
            shutil.copy(CORPUS / path, self.folder / "in" / name)
        (self.folder / "in" / "gzip").write_bytes(gzip.compress((CORPUS / INPUTS["v2"]).read_bytes(), mtime=0))
        (self.folder / "script").write_text("summary\ntop kinds\nfind nodes\nshow row:1\n")
        self.inputs = self.read_files("in")
        self.start_count = self.count_start()

    def read_files(self, folder):
        return {entry.name: pathlib.Path(entry.path).read_bytes() for entry in os.scandir(self.folder / folder)}

    def start(self, run, fault):
        """Runs the program with an empty folder `out`, or one with a copy of an input if it is replaced there."""
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        if "--in-place" in run.arguments:
            shutil.copy(self.folder / "in" / "v2", out / "copy")
        environment = {**os.environ, "LD_PRELOAD": self.library, "FAULT_KIND": fault.kind, "FAULT_AT": str(fault.at),
                       "FAULT_LAST": str(fault.last), "FAULT_ERROR": fault.error,
                       "FAULT_COUNT": "" if fault.at else str(self.folder / "count")}
        with open(self.folder / run.standard_input if run.standard_input else os.devnull, "rb") as standard_input:
            done = subprocess.run([self.program, *run.arguments], cwd=self.folder, env=environment,
                                  stdin=standard_input, capture_output=True, timeout=SECONDS, check=False)
        return Outcome(done.returncode, done.stdout, done.stderr, self.read_files("out"))

    def count_start(self):
        """The approximate number of allocations before a command starts."""
        return max(self.count(Run("version", ["--version"]), "alloc") - 100, 0)

    def count(self, run, kind):
        self.start(run, Fault(kind, 0, 0))
        return int((self.folder / "count").read_text())


def list_faults(kind, count, first, stride):
    for at in range(first, count + 1, stride):
        if kind == "alloc":
            yield Fault(kind, at, at)
            yield Fault(kind, at, 2**40)
        else:
            yield from (Fault(kind, at, at, error) for error in ERRORS)


def find_left_files(usual, outcome):
    """The files that are neither the usual result, nor a complete report of the failure, nor the file to replace."""
    return [name for name, content in outcome.files.items() if name != "copy" and usual.files.get(name) != content
            and not (name == "report" and outcome.status in (4, 5) and content.endswith(b"\n"))]


def says_memory(outcome):
    words = b"".join([outcome.stdout, outcome.stderr, *outcome.files.values()])
    return any(text in words for text in MEMORY_WORDS)


def judge(run, usual, outcome, fault, original):
    """The problem with the outcome; None if there is none."""
    if outcome.status not in STATUSES:
        return f"ended with status {outcome.status}"
    if b"std::" in outcome.stderr + outcome.stdout:
        return "printed the name of a C++ type"
    if left := find_left_files(usual, outcome):
        return f"left {left}"
    if outcome.files.get("copy") not in (original, usual.files.get("copy")):
        return "the file to replace is neither old nor new"
    if run.name == "help" and fault.kind == "alloc":
        return None  # CLI11 writes the help to a standard library stream, which drops text if memory runs out
    if (outcome.status, outcome.stdout, outcome.files) == (usual.status, usual.stdout, usual.files):
        return None
    if fault.error in ("EINTR", "short"):
        return f"a harmless {fault.error} changed the result: status {outcome.status}, expected {usual.status}"
    if outcome.status in (0, 3):
        return f"claims success with another result, status {outcome.status}"
    # With several files, findings determine the status, even if another file is undecided.
    may_have_findings = run.name == "validate-folder" and usual.status == 1
    if fault.kind == "alloc" and outcome.status != 5 and not (may_have_findings and outcome.status == 1):
        return f"without memory, ended with status {outcome.status}, expected 5"
    if fault.kind == "alloc" and not says_memory(outcome):
        return "does not say that memory ran out"
    if not outcome.stderr + outcome.stdout and "report" not in outcome.files:
        return f"ended with status {outcome.status} without a word"
    return None


def try_run(lab, run, options):
    """Returns the number of failure points that were tried, and the problems."""
    usual, problems, tried = lab.start(run, Fault("", 0, 0)), [], 0
    for kind in ("alloc", "call"):
        first = options.first(run, kind, lab.start_count if kind == "alloc" and run.name not in START_RUNS else 0)
        for fault in list_faults(kind, lab.count(run, kind), first, options.stride):
            tried += 1
            try:
                outcome = lab.start(run, fault)
            except subprocess.TimeoutExpired:
                problems.append((fault, f"took more than {SECONDS} s", b""))
                continue
            problem = judge(run, usual, outcome, fault, lab.inputs["v2"])
            if problem is None and lab.read_files("in") != lab.inputs:
                problem = "changed an input"
            if problem:
                problems.append((fault, problem, outcome.stderr[-200:]))
    return tried, problems


class Options(argparse.Namespace):
    def first(self, run, kind, start):
        """Runs start at different points, so that together they try many points although each run skips most."""
        return start + 1 + zlib.crc32(f"{run.name} {kind}".encode()) % self.stride


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stride", type=int, default=1, metavar="N")
    parser.add_argument("--runs", default="*", metavar="GLOB")
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("library", type=os.path.abspath)
    options = parser.parse_args(namespace=Options())
    total = failed = 0
    with tempfile.TemporaryDirectory(prefix="heapcheck-faults.") as folder:
        lab = Lab(folder, options.program, options.library)
        for run in list_runs():
            if not fnmatch.fnmatch(run.name, options.runs):
                continue
            tried, problems = try_run(lab, run, options)
            total, failed = total + tried, failed + len(problems)
            print(f"{run.name}: {tried} points of failure, {len(problems)} handled wrongly", flush=True)
            for fault, problem, words in problems[:5]:
                print(f"  {fault}: {problem}: {words.decode(errors='replace').strip()}")
    print(f"{total} points of failure, {failed} handled wrongly")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
