#!/usr/bin/env python3
"""Compares whose heap dumps a Chrome trace holds, according to heapcheck, with this script's own decision.

usage: processes.py HEAPCHECK FILE-OR-FOLDER...

Reads each trace with Python's json module and decides, from the memory maps in it, which process each heap dump is
about (spec/chrome/trace.md, "Processes"). Then checks the following:

- `summary` names the same process, or says that it is unknown;
- `growth` and `diff` compare the dumps of one process, never two, and find the sizes that this script adds up;
- `--fail-on` ends with status 1 exactly if the heap of some process grew by more than the number it names, and with
  status 5 if there is only one dump of each process;
- `--process` chooses the dumps of a process by its id and by its type.

Files that heapcheck does not answer questions about, such as damaged ones, are counted and left out. Exits with status
1 if anything differs, or if no file could be compared."""

import collections
import json
import subprocess
import sys

from stacks import list_files, read, read_trace

LEAST, NEXT = 98, 97  # percent


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def address(value):
    """A hexadecimal number in a string, or a number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    if isinstance(value, int):
        return value if 0 <= value < 2 ** 64 else None
    try:
        number = int(value, 16)
    except ValueError:
        return None
    return number if 0 <= number < 2 ** 64 else None


def regions_of(parts):
    maps = parts.get("process_mmaps")
    regions = maps.get("vm_regions") if isinstance(maps, dict) else None
    pairs = ((address(r.get("sa")), address(r.get("sz"))) for r in regions or [] if isinstance(r, dict))
    return {pair for pair in pairs if None not in pair}


class Trace:
    def __init__(self, document):
        events = document["traceEvents"] if isinstance(document, dict) else document
        self.names, self.others, self.heaps, totals = {}, set(), [], []
        for event in events:
            arguments, pid = event.get("args") or {}, event.get("pid")
            if event.get("ph") == "M" and event.get("name") == "process_name" and arguments.get("name"):
                self.names[pid] = arguments["name"]
            if event.get("ph") == "P" and event.get("name") == "heap_profile":
                self.heaps.append((pid, event.get("id") or "", False, set()))
            if event.get("ph") != "v" or "dumps" not in arguments:
                continue
            parts = arguments["dumps"]
            parts = json.loads(parts) if isinstance(parts, str) else parts
            self.others.add(pid)
            regions = regions_of(parts)
            if isinstance(parts.get("process_totals"), dict):
                totals.append((pid, regions))
            for kind in ("heaps", "heaps_v2"):
                if kind in parts:
                    self.heaps.append((pid, event["id"], kind == "heaps", regions))
        self.shown = [self.find_by_maps(heap[3], totals) for heap in self.heaps]
        self.processes = [self.decide(i) for i in range(len(self.heaps))]

    @staticmethod
    def find_by_maps(regions, totals):
        counts = collections.Counter()
        for pid, others in totals:
            counts[pid] = max(counts[pid], len(regions & others))
        ranks = counts.most_common(2) + [(None, 0), (None, 0)]
        (best, most), (_, second) = ranks[:2]
        is_decided = regions and most * 100 >= LEAST * len(regions) and second * 100 <= NEXT * len(regions)
        return best if is_decided else None

    def decide(self, index):
        """The id of the process, or None."""
        pid, dump, is_legacy, _ = self.heaps[index]
        if self.shown[index] is not None:
            return self.shown[index]
        if is_legacy:
            return pid
        if any(shown not in (None, heap[0]) for shown, heap in zip(self.shown, self.heaps)):
            return None
        if sum(heap[:3] == (pid, dump, False) for heap in self.heaps) > 1:
            return None
        ids = [heap[1] for heap in self.heaps if heap[0] == pid and not heap[2]]
        if len(set(ids)) != len(ids):
            return None
        is_other = pid in self.names and "Browser" not in self.names[pid]
        is_only = not (set(self.names) | self.others) - {pid}
        return pid if len({heap[0] for heap in self.heaps}) > 1 or is_other or is_only else None

    def name(self, pid):
        if pid is None:
            return "unknown process"
        return f"{self.names[pid]} {pid}" if pid in self.names else str(pid)


class Comparison:
    def __init__(self, heapcheck, path):
        self.heapcheck, self.path, self.differences = heapcheck, path, 0

    def expect(self, what, found, expected):
        if found != expected:
            self.differences += 1
            print(f"{self.path}: {what}: found {found!r}, expected {expected!r}")

    def ask(self, *words):
        answer = run(self.heapcheck, *words, "--output", "json")
        return json.loads(answer.stdout) if answer.returncode in (0, 1) and answer.stdout else None

    def check_summary(self, trace, answer):
        found = [(row["process"], row["process_type"], row["pid"], row["dump"]) for row in answer["snapshots"]]
        expected = [(trace.name(pid), trace.names.get(pid), pid, heap[1])
                    for pid, heap in zip(trace.processes, trace.heaps)]
        self.expect("processes", found, expected)

    def check_changes(self, trace, sizes, words):
        """Compares the total sizes in an answer with those of the script, process by process."""
        answer = self.ask(*words, "--of", "allocators")
        known = [pid for pid in trace.processes if pid is not None]
        if not known:
            return self.expect(f"{words[0]} of unknown processes", answer, None)
        expected = collections.defaultdict(list)
        for index, pid in enumerate(trace.processes):
            if pid is not None:
                expected[trace.name(pid)].append((index, sizes[index]))
        if words[0] == "diff":
            expected = {name: rows for name, rows in expected.items() if len(rows) > 1}
        if not expected:
            return self.expect(f"{words[0]} of single dumps", answer, None)
        found = collections.defaultdict(list)
        for row in answer["snapshots"]:
            found[row["process"]].append(row["snapshot"])
        self.expect(f"{words[0]}: snapshots", dict(found), {n: [i for i, _ in rows] for n, rows in expected.items()})
        for name, rows in expected.items():
            lists = [row["size"] for row in answer["rows"] if row["process"] == name]
            added = [sum(column) for column in zip(*lists)] if lists else None
            if words[0] == "growth" or lists:  # diff leaves out rows that do not change
                self.expect(f"{words[0]}: {name}", added or [0] * len(rows), [size for _, size in rows])

    def check_conditions(self, trace, sizes):
        grown = {}
        for index, pid in enumerate(trace.processes):
            if pid is not None:
                grown.setdefault(pid, []).append(sizes[index])
        if not grown:
            return
        has_change = any(len(rows) > 1 for rows in grown.values())
        for limit in {max(0, most) for rows in grown.values() for most in (rows[-1] - rows[0] - 1, rows[-1] - rows[0])}:
            status = run(self.heapcheck, "growth", self.path, "--fail-on", f"size > +{limit}").returncode
            expected = int(any(rows[-1] - rows[0] > limit for rows in grown.values())) if has_change else 5
            self.expect(f"size > +{limit}", status, expected)

    def check_pairs(self, trace):
        """Dumps of two processes are not compared."""
        pairs = [(a, b) for a, first in enumerate(trace.processes) for b, second in enumerate(trace.processes)
                 if a < b and (first != second or first is None)]
        for a, b in pairs[:10]:
            status = run(self.heapcheck, "diff", self.path, "--snapshots", f"{a},{b}").returncode
            self.expect(f"diff of {a} and {b}", status, 2)

    def check_choice(self, trace):
        for pid in {pid for pid in trace.processes if pid is not None}:
            kind = trace.names.get(pid)
            for wanted, fits in ((str(pid), {pid}), (kind and kind.upper(), {p for p in trace.processes if p is not None
                                                                            and trace.names.get(p) == kind})):
                if wanted:
                    rows = self.ask("summary", self.path, f"--process={wanted}")["snapshots"]
                    self.expect(f"--process={wanted}", [row["index"] for row in rows],
                                [i for i, one in enumerate(trace.processes) if one in fits])
        self.expect("--process=nobody", run(self.heapcheck, "summary", self.path, "--process=nobody").returncode, 2)


def compare(heapcheck, path):
    """The numbers of known and unknown dumps and of differences, or None if heapcheck has no answer."""
    comparison = Comparison(heapcheck, path)
    answer = comparison.ask("summary", path)
    if answer is None or not answer["snapshots"]:
        return None
    document = read(path)
    trace = Trace(document)
    sizes = [sum(row[3] for row in dump.rows) for dump in read_trace(document)]
    comparison.check_summary(trace, answer)
    comparison.check_changes(trace, sizes, ["growth", path])
    comparison.check_changes(trace, sizes, ["diff", path, "--snapshots", "all"])
    comparison.check_conditions(trace, sizes)
    comparison.check_pairs(trace)
    comparison.check_choice(trace)
    unknown = trace.processes.count(None)
    return len(trace.processes) - unknown, unknown, comparison.differences


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    compared, left_out, known, unknown, differences = 0, 0, 0, 0, 0
    for path in list_files(sys.argv[2:]):
        result = None if ".heapprofile" in path else compare(sys.argv[1], path)
        if result is None:
            left_out += 1
            continue
        compared += 1
        known, unknown, differences = known + result[0], unknown + result[1], differences + result[2]
    print(f"{compared} files with {known} dumps of known and {unknown} of unknown processes, "
          f"{left_out} files left out: {differences} differences")
    sys.exit(1 if differences or not compared else 0)


if __name__ == "__main__":
    main()
