#!/usr/bin/env python3
"""Checks files of released programs that write heap snapshots, timelines and sampling profiles: they must get no error
and no warning.

usage: tests/writers/run.py [--only TEXT] [--newest] [--update] [--keep] [--remove] [--folder FOLDER] HEAPCHECK
       tests/writers/run.py --check

Installs the writers from npm into the folder (default: build/writers), dumps the heaps of five programs with each of
them in every way that it has, and validates the files. Compares the results with those in results.json, from which the
tables in spec/v8/ are made. Files with errors or warnings are kept in the subfolder findings.

  --only TEXT   only writers whose name and version contain TEXT, such as "Node.js 24" or Hermes
  --newest      also the newest releases in npm, which are not compared with results.json
  --update      writes results without errors and warnings to results.json, and the tables to the specification
  --keep        keeps all files
  --remove      deletes each writer after its files were checked; all of them take up 6 GB
  --check       only compares the tables in the specification with results.json

Exits with 1 if a file has an error or a warning, if a file is missing, or if results differ."""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # writes into the sources
import facts
import programs
import table
import writers

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = HERE / "results.json"


class Run:
    """Checks writers one after the other. `problems` lists everything that must not happen."""

    def __init__(self, heapcheck, folder, keep):
        self.heapcheck, self.folder, self.keep, self.problems = heapcheck, folder, keep, []

    def report(self, *words):
        self.problems.append(" ".join(map(str, words)))
        print("  " + self.problems[-1], flush=True)

    def make_files(self, session):
        """Yields the mode, the path and the skipped pieces of each file."""
        for mode in session.writer.modes:
            for name in programs.NAMES:
                try:
                    path, skipped = session.dump(name, mode)
                    yield mode, path, skipped
                except Exception as error:  # other writers can still be checked
                    self.report(f"{session.writer.folder}: {name}, {mode}: {error}")

    def validate(self, paths):
        """The reports of heapcheck, in the order of the paths."""
        done = subprocess.run([self.heapcheck, "validate", "--no-config", "--max-per-rule", "1", "--output", "json",
                               *paths], capture_output=True)
        if done.returncode:
            self.report(f"heapcheck exits with {done.returncode}")
        return json.loads(done.stdout)["files"]

    def judge(self, path, report):
        """Returns the ids of the notes, and keeps a file that has other findings."""
        findings = report.get("findings", [])
        serious = [finding for finding in findings if finding["severity"] != "note"]
        if serious or report["verdict"] != "valid":
            kept = self.folder / "findings" / path.parent.name
            kept.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, kept)
            self.report(f"{kept / path.name}: {report['verdict']}")
            for finding in serious:
                self.report(f"{finding['severity']} {finding['id']}: {finding['message']}, {finding['location']}")
        return {finding["id"] for finding in findings}

    def is_written_back(self, path, form):
        """Returns whether heapcheck writes the file byte for byte as it was."""
        copy = path.with_suffix(".copy")
        subprocess.run([self.heapcheck, "convert", path, "--to", form, "--output-file", copy], capture_output=True)
        is_same = copy.is_file() and copy.read_bytes() == path.read_bytes()
        copy.unlink(missing_ok=True)
        return is_same

    def describe(self, path, form, forms):
        """Adds the facts about the file to those of its format and mode."""
        mode = path.stem.rsplit("-", 1)[1]
        found = facts.READERS[form](path.read_bytes(), self.is_written_back(path, form))
        forms[form].setdefault(mode, []).append(found)

    def check(self, writer):
        """Returns the row of results.json for the writer; nothing if it wrote no file."""
        try:
            program = writers.install(writer, self.folder)
        except (writers.Failure, OSError, subprocess.SubprocessError) as error:
            self.report(f"{writer.folder}: cannot be installed: {error}")
            return None
        session = writers.Session(writer, program, self.folder / "files" / writer.folder)
        shutil.rmtree(session.folder, ignore_errors=True)
        made = list(self.make_files(session))
        if not made:
            return None
        reports = self.validate([path for _, path, _ in made])
        row = {"writer": writer.product, "version": writer.version, "engine": session.engine, "files": {},
               "errors": sum(report["counts"]["error"] for report in reports if "counts" in report),
               "warnings": sum(report["counts"]["warning"] for report in reports if "counts" in report)}
        forms, notes, skipped = {"heapsnapshot": {}, "heapprofile": {}}, set(), set()
        for (mode, path, missing), report in zip(made, reports):
            row["files"][mode] = row["files"].get(mode, 0) + 1
            notes |= self.judge(path, report)
            skipped |= set(missing)
            if report.get("format") in forms:
                self.describe(path, report["format"], forms)
        row["snapshots"] = {mode: facts.merge_snapshots(found) for mode, found in forms["heapsnapshot"].items()}
        row["profiles"] = {mode: facts.merge_profiles(found) for mode, found in forms["heapprofile"].items()}
        row |= {"notes": sorted(notes & set(facts.NOTED)), "skipped": sorted(skipped)}
        if not self.keep:
            shutil.rmtree(session.folder)
        return row


def key_of(row):
    return row["writer"], row["version"]


def compare(run, rows, known):
    """Reports the differences between the rows and those that were committed."""
    by_key = {key_of(row): row for row in known}
    for row in rows:
        old = by_key.get(key_of(row), row)
        for name in row:
            if row[name] != old.get(name):
                run.report(*key_of(row), f"{name}: found {row[name]}, expected {old.get(name)}")


def update(rows, known):
    """Replaces the rows of the same writers, unless their files have errors or warnings, and puts all in order."""
    sound = [row for row in rows if row["errors"] + row["warnings"] == 0]
    merged = {key_of(row): row for row in known} | {key_of(row): row for row in sound}
    products = ["Node.js", "Chrome", "Deno", "workerd", "Bun", "Hermes"]
    ordered = sorted(merged.values(), key=lambda row: (products.index(row["writer"]),
                                                       [int(part) for part in row["version"].split(".")]))
    RESULTS.write_text("[\n" + ",\n".join(map(json.dumps, ordered)) + "\n]\n")
    return ordered


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--newest", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--remove", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "writers")
    parser.add_argument("heapcheck", nargs="?")
    options = parser.parse_args()
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    if options.check:
        return 0 if table.is_current(ROOT, known) else 1
    if not options.heapcheck:
        parser.error("HEAPCHECK is missing")

    run = Run(pathlib.Path(options.heapcheck).resolve(), options.folder.resolve(), options.keep)
    installed = writers.find_installed()
    chosen = [*writers.PINNED, *installed, *(writers.find_newest() if options.newest else [])]
    if not installed:
        print("SKIPPED: Chromium of Debian, which is not installed")
    rows = []
    for writer in chosen:
        if options.only not in f"{writer.product} {writer.version}":
            continue
        row = run.check(writer)
        if row:
            rows.append(row)
            print(table.line_of(row), flush=True)
        if options.remove:
            writers.remove(writer, run.folder)
    if options.update:
        table.write(ROOT, update(rows, known))
    else:
        compare(run, rows, known)
    files = sum(sum(row["files"].values()) for row in rows)
    print(f"{len(rows)} writers, {files} files, {sum(row['errors'] for row in rows)} errors, "
          f"{sum(row['warnings'] for row in rows)} warnings, {len(run.problems)} problems")
    return 1 if run.problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
