#!/usr/bin/env python3
"""Looks for the planted leaks as a careless agent would: with the server for agents, following only its suggestions.

usage: tests/leaks/agent.py [--only NAME] [--folder FOLDER] HEAPCHECK

Opens the dumps that tests/leaks/run.py left in the folder (default: build/leaks), the earliest first. Then it calls the
first tool in `next` of the last answer that it has not called yet, with the arguments given there, until one row of an
answer names what holds the memory, and also has a right line of the program. MoarVM's dumps do not contain the lines of
variables, so for Raku, the row must have a place in the program's file. Prints the calls, the bytes of all answers, and
the place. Programs without dumps are skipped.

Exits with 1 if fewer than 18 of the 20 leaks are found within 8 calls and 48 KB or, if fewer are looked for, not all of
them."""
import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True  # writes into the sources
sys.path.insert(0, str(ROOT / "tests" / "writers"))
import cases
import judge

MOST_CALLS = 8
MOST_BYTES = 48 * 1024
ALL = 20
LEAST_FOUND = 18


class Server:
    """A server for agents, and what it has cost so far."""

    def __init__(self, heapcheck, folder):
        self.process = subprocess.Popen([heapcheck, "mcp", "--root", folder], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.calls = 0
        self.bytes = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def call(self, tool, arguments):
        """The answer, as the agent reads it."""
        self.calls += 1
        request = {"jsonrpc": "2.0", "id": self.calls, "method": "tools/call",
                   "params": {"name": tool, "arguments": arguments}}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        text = json.loads(self.process.stdout.readline())["result"]["content"][0]["text"]
        self.bytes += len(text.encode())
        return json.loads(text)


def rows_of(content):
    """The parts of an answer that are each about one thing: its rows, or the whole answer about a node or a path."""
    rows = content.get("suspects") or content.get("leaks") or content.get("rows")
    return rows or [content]


def find_leak(case, answer):
    """The right places in the first row that names what holds the memory and has one; none if there is no such row."""
    for row in rows_of(answer.get("answer", {})):
        if not case.is_named_by("\n".join(judge.words_of(row))):
            continue
        places = set(judge.find_places(row))
        right = (places & set(case.find_lines()) if case.places
                 else {place for place in places if place.startswith(case.script + ":")})
        if right:
            return sorted(right)
    return []


def look_for_leak(case, server):
    """Returns the places with which the leak was found within the limits; none if it was not."""
    made = []
    for file in case.files:
        answer = server.call("open", {"path": str(file)})
    while server.calls < MOST_CALLS and server.bytes <= MOST_BYTES:
        step = next(((step["tool"], step["arguments"]) for step in answer["next"]
                     if (step["tool"], step["arguments"]) not in made), None)
        if not step:
            return []
        made.append(step)
        answer = server.call(*step)
        if (places := find_leak(case, answer)) and server.bytes <= MOST_BYTES:
            return places
    return []


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2].removeprefix("usage: "))
    parser.add_argument("--only", action="append")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "leaks")
    parser.add_argument("heapcheck")
    options = parser.parse_args()
    found = tried = 0
    for case in cases.read_cases(options.folder):
        if (options.only and case.name not in options.only) or not all(file.is_file() for file in case.files):
            continue
        with Server(options.heapcheck, options.folder) as server:
            places = look_for_leak(case, server)
            print(f"{case.name:<15} {'found' if places else 'NOT found':<9}  {server.calls} calls  "
                  f"{server.bytes:>6} bytes  {' '.join(places)}", flush=True)
        tried += 1
        found += bool(places)
    print(f"{found} of {tried} leaks found")
    return 0 if tried and found >= (LEAST_FOUND if tried == ALL else tried) else 1


if __name__ == "__main__":
    sys.exit(main())
