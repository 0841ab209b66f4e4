#!/usr/bin/env python3
"""Runs the queries of docs/queries.md, and compares their answers with the tables on the page.

    queries.py [--rewrite] HEAPCHECK

An SQL block is a query to the database that the last `heapcheck export` above it writes, and the table after the block
is its answer. With --rewrite, the actual answers are put into the page.
"""

import contextlib
import pathlib
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/queries.md"
EXPECTED_QUERIES = 20
BLOCK = re.compile(r"```sql\n(?P<sql>.*?)```\n\n(?P<answer>(?:\|[^\n]*\n)*)", re.DOTALL)
EXPORT = re.compile(r"^\$ heapcheck (export .*)$", re.MULTILINE)


def show(value):
    return "" if value is None else " ".join(str(value).split()).replace("|", "\\|")


def answer(database, sql):
    """The rows of a query as a table in Markdown."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        rows = connection.execute(sql)
        names = [column[0] for column in rows.description]
        lines = [names, ["---"] * len(names), *([show(value) for value in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def main():
    rewrite = sys.argv[1] == "--rewrite"
    heapcheck = pathlib.Path(sys.argv[-1]).resolve()
    page = PAGE.read_text(encoding="utf-8")
    exports = [(match.start(), shlex.split(match[1])) for match in EXPORT.finditer(page)]
    made = []
    with tempfile.TemporaryDirectory() as scratch:
        pathlib.Path(scratch, "corpus").symlink_to(ROOT / "corpus")
        for _, command in exports:
            subprocess.run([heapcheck, *command], check=True, cwd=scratch, stdout=subprocess.DEVNULL)

        def replace(match):
            database = [command[-1] for start, command in exports if start < match.start()][-1]
            actual = answer(pathlib.Path(scratch, database), match["sql"])
            if actual != match["answer"] and not rewrite:
                print(f"{match['sql']}\nfound:\n{actual}\nexpected:\n{match['answer']}")
            made.append(actual == match["answer"])
            after = "" if match["answer"] else "\n"
            return f"```sql\n{match['sql']}```\n\n{actual}{after}"

        new_page = BLOCK.sub(replace, page)
    if rewrite:
        PAGE.write_text(new_page, encoding="utf-8")
    elif len(made) < EXPECTED_QUERIES or not all(made):
        expected = max(len(made), EXPECTED_QUERIES)
        sys.exit(f"found {made.count(True)} queries with the answers on the page, expected {expected}")


main()
