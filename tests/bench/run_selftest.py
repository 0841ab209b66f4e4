#!/usr/bin/env python3
"""Runs bench/run with small inputs and checks its output.

    run_selftest.py BUILD-FOLDER

Checks that its results and bench/results.json match their schema; a planted slow program is shown as slower, and a
program that does nothing as faster; missing programs are named; inputs are made again only if necessary, and then with
the same content; and the section of README.md agrees with bench/results.json. Exits with status 77, which skips the
test, if Python has no jsonschema.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = "v1-1M,v2-1M,v3-1M,json,analysis,places"
SLOW_RUNS = 20
LEAST_RATIO = 1  # far less than SLOW_RUNS, because other work on the machine may slow down a single run


def fail(words):
    sys.exit(f"run_selftest.py: {words}")


def expect(condition, words):
    if not condition:
        fail(words)


def run(build, folder, *options):
    """Returns what bench/run printed to standard error, line by line."""
    command = [ROOT / "bench/run", "--programs", build, "--folder", folder, "--rounds", "1", "--scale", "0.05",
               *options]
    done = subprocess.run(command, capture_output=True, text=True)
    expect(done.returncode == 0, f"bench/run failed:\n{done.stdout}{done.stderr}")
    return done.stderr.splitlines()


def find_made(lines):
    return {line.rsplit(" ", 1)[1] for line in lines if ": making " in line}


def plant_slow(build, folder):
    """A program that is slower than heapcheck on any machine, because it runs it several times."""
    script = folder / "slow"
    script.write_text(f'#!/bin/sh\nfor i in $(seq {SLOW_RUNS}); do "{build}/cli/heapcheck" validate --quiet '
                      '--no-progress "$1" || exit; done\n')
    script.chmod(0o755)
    return script


def check_schema(path):
    words = [sys.executable, ROOT / "tests/support/check_schema.py", ROOT / "spec/bench.schema.json"]
    done = subprocess.run([*words, path], capture_output=True, text=True)
    if done.returncode == 77:
        sys.exit(77)
    expect(done.returncode == 0, f"the results do not match their schema:\n{done.stdout}")
    broken = path.read_text().replace('"role": "limit"', '"role": "floor"')
    done = subprocess.run(words, input=broken, capture_output=True, text=True)
    expect(done.returncode == 1, "the schema accepts a role that does not exist")


def check_rows(results):
    names = {row["name"].split("-")[0] for row in results["rows"]}
    expect({"v1", "v2", "v3", "json", "analysis", "places"} <= names, f"rows are missing: {sorted(names)}")
    for row in results["rows"]:
        commands = {command["name"]: command for command in row["commands"]}
        expect("cpu" in row["commands"][0], f"{row['name']}: heapcheck was not measured: {row['commands'][0]}")
        if not row["name"].startswith(("v1-", "v2-", "v3-", "json-")):
            continue
        for axis in ("user", "cpu", "wall"):
            slow, nothing = (commands[name]["ratio"][axis]["median"] for name in ("slow", "nothing"))
            expect(slow > LEAST_RATIO, f"{row['name']}: {SLOW_RUNS} runs of heapcheck take {slow} times as long")
            expect(nothing < 1, f"{row['name']}: a program that does nothing takes {nothing} times as long")
        if row["name"].startswith("json-snapshot"):
            expect("left_out" in commands["yyjson"], "yyjson is not named as missing")


def check_missing(results):
    """No packages from npm were given."""
    row = next(row for row in results["rows"] if row["name"].startswith("analysis-"))
    for command in row["commands"]:
        if command["role"] == "peer":
            expect("not installed" in command.get("left_out", ""), f"{command['name']} is not named as missing")


def check_inputs(build, folder):
    """An input that was damaged is made again with the same content; other inputs are reused."""
    path = folder / "v3-1M.mvmheap"
    content = path.read_bytes()
    expect(not find_made(run(build, folder, "--only", "v3-1M,v2-1M")), "inputs were made again for no reason")
    path.write_bytes(content + b"\0")
    made = find_made(run(build, folder, "--only", "v3-1M,v2-1M"))
    expect(made == {path.name}, f"after damage to {path.name}, these were made again: {sorted(made)}")
    expect(path.read_bytes() == content, "the same seed and size lead to another input")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        out = folder / "results.json"
        run(build, folder, "--only", ROWS, "--json", out, "--peer", f"slow={plant_slow(build, folder)} {{}}",
            "--peer", "nothing=true")
        check_schema(out)
        check_schema(ROOT / "bench/results.json")
        results = json.loads(out.read_text())["measurements"][0]
        check_rows(results)
        check_missing(results)
        check_inputs(build, folder)
    subprocess.run([ROOT / "bench/run", "--check-readme"], check=True)


if __name__ == "__main__":
    main()
