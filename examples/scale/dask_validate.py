#!/usr/bin/python3
"""Checks many heap dumps on a Dask cluster, and prints one line of JSON for each, like a single run.

usage: dask_validate.py [--shards N] [--scheduler ADDRESS] [--heapcheck PROGRAM] [--files-from FILE] [PATH...]
                        [-- OPTION...]

Runs `heapcheck validate --output ndjson --shard I/N OPTION...` for each shard, on processes of this machine or on the
workers of a scheduler. The workers must see the same files under the same paths, from this folder. Standard output and
the exit status are the same as for a single run without --shard, in whatever order the shards end. If a shard fails,
nothing is printed to standard output, and the exit status is 2. The files must not change during the run.

Needs the packages python3-dask and python3-distributed of Debian.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import warnings

from dask.distributed import Client, as_completed

# The overall exit status is the first of these that any shard has.
EXIT_STATUSES = [1, 5, 4, 0]
# Options that a shard must not have, because all shards would write the same file, or because this script sets them.
REFUSED_OPTION = re.compile(r"--(output|output-file|write-baseline|shard|files-from)(=.*)?|-o.*")


class Failure(Exception):
    """The reason why there is no result."""


def run_shard(shard: str, command: list[str], paths: bytes, folder: str) -> dict:
    """Runs on a worker, with the paths separated by NULs."""
    version = subprocess.run([command[0], "--version"], capture_output=True, check=True).stdout
    arguments = [*command, "--shard", shard, "--files-from", "-"]
    done = subprocess.run(arguments, input=paths, capture_output=True, cwd=folder, check=False)
    return {"version": version, "status": done.returncode, "output": done.stdout, "words": done.stderr}


def run_shards(client: Client, own: argparse.Namespace, command: list[str], paths: list[bytes]) -> list[dict]:
    """The results of all shards, in the order in which they end."""
    # The list is a separate task, so that it is sent only once rather than with each shard. Dask warns about its size
    # and recommends client.scatter(), but a scattered list is lost if the worker that has it dies.
    warnings.filterwarnings("ignore", "Large object")
    joined = client.submit(bytes, b"".join(path + b"\0" for path in paths), pure=False)
    shards = [f"{number}/{own.shards}" for number in range(1, own.shards + 1)]
    futures = {client.submit(run_shard, shard, command, joined, os.getcwd(), pure=False): shard for shard in shards}
    results = []
    for future in as_completed(futures):
        shard = futures[future]
        try:
            result = future.result()
        except Exception as error:
            raise Failure(f"shard {shard}: {error!r}") from error
        for line in result["words"].decode(errors="replace").splitlines():
            print(f"shard {shard}: {line}", file=sys.stderr)
        if result["status"] not in EXIT_STATUSES:
            raise Failure(f"shard {shard}: found exit status {result['status']}, expected 0, 1, 4 or 5")
        results.append(result)
    if len({result["version"] for result in results}) != 1:
        raise Failure("found different versions of heapcheck on the workers, expected the same")
    return results


def list_folder(top: bytes) -> tuple[list[bytes], list[bytes]]:
    """The files in a folder, and the folders, both sorted by path."""
    files, folders, unread = [], [], [top]
    while unread:
        folders.append(unread.pop())
        try:
            entries = list(os.scandir(folders[-1]))
        except OSError:
            continue  # heapcheck reports it
        for entry in entries:
            (unread if entry.is_dir(follow_symlinks=False) else files).append(os.path.join(folders[-1], entry.name))
    return sorted(files), sorted(folders)


def show(path: bytes) -> str:
    """The path in the form used in a report, in which U+FFFD replaces each byte that is not UTF-8."""
    name = re.sub("[\udc80-\udcff]", "\N{REPLACEMENT CHARACTER}", path.decode(errors="surrogateescape"))
    return "./" + name if re.match(":|-.", name) else name


def list_names(paths: list[bytes]) -> tuple[list[str], list[str]]:
    """The names of files and folders that a report can contain, in its order. Folders appear only if they fail."""
    files, folders = [], []
    for path in paths:
        if path and not os.path.isdir(path):
            files.append(path)
        else:
            found = list_folder(path)
            files += found[0]
            folders += found[1]
    return [show(path) for path in files], [show(path) for path in folders]


def merge(files: list[str], folders: list[str], outputs: list[bytes]) -> list[bytes]:
    """The lines of all outputs, in the order of the files, before the folders; none if no file has a line."""
    lines = [(json.loads(line)["path"], line) for output in outputs for line in output.splitlines(keepends=True)]
    names = files + folders
    for name in collections.Counter(name for name, _ in lines) - collections.Counter(names):
        raise Failure(f"{name}: found more results than expected; did the file change while the shards ran?")
    order: dict[str, int] = {}
    for name in names:
        order.setdefault(name, len(order))
    known = set(files)
    if not any(name in known for name, _ in lines):
        return []
    return [line for _, line in sorted(lines, key=lambda named: (order[named[0]], named[1]))]


def connect(own: argparse.Namespace) -> Client:
    """A client of the scheduler, or of workers on this machine that stop with the client."""
    if own.scheduler:
        return Client(own.scheduler)
    workers = min(own.shards, len(os.sched_getaffinity(0)))
    return Client(n_workers=workers, threads_per_worker=1, dashboard_address=None)


def parse_arguments(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """The arguments of this script, and the options of heapcheck."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="OPTIONs of heapcheck follow --.")
    parser.add_argument("--shards", type=int, default=len(os.sched_getaffinity(0)), help="by default, one per core")
    parser.add_argument("--scheduler", help="such as tcp://host:8786; by default, workers on this machine")
    parser.add_argument("--heapcheck", default="heapcheck", help="the program, by its name or path on the workers")
    parser.add_argument("--files-from", help="a list of files and folders, as for heapcheck; - is standard input")
    parser.add_argument("paths", nargs="*", metavar="PATH")
    own, options = parser.parse_args(arguments[:end]), arguments[end + 1:]
    if own.shards < 1:
        parser.error(f"--shards: found {own.shards}, expected at least 1")
    if not own.paths and not own.files_from:
        parser.error("found no PATH, expected one")
    for option in filter(REFUSED_OPTION.fullmatch, options):
        parser.error(f"{option} cannot be used with shards")
    return own, options


def read_list(path: str) -> bytes:
    try:
        with open(0 if path == "-" else path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Failure(f"--files-from: {error}") from error


def validate(own: argparse.Namespace, options: list[str]) -> tuple[bytes, int]:
    """The output and the exit status of all shards together."""
    listed = read_list(own.files_from) if own.files_from else b""
    paths = [os.fsencode(path) for path in own.paths]
    paths += [path for path in listed.split(b"\0" if b"\0" in listed else b"\n") if path]
    command = [own.heapcheck, "validate", "--output", "ndjson", "--no-progress"]
    if not any(option.startswith("--jobs") for option in options):
        command += ["--jobs", "1"]  # because a worker has one core
    files, folders = list_names(paths)
    with connect(own) as client:
        # A shard does not turn 1 into 0, because 1 takes precedence over 5 and 4 in the overall status.
        shard_options = [option for option in options if option != "--exit-zero"]
        results = run_shards(client, own, command + shard_options, paths)
    lines = merge(files, folders, [result["output"] for result in results])
    if not lines:  # Only a single run can report that the folders contain no dumps. It has little to do.
        command += [*options, *(["--files-from", "-"] if own.files_from else []), "--", *own.paths]
        done = subprocess.run(command, input=listed, stdout=subprocess.PIPE, check=False)
        return done.stdout, done.returncode
    status = next(status for status in EXIT_STATUSES if status in [result["status"] for result in results])
    return b"".join(lines), 0 if status == 1 and "--exit-zero" in options else status


def main() -> int:
    own, options = parse_arguments(sys.argv[1:])
    try:
        output, status = validate(own, options)
    except Failure as failure:
        print(f"dask_validate.py: {failure}", file=sys.stderr)
        return 2
    sys.stdout.buffer.write(output)
    return status


if __name__ == "__main__":
    sys.exit(main())
