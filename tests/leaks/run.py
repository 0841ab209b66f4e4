#!/usr/bin/env python3
"""Runs programs with planted leaks, and checks that `heapcheck suspects` names what holds the memory, and where.

usage: tests/leaks/run.py [--only NAME] [--folder FOLDER] [--reuse] [--writers FOLDER] HEAPCHECK
       tests/leaks/run.py --check

Runs each program in its engine, which is installed from npm or must be installed already, takes one or two snapshots,
and asks heapcheck. Prints for each program whether the suspects name the leak, by default or with the command that the
answer names; whether the reason or the path gives a right line, if the program is in JavaScript; and what they name
before the leak. Programs whose engine is not there are skipped.

  --only NAME       only this program; may be given several times
  --folder FOLDER   for the dumps (default: build/leaks)
  --reuse           does not run programs whose dumps are in the folder
  --writers FOLDER  for the engines (default: build/writers)
  --check           only checks that the records of the leaks fit the programs

Exits with 1 if a leak is not named with its line, if something else is named first in more than one of ten programs,
or if docs/leaks.md shows another answer or another program."""
import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True  # writes into the sources
sys.path.insert(0, str(ROOT / "tests" / "writers"))  # which knows how to install and run the engines
import cases
import engines
import judge
import page

PAGE = ROOT / "docs" / "leaks.md"


def run_case(case, options):
    """The judgement of a case; nothing if its engine is not there."""
    is_there = options.reuse and all(file.is_file() for file in case.files)
    program = None if is_there else engines.find_program(case, options.writers)
    if not is_there and not program:
        return None
    if program:
        engines.make_dumps(case, program)
    return judge.judge(options.heapcheck, case)


def show_line(case, found):
    """Where the answer gives a right line; `-` if the program is not in JavaScript."""
    return found.right_place if case.places else "-"


def print_case(case, found):
    print(f"{case.name:<15} {case.engine:<17} {case.share:>5.1f} %  {found.found:<10}  {show_line(case, found):<6}  "
          f"{len(found.before):>6}", flush=True)
    if found.found == "no" and not found.before:
        print("    only what is held is named, or nothing")
    if found.found == "no" or show_line(case, found) == "no":
        print(f"    expected {case.holder}{', ' if case.places else ''}{', '.join(case.find_lines())}")
    if found.found != "no" and show_line(case, found) == "no":
        print(f"    found the places {', '.join(found.places) or 'none'}")
    for name in found.before:
        print(f"    {'instead' if found.found == 'no' else 'before it'}: {name[:150]}", flush=True)


def is_good(case, found):
    return found.found != "no" and show_line(case, found) != "no"


def is_as_on_page(case, options):
    """Whether docs/leaks.md shows the same answer, apart from its numbers, or none."""
    other = page.find_other_answer(case, options.heapcheck, PAGE.read_text(encoding="utf-8"))
    if other:
        print(f"    {PAGE.name} shows a different answer from {other}")
    return not other


def judge_all(chosen, options):
    """The cases with their judgements, and the number of cases that could not be judged."""
    judged, failures = [], 0
    print(f"{'program':<15} {'engine':<17} {'share':>7}  {'named':<10}  line    before")
    for case in chosen:
        try:
            found = run_case(case, options)
        except Exception as error:  # the other programs can still be judged
            print(f"{case.name:<15} FAILED: {error}", flush=True)
            failures += 1
            continue
        if found:
            print_case(case, found)
            judged.append((case, found))
            failures += not is_as_on_page(case, options)
        else:
            print(f"{case.name:<15} SKIPPED: {case.engine} is not installed", flush=True)
    return judged, failures


def find_problems(program):
    """What is wrong with the record of a program, leaking or not: its engine or its script."""
    if not program.writer and program.engine not in engines.INSTALLED:
        yield f"{program.name}: found the engine {program.engine}, expected one that tests/writers knows"
    if not program.main.is_file():
        yield f"{program.name}: {program.script} is missing"


def check_records(chosen):
    """Returns whether each record names an engine that the runner knows, a script, and lines of the program, and
    whether docs/leaks.md shows three of these programs as they are."""
    sound = cases.read_sound_programs(pathlib.Path())
    problems, count = [problem for program in [*chosen, *sound] for problem in find_problems(program)], 0
    for case in chosen:
        try:
            case.find_lines()
        except (OSError, ValueError) as error:
            problems.append(str(error))
        example = page.find_example(case, PAGE.read_text(encoding="utf-8"))
        if example:
            count += 1
            problems += [f"{PAGE.name}: found {line}, expected a line of {case.name}"
                         for line in page.find_unknown_lines(case, example[0])]
    if count != 3:
        problems.append(f"{PAGE.name}: found {count} answers about the programs, expected 3")
    print("\n".join(problems), end="\n" if problems else "")
    return not problems


def read_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "leaks")
    parser.add_argument("--writers", type=pathlib.Path, default=ROOT / "build" / "writers")
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("heapcheck", type=pathlib.Path, nargs="?")
    options = parser.parse_args()
    if not options.check and not options.heapcheck:
        parser.error("HEAPCHECK is missing")
    return options


def main():
    options = read_options()
    listed = cases.read_cases(options.folder.resolve())
    chosen = [case for case in listed if not options.only or case.name in options.only]
    if options.check:
        return 0 if check_records(chosen) else 1
    options.heapcheck, options.writers = options.heapcheck.resolve(), options.writers.resolve()
    judged, failures = judge_all(chosen, options)
    good = sum(is_good(*pair) for pair in judged)
    first = sum(not found.before for _, found in judged if found.found != "no")
    print(f"named with a right line: {good} of {len(judged)}; nothing before it: {first} of {len(judged)}")
    is_met = good == len(judged) and 10 * first >= 9 * len(judged)
    return 0 if judged and not failures and is_met else 1


if __name__ == "__main__":
    sys.exit(main())
