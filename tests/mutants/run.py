#!/usr/bin/env python3
"""Shows that tests and fuzz targets notice when the program breaks a promise or has a bug.

Applies each mutant to a copy of the sources, builds the copy, and runs what the mutant names: tests for the patches in
promises/, fuzz targets for those in planted/. A mutant is killed if one of them fails. Prints a Markdown table of the
results to standard output and the progress to standard error. The exit status is 1 if a mutant survives, does not
apply or does not compile.

Results are kept in build/mutants: a run that was interrupted continues where it stopped, as long as neither the sources
nor the patch have changed.
"""

import argparse
import hashlib
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from killers import BuildError, FuzzTargets, Tests
from patches import ROOT, find_faults, read_mutants

FOLDER = ROOT / "build" / "mutants"
KILLERS = {"promises": Tests, "planted": FuzzTargets}


def say(words):
    print(words, file=sys.stderr, flush=True)


def list_sources():
    """The files of the checkout, including new ones, relative to its root."""
    command = ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others",
               "--exclude-standard"]
    paths = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")
    return sorted(path for path in paths if path and (ROOT / path).is_file())


def copy_sources(tree):
    """Makes `tree` equal to the checkout; unchanged files keep their time. Returns a checksum of the sources."""
    checksum = hashlib.sha256()
    sources = list_sources()
    for path in sources:
        content = (ROOT / path).read_bytes()
        if not path.startswith("tests/mutants/"):
            checksum.update(f"{path} {len(content)} ".encode() + content)
        copy = tree / path
        if not copy.is_file() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
        copy.chmod((ROOT / path).stat().st_mode & 0o777)
    known = set(sources)
    for top in tree.iterdir():
        files = [] if top.name == "build" else [top] if top.is_file() else top.rglob("*")
        for copy in files:
            if copy.is_file() and str(copy.relative_to(tree)) not in known:
                copy.unlink()
    return checksum.hexdigest()


class Results:
    """What is known about each mutant, kept in a file."""

    def __init__(self, path, sources, forget):
        self.path = path
        self.sources = sources
        self.all = {} if forget or not path.is_file() else json.loads(path.read_text())

    def key_of(self, mutant):
        return f"{mutant.name} {mutant.checksum} {self.sources}"

    def find(self, mutant):
        return self.all.get(self.key_of(mutant))

    def add(self, mutant, state, by):
        self.all[self.key_of(mutant)] = {"state": state, "by": by}
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.all, indent=1))
        part.replace(self.path)


def try_mutant(mutant, killer, tree):
    """Returns `killed`, `survived` or `failed`, and what killed it, or why it could not be tried."""
    words = mutant.apply(tree)
    if words:
        return "failed", words
    try:
        by = killer.kill(mutant)
        return ("killed", by) if by else ("survived", "")
    except BuildError as error:
        return "failed", str(error)
    finally:
        mutant.apply(tree, "--reverse")


def print_table(mutants, results):
    """Prints a row for each mutant that was tried, and returns the number of those that were killed."""
    counts = {"killed": 0, "survived": 0, "failed": 0}
    print("| mutant | breaks | in | noticed by |\n| --- | --- | --- | --- |")
    for mutant in mutants:
        result = results.find(mutant)
        if result is None:
            continue
        counts[result["state"]] += 1
        by = result["by"] if result["state"] == "killed" else f"**{result['state']}**"
        broken = mutant.fields.get("promise") or mutant.fields.get("bug")
        cells = [mutant.name, broken, f"`{mutant.changed[0]}`", by]
        print("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    print(f"\n{counts['killed']} of {len(mutants)} killed.")
    return counts["killed"]


def read_shard(text):
    """I/N: the part I, from 1 to N, of N parts of about the same size."""
    index, _, count = text.partition("/")
    if not (index.isdigit() and count.isdigit() and 1 <= int(index) <= int(count)):
        raise argparse.ArgumentTypeError(f"found {text}, expected I/N with I from 1 to N")
    return int(index), int(count)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="patterns of the mutants to try, such as 'promises/in-place-*' (all of them)")
    parser.add_argument("--check", action="store_true", help="only check that all patches apply and name a promise")
    parser.add_argument("--shard", type=read_shard, default=(1, 1), metavar="I/N",
                        help="try part I of N, in a copy of its own, so that several machines share the work")
    parser.add_argument("--forget", action="store_true", help="do not use the results of an earlier run")
    parser.add_argument("--seconds", type=int, default=60, help="time limit of fuzzing for each planted bug (60)")
    parser.add_argument("--seed", type=int, default=1, help="seed of libFuzzer's random numbers (1)")
    return parser.parse_args()


def choose_mutants(options):
    """The mutants that the options name, without other shards."""
    patterns = options.names or ["*"]
    chosen = {mutant.name: mutant for pattern in patterns for mutant in read_mutants(pattern)}
    index, count = options.shard
    return [mutant for place, mutant in enumerate(chosen.values()) if place % count == index - 1]


def try_all(mutants, options):
    """Tries the mutants that have no result yet; returns the results."""
    index, count = options.shard
    tree = FOLDER / f"tree-{index}-of-{count}"
    tree.mkdir(parents=True, exist_ok=True)
    results = Results(FOLDER / f"results-{index}-of-{count}.json", copy_sources(tree), options.forget)
    for kind, make_killer in KILLERS.items():
        of_kind = [mutant for mutant in mutants if mutant.kind == kind and results.find(mutant) is None]
        if not of_kind:
            continue
        killer = make_killer(tree, options)
        say(f"building the sources without a mutant ({kind})")
        killer.prepare(of_kind)
        for place, mutant in enumerate(of_kind):
            state, by = try_mutant(mutant, killer, tree)
            results.add(mutant, state, by)
            say(f"{place + 1} of {len(of_kind)}: {mutant.name}: {state}" + (f": {by}" if by else ""))
    return results


def main():
    options = read_options()
    mutants = choose_mutants(options)
    if not mutants:
        sys.exit(f"run.py: no mutant is called {' or '.join(options.names)}")
    faults = [f"{mutant.name}: {fault}" for mutant in mutants for fault in find_faults(mutant)]
    if faults or options.check:
        sys.exit("\n".join(faults) or 0)
    try:
        results = try_all(mutants, options)
    except BuildError as error:
        sys.exit(f"run.py: {error}")
    if print_table(mutants, results) != len(mutants):
        sys.exit(1)


if __name__ == "__main__":
    main()
