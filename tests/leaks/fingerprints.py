#!/usr/bin/env python3
"""Checks that the fingerprint of a leak stays the same in other builds and runs, and that it differs between leaks.

usage: tests/leaks/fingerprints.py [--only NAME] [--folder FOLDER] [--reuse] [--writers FOLDER] HEAPCHECK

Runs twelve programs with planted leaks in ten variations: in other versions of their engine, with other line numbers,
with objects that are allocated before everything else, with modules that are loaded in another order, and with less
load. Prints the fingerprints that `heapcheck leaks` and `heapcheck suspects` give the leak. Programs whose engine is
not there are skipped.

  --only NAME       only this program; may be given several times
  --folder FOLDER   for the dumps (default: build/fingerprints)
  --reuse           does not run programs whose dumps are in the folder
  --writers FOLDER  for the engines (default: build/writers)

Exits with 1 if `leaks` does not name a leak, if the variations of a program have different fingerprints, or if two
programs have the same one."""
import argparse
import dataclasses
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True  # writes into the sources
sys.path.insert(0, str(ROOT / "tests" / "writers"))  # which knows how to install and run the engines
import cases
import engines
import judge

NODE = ["Node.js 18.20.8", "Node.js 20.20.2", "Node.js 22.23.3", "Node.js 24.21.0", "Node.js 26.12.1"]
DENO = ["Deno 2.5.6", "Deno 2.9.6"]
PROGRAMS = ["audit", "deno-lookups", "deno-rooms", "heartbeat", "hooks", "metrics", "prices", "race", "retry",
            "sessions", "suggest", "thumbnails"]
# What is changed in each of the ten variations. The first five are only run in other versions of the engine.
CHANGES = [set(), set(), set(), set(), set(), {"lines"}, {"padding"}, {"order"}, {"load"},
           {"lines", "padding", "order", "load"}]
# Names that `leaks` has for a leak besides those for suspects: it does not show the contents of nodes.
NAMED = {"heartbeat": [["Timeout", "connections.js"]]}
LOADING = re.compile(r"(const .+ = require\(|import .+ from ).+;$")
PADDING = ("globalThis.padding = Array.from({length: 6000}, (_, i) => ({i, text: `padding ${i}`, next: [i, {i}]}));\n")


def reverse_loading(text):
    """Loads the modules in the reverse order."""
    lines = text.split("\n")
    places = [i for i, line in enumerate(lines) if LOADING.match(line)]
    for place, line in zip(places, [lines[i] for i in reversed(places)]):
        lines[place] = line
    return "\n".join(lines)


def add_padding(case, folder):
    """Allocates objects before the program does, so that its objects get other ids."""
    is_module = case.script.endswith(".mjs") or case.engine.startswith("Deno")
    name = "padding.mjs" if is_module else "padding.js"
    (folder / name).write_text(PADDING, encoding="utf-8")
    main = folder / case.script
    load = f"import './{name}';\n" if is_module else f"require('./{name}');\n"
    text = main.read_text(encoding="utf-8")
    before, strict, after = text.partition("'use strict';\n")
    main.write_text(before + strict + load + after if strict else load + text, encoding="utf-8")


def reduce_load(loads):
    return [[text, first, first + (last - first) * 4 // 5] for text, first, last in loads]


def make_variation(case, number):
    """The variation with its changed copy of the program."""
    versions = DENO if case.engine.startswith("Deno") else NODE
    changes = CHANGES[number]
    folder = case.folder / str(number)
    copy = case.folder / f"program-{number}"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(case.sources, copy)
    for file in copy.glob("*.*js"):
        text = file.read_text(encoding="utf-8")
        text = reverse_loading(text) if "order" in changes else text
        text = "// A line that moves the others.\n" * (7 if "lines" in changes else 0) + text
        file.write_text(text, encoding="utf-8")
    if "padding" in changes:
        add_padding(case, copy)
    load = reduce_load(case.load) if "load" in changes else case.load
    return dataclasses.replace(case, named=case.named + NAMED.get(case.name, []), folder=folder, sources=copy, load=load,
                               engine=versions[number % len(versions)])


def dump(variation, options):
    """Whether the dumps of the variation are there."""
    if options.reuse and all(file.is_file() for file in variation.files):
        return True
    program = engines.find_program(variation, options.writers)
    if program:
        engines.make_dumps(variation, program)
    return bool(program)


def find_leak(heapcheck, variation, question):
    """The first row of the answer that names the leak, or nothing."""
    rows = judge.rows_of(judge.ask(heapcheck, [question, *variation.files])[1])
    return next((row for row in rows if row["owner"] == "program" and
                 variation.is_named_by("\n".join(judge.words_of(row)))), None)


def judge_variation(variation, number, options):
    """Prints the fingerprints of the leak, and returns that in the answer of `leaks`; `-` if it is not named."""
    leak = find_leak(options.heapcheck, variation, "leaks")
    suspect = find_leak(options.heapcheck, variation, "suspects")
    found = [row["fingerprint"] if row else "-" for row in (leak, suspect)]
    changes = ", ".join(sorted(CHANGES[number])) or "none"
    print(f"{variation.name:<13} {variation.engine:<16} {found[0]:<14} {found[1]:<14} {changes}", flush=True)
    return found[0]


def judge_program(case, options):
    """The different fingerprints of the program's leak, and the number of variations that were run."""
    found, count = set(), 0
    for number in range(len(CHANGES)):
        variation = make_variation(case, number)
        if not dump(variation, options):
            print(f"{case.name:<13} SKIPPED: {variation.engine} is not installed", flush=True)
            continue
        found.add(judge_variation(variation, number, options))
        count += 1
    return found, count


def find_problems(found):
    """What is wrong with the fingerprints of the programs, as sentences."""
    problems, owners = [], {}
    for name, fingerprints in found.items():
        if "-" in fingerprints:
            problems.append(f"{name}: leaks does not name the leak in all variations")
        if len(fingerprints) > 1:
            problems.append(f"{name}: found {len(fingerprints)} fingerprints, expected 1")
        for fingerprint in fingerprints - {"-"}:
            if fingerprint in owners:
                problems.append(f"{name} and {owners[fingerprint]} have the same fingerprint, expected different ones")
            owners[fingerprint] = name
    return problems


def read_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "fingerprints")
    parser.add_argument("--writers", type=pathlib.Path, default=ROOT / "build" / "writers")
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("heapcheck", type=pathlib.Path)
    options = parser.parse_args()
    options.heapcheck, options.writers = options.heapcheck.resolve(), options.writers.resolve()
    return options


def main():
    options = read_options()
    chosen = [case for case in cases.read_cases(options.folder.resolve())
              if case.name in (options.only or PROGRAMS)]
    print(f"{'program':<13} {'engine':<16} {'leaks':<14} {'suspects':<14} changes")
    found, total = {}, 0
    for case in chosen:
        found[case.name], count = judge_program(case, options)
        total += count
    problems = find_problems(found)
    print(*problems, f"{total} variations of {len(found)} programs; {len(problems)} problems", sep="\n")
    return 0 if total and not problems else 1


if __name__ == "__main__":
    sys.exit(main())
