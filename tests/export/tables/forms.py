#!/usr/bin/env python3
"""Exports dumps as tables in each form, and compares the results of independent readers for the files.

    forms.py HEAPCHECK DUMP...

The rows must be the same in all forms, the shards of a table must add up to the table, and counts and sums must agree
with `heapcheck info` and `heapcheck top`.
"""

import collections
import contextlib
import csv
import io
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

GRAPH_TABLES = ["snapshots", "nodes", "edges", "types", "strings"]
SNAPSHOT_TABLES = [*GRAPH_TABLES, "stacks"]  # of V8
STACK_TABLES = ["snapshots", "stacks", "allocations"]
SHARDS = 3


def run(heapcheck, *arguments):
    return subprocess.run([heapcheck, *arguments], capture_output=True)


def export(heapcheck, *arguments):
    done = run(heapcheck, "export", "--quiet", *arguments)
    assert done.returncode in (0, 3), (arguments, done.stderr)
    return done.stdout


def read_database(path):
    """The tables with their rows, as objects without missing values."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        assert [tuple(row) for row in connection.execute("PRAGMA integrity_check")] == [("ok",)]
        schema = list(connection.execute("SELECT type, name, sql FROM sqlite_master"))
        tables = {}
        for kind, name, sql in schema:
            if kind == "table":
                assert sql.endswith("STRICT"), sql
                rows = connection.execute(f"SELECT * FROM {name} ORDER BY rowid")
                tables[name] = [{key: row[key] for key in row.keys() if row[key] is not None} for row in rows]
            if kind == "view":
                list(connection.execute(f"SELECT * FROM {name} LIMIT 100"))
        return tables


def read_ndjson(data):
    return [json.loads(line) for line in data.decode().split("\n")[:-1]]


def read_csv(data, like):
    """The rows as objects. `like` has the expected rows, which distinguish numbers and missing values from texts."""
    lines = csv.reader(io.StringIO(data.decode(), newline=""))
    names = next(lines)
    rows = []
    for line, expected in zip(lines, like, strict=True):
        assert len(line) == len(names)
        row = {}
        for name, field in zip(names, line, strict=True):
            if name not in expected:
                assert field == "", (name, field)
            elif isinstance(expected[name], int):
                row[name] = int(field)
            else:
                row[name] = field.removeprefix("'")
                assert not field.startswith(tuple("=+-@\t\r\n")), field
        rows.append(row)
    return rows


def check_sums(heapcheck, dump, tables):
    if "nodes" in tables:
        kinds = json.loads(run(heapcheck, "top", dump, "kinds", "--output", "json").stdout)["rows"]
        assert sum(row["count"] for row in kinds) == len(tables["nodes"]) == tables["snapshots"][0]["nodes"]
        assert sum(row["size"] for row in kinds) == sum(row["size"] for row in tables["nodes"])
        assert sum(row["size"] for row in tables["types"]) == tables["snapshots"][0]["size"]
        assert sum(row["count"] for row in tables["types"]) == tables["snapshots"][0]["nodes"]
        asked = run(heapcheck, "duplicates", dump, "--output", "json")
        if asked.returncode == 0:
            duplicates = [(row["text"], row["count"], row["size"]) for row in json.loads(asked.stdout)["rows"]]
            rows = [row for row in tables["strings"] if row["count"] > 1 and row["size"] > 0]
            found = sorted((row["text"], row["count"], row["size"]) for row in rows)
            assert found == sorted(each for each in duplicates if each[2] > 0), dump
        assert len(tables["edges"]) == tables["snapshots"][0]["edges"]
        for group, of in (("object", "objects"), ("frame", "frames")):
            if group not in {row["group"] for row in tables["types"]}:
                continue
            top = json.loads(run(heapcheck, "top", dump, of, "--output", "json").stdout)["rows"]
            rows = [row for row in tables["types"] if row["group"] == group]
            expected = [(row["name"], row["count"], row["size"], row["retained"]) for row in top]
            assert [(row["name"], row["count"], row["size"], row["retained"]) for row in rows] == expected
    else:
        size = sum(row["size"] for row in tables["allocations"])
        assert size == sum(row["size"] for row in tables["stacks"]) == tables["snapshots"][0]["size"]
        assert size == max((row["cumulative"] for row in tables["stacks"]), default=0)


def check_node_stacks(tables):
    """The stacks of a timeline count the nodes that refer to them."""
    counts = collections.Counter(row["stack"] for row in tables["nodes"] if "stack" in row)
    assert counts == {row["stack"]: row["object_count"] for row in tables["stacks"] if row["object_count"]}


def check(heapcheck, dump, scratch):
    database = scratch / "heap.db"
    export(heapcheck, "--to", "sqlite", dump, "-o", str(database))
    bytes_before = database.read_bytes()
    export(heapcheck, "--to", "sqlite", dump, "-o", str(database))
    assert database.read_bytes() == bytes_before, "writing is deterministic"
    tables = read_database(database)
    assert list(tables) in (GRAPH_TABLES, SNAPSHOT_TABLES, STACK_TABLES)
    if list(tables) == SNAPSHOT_TABLES:
        check_node_stacks(tables)
    check_sums(heapcheck, dump, tables)
    for form in ("csv", "ndjson"):
        export(heapcheck, "--to", form, dump, "-o", str(scratch / f"heap.{form}"))
        for name, rows in tables.items():
            data = (scratch / f"heap-{name}.{form}").read_bytes()
            assert export(heapcheck, "--to", form, "--table", name, dump, "-o", "-") == data
            read = read_ndjson(data) if form == "ndjson" else read_csv(data, rows)
            assert read == rows, (dump, form, name)
            if form == "ndjson":
                shards = [
                    export(heapcheck, "--to", form, "--table", name, "--shard", f"{i}/{SHARDS}", dump, "-o", "-")
                    for i in range(1, SHARDS + 1)
                ]
                assert b"".join(shards) == data, (dump, name)
    print(f"{dump}: " + ", ".join(f"{len(rows)} {name}" for name, rows in tables.items()))


def main():
    heapcheck, *dumps = sys.argv[1:]
    for dump in dumps:
        with tempfile.TemporaryDirectory() as scratch:
            check(heapcheck, dump, pathlib.Path(scratch))


main()
