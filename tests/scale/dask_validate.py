#!/usr/bin/env python3
"""Compares the results of examples/scale/dask_validate.py with those of single runs.

usage: dask_validate.py HEAPCHECK
Exits with 77, which ctest shows as skipped, if Dask is not installed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# To save time, a shard is retried only once after its worker has died.
os.environ["DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"] = "1"
try:
    from dask.distributed import LocalCluster
except ImportError:
    print("skipped: python3-dask and python3-distributed are not installed")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ROOT / "corpus/mvmheap/v3/seed"
SCRIPT = ROOT / "examples/scale/dask_validate.py"
SOUND = "dumps/b/x/1.mvmheap"
failures: list[str] = []


def expect(what: str, found: object, expected: object) -> None:
    if found != expected:
        failures.append(f"{what}: found {found!r}, expected {expected!r}")


def make_files(folder: Path) -> None:
    """Makes dumps of different sizes, some damaged, with names that are hard to sort, other files, and folders."""
    for index in range(12):
        seed = SEEDS / ("cut.mvmheap" if index % 5 == 0 else "minimal.mvmheap")
        path = folder / f"dumps/{'abcd'[index % 4]}{'-/.0'[index % 3]}x/{index}.mvmheap"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(seed.read_bytes() + b"x" * index * (index % 5 == 0))
    for name in [b"dumps/\xff.mvmheap", "dumps/ä\n.mvmheap".encode(), b":.mvmheap"]:
        shutil.copyfile(os.fsencode(SEEDS / "minimal.mvmheap"), os.fsencode(folder) + b"/" + name)
    (folder / "dumps/words.txt").write_text("no dump", encoding="utf-8")
    (folder / "words").mkdir()
    (folder / "words/words.txt").write_text("no dump", encoding="utf-8")
    (folder / "empty").mkdir()
    (folder / "link").symlink_to("dumps")
    (folder / "list").write_bytes(b"dumps\0missing\0")


def make_program(path: Path, heapcheck: str, words: str) -> str:
    """Makes a program like heapcheck that first does something else, with the shard in $shard."""
    path.write_text(f"""#!/bin/bash
shard=$(grep -o -- '--shard [0-9]*' <<<"$*")
shard=${{shard#* }}
{words}
exec '{heapcheck}' "$@"
""", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


class Trial:
    """Runs the script and heapcheck in a folder with files."""

    def __init__(self, folder: Path, heapcheck: str, scheduler: str):
        self.folder, self.heapcheck, self.scheduler = folder, heapcheck, scheduler

    def run(self, *arguments: str, heapcheck: str = "") -> subprocess.CompletedProcess:
        command = [sys.executable, str(SCRIPT), "--heapcheck", heapcheck or self.heapcheck]
        command += ["--scheduler", self.scheduler] if self.scheduler else []
        return subprocess.run([*command, *arguments], cwd=self.folder, capture_output=True, check=False)

    def compare(self, shards: int, paths: list[str], *options: str, heapcheck: str = "") -> None:
        single = subprocess.run([self.heapcheck, "validate", "--output", "ndjson", *options, *paths],
                                cwd=self.folder, capture_output=True, check=False)
        merged = self.run("--shards", str(shards), *paths, "--", *options, heapcheck=heapcheck)
        what = f"{paths} {options} in {shards} shards"
        expect(f"exit status of {what}", merged.returncode, single.returncode)
        if merged.stdout != single.stdout:
            failures.append(f"{what}: found {merged.stdout.decode()}\nexpected {single.stdout.decode()}\n"
                            f"standard error: {merged.stderr.decode()}")

    def expect_failure(self, what: str, words: str, *arguments: str, heapcheck: str = "") -> None:
        result = self.run(*arguments, heapcheck=heapcheck)
        expect(f"{what}: exit status and output", (result.returncode, result.stdout), (2, b""))
        if words not in result.stderr.decode():
            failures.append(f"{what}: found {result.stderr.decode()}, expected {words}")


def check_equality(trial: Trial) -> None:
    everything = ["missing", "dumps/d-x", ":.mvmheap", "dumps", "link", "./dumps", "empty", "words"]
    for shards in (1, 2):
        trial.compare(shards, everything)
    # The last shard ends first.
    late = make_program(trial.folder / "late", trial.heapcheck, 'sleep "0.$((6 - ${shard:-6}))"')
    trial.compare(5, everything, heapcheck=late)


def check_statuses(trial: Trial) -> None:
    trial.compare(2, [SOUND, "missing"])
    trial.compare(2, ["dumps"], "--max-memory", "1")
    trial.compare(3, ["dumps", "missing"], "--exit-zero")
    trial.compare(2, ["words", "empty"])


def check_list(trial: Trial) -> None:
    single = subprocess.run([trial.heapcheck, "validate", "--output", "ndjson", "--files-from", "list"],
                            cwd=trial.folder, capture_output=True, check=False)
    merged = trial.run("--shards", "2", "--files-from", "list")
    expect("result of a list", (merged.returncode, merged.stdout), (single.returncode, single.stdout))


def check_repeated(trial: Trial) -> None:
    """The first worker that has shard 1 dies."""
    words = f'[[ $shard != 1 || -e {trial.folder}/dead ]] || {{ touch {trial.folder}/dead; kill -9 $PPID; exit; }}'
    program = make_program(trial.folder / "dies-once", trial.heapcheck, words)
    trial.compare(3, ["dumps"], heapcheck=program)
    expect("a worker has died", (trial.folder / "dead").exists(), True)


def check_failures(trial: Trial) -> None:
    for what, words, expected in [
            ("a shard with exit status 2", '[[ $shard != 2 ]] || exit 2', "shard 2/3: found exit status 2"),
            ("a shard that is killed", '[[ $shard != 3 ]] || kill -9 $$', "shard 3/3: found exit status -9"),
            ("a worker that dies", '[[ $shard != 1 ]] || { kill -9 $PPID; exit; }', "KilledWorker"),
            ("different versions", '[[ $1 != --version ]] || { echo $RANDOM$RANDOM; exit; }', "different versions"),
            ("a result for another file", '[[ $shard != 2 ]] || cd ..; [[ $shard != 2 ]] || '
             'exec printf \'{"path":"other"}\\n\'', "other: found more results than expected")]:
        program = make_program(trial.folder / "fails", trial.heapcheck, words)
        trial.expect_failure(what, expected, "--shards", "3", "dumps", heapcheck=program)
    trial.expect_failure("no program", "FileNotFoundError", "dumps", heapcheck="/nonexistent/heapcheck")
    trial.expect_failure("a refused option", "-ofile cannot be used with shards", "dumps", "--", "-ofile")


def main() -> None:
    heapcheck = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder)
        Trial(folder, heapcheck, "").compare(2, [SOUND])
        with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster:
            trial = Trial(folder, heapcheck, cluster.scheduler_address)
            check_equality(trial)
            check_statuses(trial)
            check_list(trial)
            check_repeated(trial)
            check_failures(trial)
    for failure in failures:
        print("FAILED:", failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
