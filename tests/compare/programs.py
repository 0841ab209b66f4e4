#!/usr/bin/env python3
"""Runs two builds of heapcheck over the same files and shows the differences.

usage: tests/compare/programs.py [--mask-words] BEFORE AFTER PATH...

Both programs check every file in the PATHs (with the report as text and as JSON, with all findings, and for each
reader), show its contents (info, as text and as JSON), convert it to every target, and recover it. The exit status,
both outputs and every written byte must be the same. With --mask-words, sentences may differ: only the exit
status, the rest of the JSON reports and the written bytes are compared. Exits with 1 if anything differs.
"""
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import tempfile

TARGETS = ["mvmheap-v1", "mvmheap-v2", "mvmheap-v2:increments", "mvmheap-v3", "chrome-legacy", "heaps-v2",
           "heapsnapshot", "heapprofile"]
SECONDS = 300
# Members of JSON reports that are written for people.
SENTENCES = {"message", "reason", "error", "layout"}


def calls():
    """The arguments of each call. OUT stands for the output file."""
    for output in ("text", "json"):
        yield ["validate", "--max-per-rule", "10000", "--output", output]
        yield ["info", "--output", output]
    for reader in ("devtools", "memlab"):
        yield ["validate", "--for", reader]
        yield ["validate", "--for", reader, "--output", "json"]
    for target in TARGETS:
        yield ["convert", "--allow-loss", "--to", target, "-o", "OUT"]
    yield ["convert", "--to", "mvmheap-v1", "-o", "OUT"]
    yield ["convert", "--allow-loss", "--to", "chrome-legacy", "--keep-trace", "--threshold", "1000", "-o", "OUT"]
    yield ["recover", "-o", "OUT"]
    yield ["recover", "--placeholder-names", "--to", "mvmheap-v3", "-o", "OUT"]


def run(program, arguments, path, folder):
    out = os.path.join(folder, "OUT")
    words = [out if word == "OUT" else word for word in arguments]
    try:
        done = subprocess.run([program, *words, path], capture_output=True, timeout=SECONDS)
        result = [done.returncode, done.stdout, done.stderr]
    except subprocess.TimeoutExpired:
        result = ["too slow"]
    if os.path.exists(out):
        with open(out, "rb") as file:
            result.append(hashlib.sha256(file.read()).hexdigest())
        os.remove(out)
    return result


def mask(value):
    """The value without the sentences of a report that are written for people."""
    if isinstance(value, list):
        return [mask(item) for item in value]
    if isinstance(value, dict):
        return {key: mask(item) for key, item in value.items() if key not in SENTENCES}
    return value


def mask_words(result):
    """The exit status, JSON without its sentences, and the checksum of the output file."""
    status, out, *rest = result
    try:
        content = mask(json.loads(out))
    except ValueError:
        content = None
    return [status, content, *rest[1:]]


def compare(before, after, path, masked):
    differences = []
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for arguments in calls():
            count += 1
            first = run(before, arguments, path, folder)
            second = run(after, arguments, path, folder)
            if masked and len(first) > 1 and len(second) > 1:
                first, second = mask_words(first), mask_words(second)
            if first != second:
                differences.append((arguments, first, second))
    return path, count, differences


def find_files(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                yield os.path.join(folder, name)


def main():
    masked = "--mask-words" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--mask-words"]
    if len(words) < 3:
        sys.exit(__doc__)
    before, after = (os.path.abspath(program) for program in words[:2])
    files = list(find_files(words[2:]))
    runs = differing = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, count, differences in pool.map(lambda path: compare(before, after, path, masked), files):
            runs += count
            differing += bool(differences)
            for arguments, first, second in differences:
                print(f"{path}: {' '.join(arguments)}")
                for name, result in (("before", first), ("after", second)):
                    print(f"  {name}: " + " | ".join(str(part)[:300] for part in result))
    print(f"{len(files)} files, {runs} calls of each program; {differing} files differ")
    sys.exit(differing != 0)


if __name__ == "__main__":
    main()
