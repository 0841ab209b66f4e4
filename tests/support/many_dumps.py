#!/usr/bin/env python3
"""Prints a Chrome trace with many dumps of several processes, in both forms, so that threads have enough work.

usage: tests/support/many_dumps.py
"""
import json

DUMPS, PROCESSES, ROWS = 24, 3, 400


def make_legacy(number):
    entries = [{"size": "ffffff", "count": "ffff", "bt": ""}]
    entries += [{"size": f"{row + number:x}", "count": "1", "bt": f"f{row}"} for row in range(ROWS)]
    return {"malloc": {"entries": entries}}


def make_heaps_v2(number):
    rows = range(1, ROWS)
    return {"version": 1,
            "maps": {"nodes": [{"id": row, "name_sid": row, **({"parent": row // 2} if row > 1 else {})} for row in rows],
                     "types": [{"id": 0, "name_sid": 1}],
                     "strings": [{"id": row, "string": f"function {row * number % 97}"} for row in rows]},
            "allocators": {"malloc": {"nodes": list(rows), "types": [0] * len(rows), "counts": [1] * len(rows),
                                      "sizes": [8 * row for row in rows]}}}


def main():
    frames = {f"f{row}": {"name": f"function {row}"} for row in range(ROWS)}
    events = [{"ph": "M", "pid": pid, "name": name, "args": {name: value}} for pid in range(PROCESSES)
              for name, value in (("stackFrames", frames), ("typeNames", {}))]
    for number in range(DUMPS):
        dumps = {"heaps": make_legacy(number)} if number % 2 else {"heaps_v2": make_heaps_v2(number)}
        events.append({"ph": "v", "pid": number % PROCESSES, "ts": number, "id": str(number), "name": "periodic_interval",
                       "args": {"dumps": dumps}})
    print(json.dumps(events, separators=(",", ":")), end="")


main()
