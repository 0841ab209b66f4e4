#!/usr/bin/env python3
"""Exports dumps for DHAT, and loads the files with DHAT's own viewer, which is part of valgrind.

    dhat_viewer.py HEAPCHECK DUMP...

The viewer must show each file, and its totals must be the bytes and blocks in it. Exits with 77, which ctest shows as
skipped, if valgrind or Node.js is not installed.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

VIEWERS = [pathlib.Path(folder) / "valgrind/dh_view.js" for folder in ("/usr/libexec", "/usr/lib", "/usr/local/libexec")]
SCRIPT = pathlib.Path(__file__).with_name("dhat_viewer.js")


def find_viewer():
    viewer = next((path for path in VIEWERS if path.exists()), None)
    if viewer is None or shutil.which("node") is None:
        print("skipped: valgrind's dh_view.js or node is not installed")
        sys.exit(77)
    return viewer


def export(heapcheck, dump, out):
    subprocess.run([heapcheck, "export", "--quiet", "--to", "dhat", dump, "-o", out], check=True)


def show(viewer, file):
    done = subprocess.run(["node", SCRIPT, viewer, file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(shown, document, dump):
    points = document["pps"]
    assert shown["bytes"] == sum(point["tb"] for point in points), dump
    assert shown["blocks"] == sum(point["tbk"] for point in points), dump
    assert shown["nodes"] >= len(points), dump
    assert f"Command: {document['cmd']}\n" in shown["text"], dump
    assert f"    {document['verb']} at {{" in shown["text"], dump
    for wrong in ("NaN", "∞", "undefined"):
        assert wrong not in shown["text"], (dump, wrong)


def main():
    viewer = find_viewer()
    heapcheck, *dumps = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for dump in dumps:
            file = folder + "/out.json"
            export(heapcheck, dump, file)
            with open(file, encoding="utf-8") as opened:
                document = json.load(opened)
            shown = show(viewer, file)
            check(shown, document, dump)
            print(f"{dump}: {len(document['pps'])} stacks, {shown['nodes']} nodes, {shown['bytes']} bytes")


if __name__ == "__main__":
    main()
