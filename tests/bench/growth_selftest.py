#!/usr/bin/env python3
"""Checks how bench/growth judges costs, and that the worst cases that it makes are valid dumps.

    growth_selftest.py BUILD-FOLDER

Nothing is timed: costs are computed. Also checks that, with tiny inputs, the program finishes and writes a row for each
command.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from driver import commands, fit, measure, worst  # noqa: E402

SIZES = (1, 4, 16)
NOTHING = measure.Run(cpu=0.004, wall=0.004, peak=9_000_000)
FEW = 60


def expect(condition, words):
    if not condition:
        sys.exit(f"growth_selftest.py: {words}")


def judge(seconds, peak):
    """Which costs are steep if the costs of a size are these functions of it, plus the costs of an empty input."""
    runs = [measure.Run(NOTHING.cpu + seconds(size), 0, NOTHING.peak + int(peak(size))) for size in SIZES]
    return [growth.is_steep for growth in fit.judge(SIZES, runs, NOTHING)]


def check_fit():
    def megabytes(form):
        return lambda size: form(size) * 10_000_000

    def linear(size):
        return size

    def sorting(size):
        return size * math.log2(size * 1e6) / 20

    expect(judge(linear, megabytes(linear)) == [False, False], "a linear cost is flagged")
    expect(judge(sorting, megabytes(linear)) == [False, False], "the time of sorting is flagged")
    expect(judge(lambda size: size + 0.5, megabytes(lambda size: size + 3)) == [False, False], "a constant is flagged")
    expect(judge(lambda size: size**2, megabytes(linear)) == [True, False], "a quadratic time is not flagged")
    expect(judge(lambda size: size**1.5, megabytes(linear)) == [True, False], "a time of n^1.5 is not flagged")
    expect(judge(linear, megabytes(lambda size: size**2)) == [False, True], "a quadratic memory is not flagged")
    expect(judge(lambda size: size**2 / 1e5, lambda size: size**2) == [False, False], "a tiny cost is flagged")


def check_worst(heapcheck, folder):
    for case in worst.list_cases():
        path = folder / f"{case.name}.{worst.ENDINGS[case.format]}"
        case.make(path, FEW)
        done = subprocess.run([heapcheck, "validate", "--output", "json", path], capture_output=True, text=True)
        expect(done.returncode == 0, f"{case.format}, {case.name} is not valid:\n{done.stdout}")
        format = json.loads(done.stdout)["files"][0]["format"]
        expected = "heapsnapshot" if case.format == "heaptimeline" else case.format  # one format, two extensions
        expect(format == expected, f"{case.name} is {format}, expected {expected}")


def check_program(build, folder):
    out = folder / "results.json"
    words = [ROOT / "bench/growth", "--programs", build, "--folder", folder / "inputs", "--scale", "0.0002"]
    done = subprocess.run([*words, "--only", "chain/heapsnapshot/*", "--json", out],
                          capture_output=True, text=True)
    expect(done.returncode == 0, f"bench/growth failed:\n{done.stdout}{done.stderr}")
    rows = json.loads(out.read_text())["rows"]
    names = {row["name"].removeprefix("chain/heapsnapshot/") for row in rows}
    wanted = {command.name for command in commands.commands_for("heapsnapshot")}
    expect(names == wanted, f"there are no rows for {sorted(wanted - names)}")
    expect(all(len(row["seconds"]) == len(row["bytes"]) == 2 for row in rows), "a size was not measured")
    expect(not list((folder / "inputs").iterdir()), "inputs were left")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    check_fit()
    with tempfile.TemporaryDirectory() as scratch:
        check_worst(build / "cli/heapcheck", pathlib.Path(scratch))
        check_program(build, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
