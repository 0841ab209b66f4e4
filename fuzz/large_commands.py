#!/usr/bin/env python3
"""Checks that the time of every command grows no faster than the input, and that its memory stays within the limit.

    fuzz/large_commands.py HEAPCHECK [GLOB]   prints a line for each call that exceeds this, and exits with status 1 if
                                              there is one; GLOB chooses inputs, such as 'v8/*'

Runs every command on the inputs of fuzz/large_inputs.py in two sizes, 1 MB and 8 MB, with one process per call, and
commands on small files whose numbers are far above their size (fuzz/large_numbers.py). Needs only Python's
standard library.
"""
import fnmatch
import pathlib
import subprocess
import sys
import tempfile
import time

import large_numbers

FACTOR = 8
MOST_RATIO = 2 * FACTOR  # of the times: caches hold a smaller part of more data; a quadratic time would give 64
LEAST_SECONDS = 0.3  # a shorter time shows nothing about growth
MOST_SECONDS = 60
MOST_SECONDS_ALONE = 5  # if only the smaller input is refused early, so that the times cannot be compared
MAX_MEMORY = 256 << 20
OVERHEAD = 64 << 20  # that --max-memory allows
TRIES = 3
STATUSES = set(range(6))

QUESTIONS = [["top", "FILE", "objects"], ["find", "FILE", "nodes size>0"], ["count", "FILE", "objects name~a"],
             ["path", "FILE", "row:1"], ["path", "FILE", "row:1", "--paths", "9"],
             ["path", "FILE", "--merged", "nodes"], ["show", "FILE", "row:0"], ["retainers", "FILE", "row:1"],
             ["suspects", "FILE"], ["retained", "FILE"], ["dominators", "FILE"],
             ["dominators", "--by-type", "FILE"], ["unreachable", "FILE"], ["duplicates", "FILE"],
             ["diff", "FILE", "FILE"], ["top", "FILE", "frames"], ["tree", "FILE"], ["tree", "--inverted", "FILE"]]
COMMANDS = [["validate", "FILE"], ["validate", "--output", "json", "FILE"], ["info", "FILE"],
            ["recover", "FILE", "-o", "OUT"], ["recover", "--placeholder-names", "FILE", "-o", "OUT"],
            ["summary", "FILE"], ["growth", "FILE"], ["report", "FILE", "-o", "OUT"], *QUESTIONS,
            *(["export", "FILE", "-o", "OUT", "--to", form] for form in ("collapsed", "speedscope", "pprof", "dhat"))]
TARGETS = {"mvmheap": ["mvmheap-v1", "mvmheap-v2:increments", "mvmheap-v3"], "chrome": ["chrome-legacy", "heaps-v2"],
           "v8": ["heapsnapshot", "heapprofile"]}


def commands_for(slug):
    targets = TARGETS.get(slug.split("/")[0], ["mvmheap-v3"])
    return COMMANDS + [["convert", "--allow-loss", "FILE", "-o", "OUT", "--to", target] for target in targets]


def measure(heapcheck, command, path, out):
    """Returns the processor time in seconds, the memory in bytes, and the exit status of one call."""
    words = [{"FILE": str(path), "OUT": str(out)}.get(word, word) for word in command]
    words = [heapcheck, *words, "--max-memory", str(MAX_MEMORY), "--timeout", str(MOST_SECONDS)]
    status, seconds, memory = large_numbers.run(words)
    out.unlink(missing_ok=True)
    return seconds, memory, status


def judge(heapcheck, command, small, large):
    """Describes the problem with the calls for both sizes, if there is one."""
    with tempfile.TemporaryDirectory() as scratch:
        return judge_writing_to(heapcheck, command, small, large, pathlib.Path(scratch) / "out")


def judge_writing_to(heapcheck, command, small, large, out):
    for _ in range(TRIES):
        before, memory_before, status_before = measure(heapcheck, command, small, out)
        after, memory_after, status_after = measure(heapcheck, command, large, out)
        if not {status_before, status_after} <= STATUSES:
            return f"exit status {status_before} and {status_after}"
        if max(memory_before, memory_after) > MAX_MEMORY + OVERHEAD:
            return f"{max(memory_before, memory_after) >> 20} MB of memory"
        if after < LEAST_SECONDS or after <= MOST_RATIO * max(before, LEAST_SECONDS / FACTOR):
            return None
        if status_before != status_after and after <= MOST_SECONDS_ALONE:
            return None
    return f"{after:.2f} s for {FACTOR} times the input, {before:.2f} s before"


def list_calls(folder, pattern):
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if fnmatch.fnmatch(name, pattern):
            yield from ((name, command) for command in commands_for(name))


def main(heapcheck, pattern="*"):
    failed = calls = 0
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        small, large = pathlib.Path(scratch) / "small", pathlib.Path(scratch) / "large"
        maker = pathlib.Path(__file__).with_name("large_inputs.py")
        for folder, size in ((small, 1_000_000), (large, FACTOR * 1_000_000)):
            subprocess.run([sys.executable, maker, folder, str(size)], check=True)

        def judge_call(call):
            name, command = call
            wrong = judge(heapcheck, command, small / name, large / name)
            return wrong and f"{name}: {' '.join(command)}: {wrong}"

        for wrong in large_numbers.run_each(judge_call, list_calls(large, pattern)):
            calls += 2
            if wrong:
                failed += 1
                print(wrong, flush=True)
    more_calls, more_failed = large_numbers.check(heapcheck, pattern)
    calls, failed = calls + more_calls, failed + more_failed
    print(f"{calls} calls, {failed} commands too slow or too large, {time.monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
