#!/usr/bin/env python3
"""Looks for the planted leaks as a careless agent would: with the server for agents, following only its suggestions.

usage: tests/leaks/agent.py [--only NAME] [--folder FOLDER] HEAPCHECK

Opens the dumps that tests/leaks/run.py left in the folder (default: build/leaks), the earliest first. Then it calls the
first tool in `next` of the last answer that it has not called yet, with the arguments given there, until an answer
names what holds the memory and, if the program is in JavaScript, a right line. Prints the calls and the bytes of all
answers. Programs without dumps are skipped.

Exits with 1 if more than one in ten leaks is not found within 8 calls and 48 KB."""
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


def names_leak(case, answer):
    """Whether the answer names what holds the memory, and a right line if the program is in JavaScript."""
    content = answer.get("answer", {})
    is_named = case.is_named_by("\n".join(judge.words_of(content)))
    return is_named and (not case.places or set(case.find_lines()) & set(judge.find_places(content)))


def look_for_leak(case, server):
    """Returns whether the leak was found within the limits."""
    made = []
    for file in case.files:
        answer = server.call("open", {"path": str(file)})
    while server.calls < MOST_CALLS and server.bytes <= MOST_BYTES:
        step = next(((step["tool"], step["arguments"]) for step in answer["next"]
                     if (step["tool"], step["arguments"]) not in made), None)
        if not step:
            return False
        made.append(step)
        answer = server.call(*step)
        if names_leak(case, answer):
            return server.bytes <= MOST_BYTES
    return False


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
            is_found = look_for_leak(case, server)
            print(f"{case.name:<15} {'found' if is_found else 'NOT found':<9}  {server.calls} calls  "
                  f"{server.bytes:>6} bytes", flush=True)
        tried += 1
        found += is_found
    print(f"{found} of {tried} leaks found")
    return 0 if tried and tried - found <= tried // 10 else 1


if __name__ == "__main__":
    sys.exit(main())
