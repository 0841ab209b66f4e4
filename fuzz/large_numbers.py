#!/usr/bin/env python3
"""Checks that memory follows the size of a file, not the numbers in it.

    fuzz/large_numbers.py HEAPCHECK [GLOB]   prints a line for each call that takes too much memory, and exits with
                                             status 1 if there is one; GLOB chooses seeds, such as 'v8/*'

Takes the small seeds of the corpus, replaces a number by one far above their size, once or wherever it occurs, and runs
commands on the result. In binary dumps, each number of 8 bytes is replaced. Needs nothing but Python's standard library.
"""
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus"
MOST_SEED_BYTES = 16_000
MOST_PLACES = 40  # in a seed, evenly spaced
MOST_MEMORY = 48 << 20  # of which the program itself and its buffers take 8 to 24 MB
NUMBERS = [2**27 - 1, 2**31 - 1, 2**32 - 2]
COMMANDS = [["validate", "FILE"], ["info", "FILE"], ["summary", "--force", "FILE"],
            ["recover", "FILE", "-o", "OUT"], ["recover", "--placeholder-names", "FILE", "-o", "OUT"]]
STATUSES = set(range(6))


def spread(places):
    """At most MOST_PLACES of the places, evenly spaced."""
    step = max(1, len(places) // MOST_PLACES)
    return places[::step][:MOST_PLACES]


def change_text(content):
    """Yields the text with another number in one place, and with that number wherever it occurs."""
    for match in spread(list(re.finditer(rb"(?<![\w.])\d+(?![\w.])", content))):
        for number in NUMBERS:
            large = b"%d" % number
            yield content[:match.start()] + large + content[match.end():]
            yield re.sub(rb"(?<![\w.])" + match[0] + rb"(?![\w.])", large, content)


def change_bytes(content):
    for place in spread(range(16, len(content) - 8, 4)):
        for number in NUMBERS:
            yield content[:place] + struct.pack("<Q", number) + content[place + 8:]


def run(words):
    """Returns the exit status of one call, its processor time in seconds, and its largest resident memory in bytes."""
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def run_each(function, items):
    """Yields the results of the function for each item, in order, with one call per processor at a time."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(function, items)


def list_seeds(pattern):
    for path in sorted(CORPUS.rglob("seed/*")):
        slug = path.relative_to(CORPUS).as_posix()
        if path.stat().st_size <= MOST_SEED_BYTES and not slug.startswith("core/") and fnmatch.fnmatch(slug, pattern):
            yield slug, path.read_bytes()


def check_seed(heapcheck, slug, content):
    """Returns the number of calls, and a sentence for each that takes too much memory or ends in an unknown way."""
    calls, problems = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        file, out = pathlib.Path(scratch) / "file", pathlib.Path(scratch) / "out"
        is_binary = b"\0" in content
        for place, changed in enumerate((change_bytes if is_binary else change_text)(content)):
            file.write_bytes(changed)
            for command in COMMANDS:
                words = [{"FILE": str(file), "OUT": str(out)}.get(word, word) for word in command]
                status, _, memory = run([heapcheck, *words])
                out.unlink(missing_ok=True)
                calls += 1
                if status in STATUSES and memory <= MOST_MEMORY:
                    continue
                with tempfile.NamedTemporaryFile(prefix="large-number-", delete=False) as kept:
                    kept.write(changed)
                problems.append(f"{slug}, change {place}: {' '.join(command)}: exit status {status}, "
                                f"{memory >> 20} MB; the file is {kept.name}")
    return calls, problems


def check(heapcheck, pattern="*"):
    """Prints the problems. Returns the number of calls and of problems."""
    calls = failed = 0
    for some_calls, problems in run_each(lambda seed: check_seed(heapcheck, *seed), list_seeds(pattern)):
        calls, failed = calls + some_calls, failed + len(problems)
        for problem in problems:
            print(problem, flush=True)
    return calls, failed


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    all_calls, wrong = check(*sys.argv[1:])
    print(f"{all_calls} calls, {wrong} take too much memory")
    sys.exit(1 if wrong else 0)
