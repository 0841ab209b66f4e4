#!/usr/bin/env python3
"""Checks that `heapcheck assert` with the rules of examples/guard/leaks.toml finds the planted leaks, and gives no alarm
about programs that do not leak.

usage: tests/leaks/guard.py [--only NAME] [--folder FOLDER] [--reuse] [--writers FOLDER] HEAPCHECK

Takes three snapshots of each program in tests/leaks/programs and tests/leaks/sound: after a warm-up, and after each half
of the load. A leak is found if the answer names what holds it. Programs whose engine is not there are skipped.

  --only NAME       only this program; may be given several times
  --folder FOLDER   for the dumps (default: build/guard)
  --reuse           does not run programs whose dumps are in the folder
  --writers FOLDER  for the engines (default: build/writers)

Exits with 1 if a leak is not found, or if there is an alarm about a program that does not leak."""
import argparse
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True  # writes into the sources
sys.path.insert(0, str(ROOT / "tests" / "writers"))  # which knows how to install and run the engines
import cases
import engines

RULES = ROOT / "examples" / "guard" / "leaks.toml"
DRIVER = HERE / "sound" / "steps.js"


def check(heapcheck, files):
    """The exit status and the text of the answer."""
    done = subprocess.run([heapcheck, "assert", *files, "--rules", RULES, "--no-progress"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def make_dumps(program, options):
    """Runs the program, unless its dumps are to be used again. Returns false if its engine is not there."""
    if options.reuse and all(file.is_file() for file in program.files):
        return True
    engine = engines.find_program(program, options.writers)
    if engine:
        engines.make_dumps(program, engine)
    return bool(engine)


def judge_leak(case, options):
    """`found`, or what is wrong; nothing if the engine is not there."""
    if not make_dumps(case, options):
        return None, ""
    status, text = check(options.heapcheck, case.files)
    if status != 1:
        return f"missed (status {status})", text
    return ("found" if case.is_named_by(text) else "missed: something else is named"), text


def judge_quiet(heapcheck, files):
    status, text = check(heapcheck, files)
    return ("quiet" if status == 0 else f"alarm (status {status})"), text


def judge_sound(program, options):
    """`quiet`, or what is wrong; nothing if the engine is not there."""
    if not make_dumps(program, options):
        return None, ""
    return judge_quiet(options.heapcheck, program.files)


def judge_steps(path, options):
    """The same for steps that run in the installed Node.js."""
    node = shutil.which("node")
    folder = options.folder / "sound" / path.stem
    files = [folder / f"{number}.heapsnapshot" for number in (1, 2, 3)]
    if not (options.reuse and all(file.is_file() for file in files)):
        if not node:
            return None, ""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        subprocess.run([node, DRIVER, path, folder], check=True)
    return judge_quiet(options.heapcheck, files)


def read_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "guard")
    parser.add_argument("--writers", type=pathlib.Path, default=ROOT / "build" / "writers")
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("heapcheck", type=pathlib.Path)
    return parser.parse_args()


def main():
    options = read_options()
    options.heapcheck, options.writers = options.heapcheck.resolve(), options.writers.resolve()
    options.folder = options.folder.resolve()
    leaking = [(case.name, judge_leak, case) for case in cases.read_cases(options.folder, cases.GuardedCase)]
    sound = [(program.name, judge_sound, program) for program in cases.read_sound_programs(options.folder / "sound")]
    steps = [(path.stem, judge_steps, path) for path in sorted((HERE / "sound").glob("*.js")) if path != DRIVER]
    counts = {"found": 0, "quiet": 0}
    wrong = 0
    for name, judge, about in leaking + sound + steps:
        if options.only and name not in options.only:
            continue
        try:
            result, text = judge(about, options)
        except Exception as error:  # the other programs can still be judged
            result, text = f"FAILED: {error}", ""
        print(f"{name:<15} {result or 'SKIPPED: its engine is not installed'}", flush=True)
        if result in counts:
            counts[result] += 1
        elif result:
            wrong += 1
            print("    " + text[:3000].replace("\n", "\n    "), flush=True)
    print(f"found {counts['found']} leaks; quiet about {counts['quiet']} programs that do not leak; {wrong} wrong")
    return 0 if sum(counts.values()) and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
