#!/usr/bin/env python3
"""Checks how bench/run measures commands, with programs whose costs are known, while other programs keep all processors
busy.

    measure_selftest.py BUILD-FOLDER

A program that does twice as much takes twice the time. Each command gets the processors that it asks for. Memory is
used and freed before the first of two runs. The user time is that of the second one. Also checks the ratios and the
section of README.md that made-up costs lead to.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from driver import measure, output, page, rows  # noqa: E402

PYTHON = sys.executable
STEPS = 3_000_000
ROOM = 0.25  # for a ratio of 2
MB = 1_000_000


def expect(condition, words):
    if not condition:
        sys.exit(f"measure_selftest.py: {words}")


def python(name, program, role="peer", **more):
    return rows.Command(name, role, [PYTHON, "-ISc", program], **more)


def work(name, count, role="peer"):
    return python(name, f"for i in range({count * STEPS}): pass", role)


def measure_all(launcher, commands, rounds=3, slow=1000):
    outcomes = measure.run_in_turn(launcher, commands, rounds, slow, lambda words: None)
    for name, outcome in outcomes.items():
        expect(not outcome.failure, f"{name} {outcome.failure}")
    return outcomes


def check_ratio(launcher):
    once, twice = work("once", 1, "heapcheck"), work("twice", 2)
    outcomes = measure_all(launcher, [once, twice])
    for axis in ("user", "cpu"):
        ratio = measure.find_ratios(outcomes["twice"], outcomes["once"], axis, is_limit=False)["median"]
        expect(abs(ratio - 2) < 2 * ROOM, f"twice the work takes {ratio} times the {axis} time")
        inverse = measure.find_ratios(outcomes["once"], outcomes["twice"], axis, is_limit=True)["median"]
        expect(abs(inverse - 2) < 2 * ROOM, f"as a limit, half the work leads to {inverse} for the {axis} time")


def check_memory(launcher):
    held = 60 * MB
    holding = python("holds memory", f"b = b'x' * {held}", "heapcheck")
    commands = [holding, python("holds none", "")]
    touched = measure.try_all(measure.Launcher(launcher, print), commands)[2]
    expect(touched > held, f"{touched} bytes are used before each command, expected more than {held}")
    outcomes = measure_all(launcher, commands, rounds=1)
    peaks = {name: outcome.runs[0].peak for name, outcome in outcomes.items()}
    expect(peaks["holds memory"] > held > 2 * peaks["holds none"], f"the peaks are {peaks}")


def check_touched(launcher):
    """The largest descendant of this process is the one that uses and frees the memory."""
    touched = 300 * MB
    run = measure.Launcher(launcher, print).run(python("small", ""), touched)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    expect(touched <= largest < 2 * touched, f"{largest} bytes were used, expected {touched}")
    expect(run.peak < touched / 4, f"the memory that was freed before counts as the memory of the command: {run}")


def check_processors(launcher):
    ask = "import os, sys; sys.exit(len(os.sched_getaffinity(0)) != {})"
    measure_all(launcher, [python("one", ask.format(1))], rounds=1)
    available = len(os.sched_getaffinity(0))
    measure_all(launcher, [python("all", ask.format(available), processors=available)], rounds=1)
    too_many = python("too many", "", processors=available + 1)
    outcome = measure.run_in_turn(launcher, [too_many], 1, 1, print)["too many"]
    expect(outcome.failure == f"needs {available + 1} processors", f"the failure is: {outcome.failure}")


def check_second_run(launcher, folder):
    """A program that does 10 times as much in the run after the trial."""
    program = (f"file = open({str(folder / 'count')!r}, 'ab'); is_slow = file.tell() == 1; file.write(b'x')\n"
               f"for i in range({10 * STEPS} if is_slow else {STEPS}): pass")
    run = measure_all(launcher, [python("first run is slow", program)], rounds=1)["first run is slow"].runs[0]
    expect(run.user < run.cpu / 3, f"the user time is not that of the second run: {run}")


def check_slow(launcher):
    """Other programs that are slow are measured only once."""
    commands = [work("ours", 1, "heapcheck"), work("theirs", 1)]
    counts = {name: len(outcome.runs) for name, outcome in measure_all(launcher, commands, slow=0.001).items()}
    expect(counts == {"ours": 3, "theirs": 1}, f"the numbers of runs are {counts}")


def check_other_work():
    others = measure.OtherWork()
    deadline = os.times().elapsed + 1
    while os.times().elapsed < deadline:
        pass
    share = others.find_share()
    expect(share > 0.3, f"other programs keep all processors busy, but their share is {share}")


def make_measurement(processor, user, cpu, others=0.04):
    """Of a program and its limit, which have these times, and of a program that is missing."""
    row = rows.Row("v3-5M", "check", None, [rows.Command("heapcheck", "heapcheck", []), rows.Command("it", "limit", []),
                                            rows.Command("gone", "peer", [], missing="not installed")], [])
    runs = [[measure.Run(c, c, MB, u) for c, u in zip(cpu[name], user[name])] for name in ("heapcheck", "it")]
    outcomes = dict(zip(("heapcheck", "it", "gone"), [*map(measure.Outcome, runs), measure.Outcome([])]))
    facts = {"name": "x", "format": "mvmheap-v3", "byte_count": 35 * MB, "sha256": "0" * 64}
    return {"machine": {"processor": processor, "cores": 2, "memory_bytes": 24 * 10**9}, "rounds": 3,
            "rows": [output.describe_row(row, outcomes, facts, others)]}


def expect_refused(measurements, new, reason):
    try:
        page.merge(measurements, new)
    except ValueError as error:
        expect(reason in str(error), f"found {error}, expected {reason}")
        return
    expect(False, f"results were accepted, expected {reason}")


def check_page():
    intel = make_measurement("Intel(R) Xeon(R), family 6, model 207", {"heapcheck": [3, 3, 3], "it": [2, 1, 3]},
                             {"heapcheck": [4, 8, 6], "it": [2, 2, 2]})
    amd = make_measurement("AMD EPYC, family 25, model 1", {"heapcheck": [1] * 3, "it": [1] * 3},
                           {"heapcheck": [5] * 3, "it": [1] * 3})
    section = page.make_section(page.merge([amd], intel))
    expect("| limit: it | 3.00 (2.00-4.00) | 1.50 (1.00-3.00) | - | 5.00 (5.00-5.00) |" in section,
           f"the ratios are wrong:\n{section}")
    expect("- Intel: Intel(R) Xeon(R), family 6, model 207; 2 cores, 24 GB; 3 rounds;" in section
           and "up to 4 % of" in section, f"the machine is not described:\n{section}")
    expect("- gone (Intel): not installed" in section and "gone |" not in section, "a program is not named as missing")
    expect(page.OLDER not in section, "a measurement is said to be older")
    for command in amd["rows"][0]["commands"]:
        command.pop("user", None)
    section = page.make_section([intel, amd])
    expect(page.OLDER.strip() in section and "AMD: user" not in section, f"a user time was made up:\n{section}")
    again = page.merge([intel, amd], {**amd, "rounds": 5})
    expect([one["rounds"] for one in again] == [3, 5], "a measurement does not replace that on the same machine")
    row = amd["rows"][0]
    expect_refused([amd], {**amd, "rows": [{**row, "name": "v2-5M"}], "rounds": 5}, "of rounds")
    expect_refused([amd], {**amd, "rows": [{**row, "others": 0.3}]}, "other work took more than 10 %")


def main():
    launcher = str(pathlib.Path(sys.argv[1]).resolve() / "bench/bench_measure")
    check_page()
    busy = [subprocess.Popen([PYTHON, "-ISc", "while True: pass"]) for _ in os.sched_getaffinity(0)]
    try:
        with tempfile.TemporaryDirectory() as scratch:
            check_ratio(launcher)
            check_memory(launcher)
            check_touched(launcher)
            check_processors(launcher)
            check_second_run(launcher, pathlib.Path(scratch))
            check_slow(launcher)
        check_other_work()
    finally:
        for program in busy:
            program.kill()
            program.wait()


if __name__ == "__main__":
    main()
