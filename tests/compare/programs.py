#!/usr/bin/env python3
"""Runs two builds of heapcheck over the same files and shows the differences.

usage: tests/compare/programs.py [OPTION...] BEFORE AFTER PATH...

  --part NAME     only calls of this part; may be repeated: check (validate, info), rewrite (convert, recover),
                  questions, shell, export, page, input (dumps on standard input), files (baselines, configuration,
                  cache, in place), folders (each PATH that is a folder, as a whole), and, which need no file, usage
                  (help, every option with right and wrong values), rules, config, terminal (completion in the shell)
  --only GLOB     only calls whose arguments match, such as 'export * parquet*'
  --every N       make one in N of the less important calls for a file, and others for the next file (default: 31)
  --quick         make only one in N of the important calls, too: for large files
  --jobs N        number of calls at the same time (default: one per core)
  --mask-words    sentences may differ: compare only the exit status, the rest of JSON and the written files

Both programs answer the same calls, which calls.py and usage_calls.py list. The exit status, both outputs and every
byte of every file that a call leaves must be the same, except the durations of the slowest files and the content of
caches. If both programs are in build folders with manual pages (target heapcheck_pages), these are compared, too.
Exits with 1 if anything differs. To also compare the answers about the conformance cases:

  build/dev/conformance/heapcheck-conformance export build/cases
  tests/compare/programs.py BEFORE AFTER corpus build/cases
"""
import argparse
import concurrent.futures
import contextlib
import fnmatch
import hashlib
import itertools
import json
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile

import calls
import usage_calls

SECONDS = 300
# Members of JSON reports that contain text for humans.
SENTENCES = {"message", "reason", "error", "layout"}
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/proc/nonexistent", "LC_ALL": "C.UTF-8", "TERM": "dumb", "COLUMNS": "100",
               "NO_COLOR": "1", "TZ": "UTC"}
# The durations of the slowest files at the end of a report; files that took less than a second are not listed.
DURATIONS = rb'(?m)^slowest:\n|^ +\d+\.\d s  .*\n|"slowest": *\[[^]]*\]'
# The time that a program must be silent before the next key is typed.
PAUSE = 0.3
# The parts that need no file.
ONCE = {"usage", "rules", "config", "terminal"}


class Subject:
    """The subject of calls: a file and the next one, a folder, or only the program."""

    def __init__(self, program, path="", later=""):
        self.program, self.path, self.later = program, path, later
        self.ids = None

    def fill_in(self, text):
        """The text with its placeholders replaced."""
        if not self.path:
            return text
        if "ID" in text and self.ids is None:
            self.ids = self.find_ids()
        values = {"FILE": self.path, "FOLDER": self.path, "LATER": self.later, **(self.ids or {})}
        return re.sub(r"\b(FILE|FOLDER|LATER|ID[12])\b", lambda found: values[found[0]], text)

    def find_ids(self):
        words = ["find", self.path, "nodes", "--limit", "3", "--output", "csv", "--force"]
        answer = usage_calls.ask(self.program, words)
        ids = [line.split(",")[0] for line in answer.splitlines()[2:]] + ["1", "3"]
        return {"ID1": ids[0], "ID2": ids[1]}

    def read(self, text):
        """The bytes that the text in a call represents."""
        text = self.fill_in(text)
        if not text.startswith("<"):
            return text.encode(errors="surrogateescape")
        with open(text[1:], "rb") as file:
            return file.read()


def walk(path):
    for folder, folders, names in os.walk(path):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names))


def hash_files(folder):
    """The checksums of the files in a folder, except caches."""
    sums = {}
    for path in walk(folder):
        name = os.path.relpath(path, folder)
        if not name.startswith("cache/"):
            with open(path, "rb") as file:
                sums[name] = hashlib.sha256(file.read()).hexdigest()
    return sums


def read_until_silent(terminal):
    """The output on the terminal until nothing follows for a while or it is closed."""
    output = b""
    with contextlib.suppress(OSError):
        while select.select([terminal], [], [], PAUSE)[0]:
            output += os.read(terminal, 65536)
    return output


def type_keys(command, keys, folder):
    """The exit status of a command at a terminal, and its output."""
    terminal, end = pty.openpty()
    with subprocess.Popen(command, stdin=end, stdout=end, stderr=end, cwd=folder, env=ENVIRONMENT) as process:
        os.close(end)
        output = read_until_silent(terminal)
        for key in keys:
            with contextlib.suppress(OSError):
                os.write(terminal, key.encode())
            output += read_until_silent(terminal)
        process.wait(SECONDS)
    os.close(terminal)
    return [process.returncode, output]


def run(program, call, subject, folder):
    """The exit statuses and outputs, and the checksums of the files that the call leaves in the folder."""
    os.makedirs(folder)
    for name, text in call.files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(subject.read(text))
    command = [program, *map(subject.fill_in, call.words)]
    stdin = subject.read(call.stdin)
    result = []
    try:
        if call.keys:
            return type_keys(command, call.keys, folder)
        for _ in range(call.times):
            done = subprocess.run(command, input=stdin, capture_output=True, timeout=SECONDS, cwd=folder,
                                  env=ENVIRONMENT)
            result += [done.returncode, re.sub(DURATIONS, b"", done.stdout), done.stderr]
        result.append(hash_files(folder))
    except subprocess.TimeoutExpired:
        result = ["too slow"]
    finally:
        shutil.rmtree(folder)
    return result


def mask(value):
    """The value without the text for humans in a report."""
    if isinstance(value, list):
        return [mask(item) for item in value]
    if isinstance(value, dict):
        return {key: mask(item) for key, item in value.items() if key not in SENTENCES}
    return value


def mask_words(result):
    """The exit status, JSON without its sentences, and the checksums of the files."""
    content = None
    if len(result) == 4:
        with contextlib.suppress(ValueError):
            content = mask(json.loads(result[1]))
    return [part for part in result if not isinstance(part, bytes)] + [content]


def compare(programs, subject, chosen, masked):
    """The differences in the answers to the chosen calls."""
    differences = []
    with tempfile.TemporaryDirectory() as folder:
        for call in chosen:
            # Both programs run in the same folder, because messages may contain its name.
            results = [run(program, call, subject, os.path.join(folder, "here")) for program in programs]
            if masked:
                results = [mask_words(result) for result in results]
            if results[0] != results[1]:
                differences.append((call, *results))
    return differences


def describe_difference(first, second):
    """The parts of two results that differ, from a little before the first difference."""
    for one, other in itertools.zip_longest(first, second, fillvalue="nothing"):
        if one == other:
            continue
        if isinstance(one, bytes) and isinstance(other, bytes):
            start = max(len(os.path.commonprefix([one, other])) - 60, 0)
            one, other = one[start:start + 300], other[start:start + 300]
        yield f"  before: {str(one)[:400]}"
        yield f"  after:  {str(other)[:400]}"


def choose(options, candidates):
    """The calls that the options name."""
    return [call for call in candidates
            if (not options.part or call.part in options.part)
            and (not options.only or fnmatch.fnmatch(" ".join(call.words), options.only))]


def plan(options):
    """Yields the subjects that are compared, and the calls for each."""
    program = options.programs[0]
    # Runs calls in pieces, so that several run at the same time.
    is_wanted = not options.part or ONCE.intersection(options.part)
    once = choose(options, usage_calls.once(program)) if is_wanted else []
    yield from ((Subject(program), once[start:start + 100]) for start in range(0, len(once), 100))
    folders = [os.path.abspath(path) for path in options.paths if os.path.isdir(path)]
    yield from ((Subject(program, path), choose(options, calls.for_folder())) for path in folders)
    files = [os.path.abspath(file) for path in options.paths
             for file in (walk(path) if os.path.isdir(path) else [path])]
    always, in_turns = choose(options, calls.always()), choose(options, calls.in_turns())
    for index, (path, later) in enumerate(zip(files, files[1:] + files[:1])):
        turn = slice(index % options.every, None, options.every)
        yield Subject(program, path, later), (always[turn] if options.quick else always) + in_turns[turn]


def compare_pages(programs):
    """The number of differing manual pages and completions."""
    folders = [os.path.join(os.path.dirname(program), "../generated/pages") for program in programs]
    if not all(map(os.path.isdir, folders)):
        print("no manual pages in both build folders, so they are not compared")
        return 0
    before, after = map(hash_files, folders)
    names = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    print(*(f"pages: {name}" for name in names), sep="\n", end="\n" if names else "")
    return len(names)


def parse_options():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2], add_help=False)
    parser.add_argument("--part", action="append", default=[])
    parser.add_argument("--only")
    parser.add_argument("--every", type=int, default=31)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--mask-words", action="store_true")
    parser.add_argument("programs", nargs=2, type=os.path.abspath)
    parser.add_argument("paths", nargs="*")
    return parser.parse_args()


def main():
    options = parse_options()
    work = [(subject, chosen) for subject, chosen in plan(options) if chosen]
    differing = 0 if options.part or options.only else compare_pages(options.programs)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        compared = pool.map(lambda item: compare(options.programs, *item, options.mask_words), work)
        for (subject, _), differences in zip(work, compared):
            differing += len(differences)
            for call, first, second in differences:
                print(f"{call.part}: {subject.path}: {shlex.join(call.words)}",
                      *describe_difference(first, second), sep="\n", flush=True)
    count = sum(len(chosen) for _, chosen in work)
    parts = sorted({call.part for _, chosen in work for call in chosen})
    print(f"{count} calls of each program ({', '.join(parts)}); {differing} differ")
    sys.exit(differing != 0 or count == 0)


if __name__ == "__main__":
    main()
