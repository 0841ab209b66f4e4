"""Runs what should notice a mutant: tests, or fuzz targets."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time


class BuildError(Exception):
    """The last lines of a build that failed."""


def run_script(tree, text, *arguments):
    """Runs a script with the functions of cmake/setup.sh and fuzz/targets.sh; returns the finished process."""
    setup = 'set -euo pipefail; cd -- "$0"; . cmake/setup.sh; . fuzz/targets.sh; '
    return subprocess.run(["bash", "-c", setup + text, str(tree), *arguments], text=True, errors="replace",
                          capture_output=True, stdin=subprocess.DEVNULL, check=False)


def build(tree, preset, targets):
    done = run_script(tree, 'build_targets "$@"', preset, *targets)
    if done.returncode != 0:
        raise BuildError("\n".join((done.stdout + done.stderr).splitlines()[-30:]))


class Tests:
    """The tests of a build without optimisation, which compiles fastest."""

    PRESET = "mutants"
    TARGETS = ("heapcheck", "heapcheck_tests", "heapcheck-conformance", "heapcheck_conformance_tests",
               "heapcheck_faults", "heapcheck_parquet_sample")

    def __init__(self, tree, _):
        self.tree = tree
        self.wrong = {}  # what ctest printed for tests that do not pass without a mutant

    def prepare(self, mutants):
        """Builds the sources as they are, and runs all tests that any mutant names, which must pass."""
        build(self.tree, self.PRESET, self.TARGETS)
        for tests in sorted({mutant.fields["tests"] for mutant in mutants}):
            failed, words = self.run(tests)
            if failed is None or failed:
                self.wrong[tests] = words

    def run(self, tests):
        """The names of the tests that fail, None if no test has such a name, and what ctest prints."""
        command = ["ctest", "--test-dir", str(self.tree / "build" / self.PRESET), "--tests-regex", tests,
                   "--timeout", "120", "--no-tests=error", "--output-on-failure"]
        done = subprocess.run(command, text=True, errors="replace", capture_output=True, stdin=subprocess.DEVNULL, check=False)
        words = done.stdout + done.stderr
        if "No tests were found" in words:
            return None, words
        failed = re.findall(r"^\s*\d+ - (.*) \((?:Failed|Timeout|SEGFAULT|Subprocess \w+|.*Exception.*)\)",
                            words, re.MULTILINE)
        return failed, words

    def kill(self, mutant):
        """Returns what killed the mutant, for its row of the table; empty if it survived."""
        tests = mutant.fields["tests"]
        if tests in self.wrong:
            raise BuildError(f"its tests do not pass without it: {tests}\n{self.wrong[tests]}")
        build(self.tree, self.PRESET, self.TARGETS)
        failed, _ = self.run(tests)
        return f"{failed[0]}" + (f" and {len(failed) - 1} more" if len(failed) > 1 else "") if failed else ""


class FuzzTargets:
    """Fuzz targets, which start from the committed corpus. Only inputs that the sound program accepts count."""

    PRESET = "fuzz"
    LIMITS = ("-timeout=10", "-rss_limit_mb=2048")

    def __init__(self, tree, options):
        self.tree = tree
        self.options = options
        self.sound = tree / "build" / "sound"
        self.logs = tree / "build" / "planted"

    def targets_of(self, mutant):
        text = 'for glob; do list_targets "$glob"; done'
        return run_script(self.tree, text, *mutant.fields["targets"].split()).stdout.split()

    def prepare(self, mutants):
        """Builds the programs without a planted bug, which must accept all seeds."""
        targets = sorted({target for mutant in mutants for target in self.targets_of(mutant)})
        for mutant in mutants:
            if not self.targets_of(mutant):
                raise BuildError(f"{mutant.name}: names no fuzz target")
        build(self.tree, self.PRESET, targets)
        shutil.rmtree(self.sound, ignore_errors=True)
        self.sound.mkdir(parents=True)
        for target in targets:
            shutil.copy2(self.program(target), self.sound)
            folders = run_script(self.tree, 'seeds_of "$1"', target).stdout.split()
            done = self.run([self.sound / target, *self.LIMITS, "-runs=0", *folders])
            if done.returncode != 0:
                raise BuildError(f"{target} fails without a planted bug:\n{done.stderr[-2000:]}")

    def program(self, target):
        return self.tree / "build" / self.PRESET / "fuzz" / target

    def run(self, command):
        return subprocess.run(command, cwd=self.tree, text=True, errors="replace", capture_output=True,
                              stdin=subprocess.DEVNULL, check=False)

    def start(self, target, folder):
        """Starts one target. Its log and what it finds are in `folder`."""
        arguments = run_script(self.tree, 'arguments_of "$1" "$2"', target, str(folder / f"{target}.dict"))
        kept = folder / f"{target}.kept"
        kept.mkdir()
        command = ["timeout", str(self.options.seconds + 60), self.program(target), *self.LIMITS,
                   f"-seed={self.options.seed}", f"-max_total_time={self.options.seconds}", "-print_final_stats=1",
                   f"-exact_artifact_path={folder / target}.input", kept, *arguments.stdout.split()]
        with open(folder / f"{target}.log", "wb") as log:
            return subprocess.Popen(command, cwd=self.tree, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                    start_new_session=True)

    def find_first(self, running):
        """Waits until one of the targets finds something, and stops the others; None if none does."""
        try:
            while running:
                for target, process in list(running.items()):
                    status = process.poll()
                    if status is None:
                        continue
                    del running[target]
                    if status != 0:
                        return target
                time.sleep(0.05)
            return None
        finally:
            for process in running.values():
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def kill(self, mutant):
        targets = self.targets_of(mutant)
        build(self.tree, self.PRESET, targets)
        folder = self.logs / mutant.path.stem
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        begin = time.monotonic()
        target = self.find_first({each: self.start(each, folder) for each in targets})
        seconds = time.monotonic() - begin
        if target is None:
            return ""
        found = pathlib.Path(f"{folder / target}.input")
        if not found.is_file() or self.run([self.sound / target, *self.LIMITS, found]).returncode != 0:
            raise BuildError(f"{target} fails for a reason that has nothing to do with the bug, see {folder}")
        return f"{target}, {count_runs(folder / f'{target}.log')} after {seconds:.1f} s"


def count_runs(log):
    """The number of inputs that were run, or that the committed corpus was enough."""
    text = log.read_text(errors="replace")
    runs = re.search(r"stat::number_of_executed_units: *(\d+)", text)
    return f"{runs[1]} runs" if "INITED" in text and runs else "a seed"
