#!/usr/bin/env python3
"""Exports the shards of a table as CSV, and compares Dask's results for them on two workers with `heapcheck top`.

    dask_tables.py HEAPCHECK DUMP

Exits with 77, which ctest shows as skipped, if Dask or pandas is not installed.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import dask.dataframe
    from dask.distributed import Client, LocalCluster
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

SHARDS = 4
WORKERS = 2


def main():
    heapcheck, dump = sys.argv[1:]
    top = subprocess.run([heapcheck, "top", dump, "kinds", "--output", "json"], check=True, capture_output=True)
    expected = {row["name"]: (row["count"], row["size"]) for row in json.loads(top.stdout)["rows"]}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, SHARDS + 1):
            shard = ["--table", "nodes", "--shard", f"{number}/{SHARDS}", "-o", f"{folder}/nodes-{number}.csv"]
            subprocess.run([heapcheck, "export", "--quiet", "--to", "csv", dump, *shard], check=True)
        with (
            LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            assert len(client.scheduler_info()["workers"]) == WORKERS
            nodes = dask.dataframe.read_csv(f"{folder}/nodes-*.csv", dtype={"file": "object", "line": "float64"})
            assert nodes.npartitions == SHARDS
            sums = nodes.groupby("kind")["size"].agg(["count", "sum"]).compute()
        found = {kind: (int(row["count"]), int(row["sum"])) for kind, row in sums.iterrows()}
        assert len(list(pathlib.Path(folder).iterdir())) == SHARDS
    assert found == expected, (found, expected)
    print(f"{dump}: {len(found)} kinds on {WORKERS} workers")


if __name__ == "__main__":
    main()
