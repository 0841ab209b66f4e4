#!/usr/bin/env python3
"""Compares heapcheck's answers about intact dumps with the counts and searches of this script.

    independent.py HEAPCHECK [--manifest corpus/manifest.tsv] [--paths N] [--plant] FILE...

Checks for each snapshot of each file (MoarVM heap dumps of all versions, V8 heap snapshots and timelines) that

- `summary` has the same counts of nodes and edges, and the same sizes, of every kind of node, and of detached nodes;
- `top` has the same rows for each group of nodes, with the same places, counts, sizes and retained sizes;
- `find nodes` has the same id, kind, name, place, size and retained size of every node, and the same nodes detached;
- the root retains as much as can be reached from it, and `unreachable` lists the rest;
- `path` is as short as the path that a search here finds, for N random nodes and for the nodes farthest from the root,
  and each of its steps is an edge of the file;
- in MoarVM's dumps, each of a few of these nodes retains what cannot be reached without it.

Prints a line for each file, and a line for each of its first 20 differences; exits with 1 if there are any. With
--manifest, the files are the intact dumps in the corpus that are smaller than 1 MB, except those from campaigns. With
--plant, each answer is also compared after one of its values was changed or a row was removed, and if that is not
noticed, it counts as a difference. Needs only Python's standard library and libzstd.
"""
import argparse
import collections
import copy
import itertools
import json
import os
import random
import subprocess
import sys

import dump_places
import dump_readers
import dump_retention

GROUPS = ("objects", "types", "stables", "frames", "strings")
LARGEST_IN_TEST = 1_000_000
REFUSED = "devtools-wrap-element.heapsnapshot"  # contains an index of 2^32, which the program refuses to show


# Searches


def find_distances(graph):
    """The length of a shortest path without weak edges to each node that has such a path, in order of length."""
    distances, waiting = {0: 0}, collections.deque([0])
    while waiting:
        node = waiting.popleft()
        for edge in graph.edges_of(node):
            target = graph.target[edge]
            if target not in distances and not (graph.is_weak and graph.is_weak[edge]):
                distances[target] = distances[node] + 1
                waiting.append(target)
    return distances


def add_sizes(graph, reached):
    return sum(itertools.compress(graph.size, reached))


# Comparisons: each yields one text for each difference


def differ(what, found, expected):
    if found != expected:
        yield f"{what}: found {found!r}, expected {expected!r}"


def name_rows(graph, group):
    """For each node, the name of the row of `top` that it counts in; None for other groups."""
    def name(node, kind):
        kind_name, its_group, shared = graph.kinds[kind]
        if group == "kinds":
            return kind_name
        if group == "closures" and kind_name != "closure" or group not in ("closures", its_group):
            return None
        return graph.name_of(node) if shared is None or group in ("strings", "closures") else shared

    return [name(node, kind) for node, kind in enumerate(graph.kind)]


def top_rows(graph, group, places):
    """For each node, the name and the place of the row of `top` that it counts in; None for other groups."""
    def row(node, name):
        shared = graph.kinds[graph.kind[node]][2]
        has_place = group not in ("kinds", "strings") and (shared is None or group == "closures")
        place = places[node] if has_place and dump_places.is_of_type(graph, node) else None
        return name, tuple(place.values()) if place else None

    return [None if name is None else row(node, name) for node, name in enumerate(name_rows(graph, group))]


def count_rows(graph, names):
    """The number of nodes and their size in bytes, by row."""
    rows = {}
    for name, size in zip(names, graph.size):
        if name is not None:
            row = rows.setdefault(name, [0, 0])
            row[0] += 1
            row[1] += size
    return rows


def compare_summary(graph, answer):
    yield from differ("nodes", answer["nodes"], len(graph.kind))
    yield from differ("edges", answer["edges"], len(graph.target))
    yield from differ("size", answer["size"], sum(graph.size))
    counted = count_rows(graph, name_rows(graph, "kinds"))
    kinds = [{"kind": kind[0], "count": counted[kind[0]][0], "size": counted[kind[0]][1]} for kind in graph.kinds
             if kind[0] in counted]
    yield from differ("kinds", answer["kinds"], kinds)
    states = [{"state": name, "count": graph.states.count(state),
               "size": sum(size for its_state, size in zip(graph.states, graph.size) if its_state == state)}
              for state, name in ((2, "detached"), (1, "attached"))] if graph.states else None
    yield from differ("states", answer.get("states"), states)
    if times := answer.get("times"):
        dated = [size for number, size in zip(graph.id, graph.size) if number % 2 == 1]  # others are not V8's
        yield from differ("nodes by time", sum(row["count"] for row in times), len(dated))
        yield from differ("size by time", sum(row["size"] for row in times), sum(dated))
        yield from differ("starts of intervals", [row["from"] for row in times], [None] + [row["to"] for row in times[:-1]])
        yield from differ("end of the last interval", times[-1]["to"], None)


def compare_top(graph, retention, places, group, answer):
    row_of = top_rows(graph, group, places)
    retained = retention.add_up(row_of)
    found = [((row["name"], tuple(row["place"].values()) if row["place"] else None), row["count"], row["size"],
              row["retained"]) for row in answer["rows"]]
    expected = [(key, *row, retained.get(key, 0)) for key, row in count_rows(graph, row_of).items()]
    missing, surplus = sorted(set(expected) - set(found), key=repr), sorted(set(found) - set(expected), key=repr)
    yield from differ(f"top {group}, {len(found)} rows", surplus, missing)
    yield from differ(f"top {group}, number of rows", len(found), len(expected))
    sizes = [row[2] for row in found]
    yield from differ(f"top {group}, order", sizes, sorted(sizes, reverse=True))


def compare_nodes(graph, retention, places, answer):
    yield from differ("number of rows of find nodes", len(answer["rows"]), len(graph.kind))
    for node, row in enumerate(answer["rows"][:len(graph.kind)]):
        expected = describe(graph, node) | {"size": graph.size[node], "retained": retention.retained[node],
                                            "place": places[node]}
        if graph.states:
            expected["detached"] = graph.states[node] == 2
        yield from differ(f"row {node}", row, expected)


def compare_reachable(graph, reached, root, unreachable):
    rows = sorted((row["id"], row["size"]) for row in unreachable["rows"])
    yield from differ("unreachable", rows,
                      sorted((graph.id[i], graph.size[i]) for i, is_reached in enumerate(reached) if not is_reached))
    yield from differ("size of the root", root["size"], graph.size[0])
    # In V8's heap snapshots, the root also retains nodes that cannot be reached.
    keeps_all = graph.is_v8
    added = sum(row["size"] for row in unreachable["rows"]) if keeps_all else 0
    yield from differ("what the root retains", root["retained"], add_sizes(graph, reached) + added)


def describe(graph, node):
    return {"id": graph.id[node], "kind": graph.kinds[graph.kind[node]][0], "name": graph.name_of(node)}


def follow_step(graph, nodes, step):
    """The nodes that the step may refer to: ids are not unique in every file."""
    wanted = {key: step[key] for key in ("id", "kind", "name")}
    return {graph.target[edge] for node in nodes for edge in graph.edges_of(node)
            if graph.id[graph.target[edge]] == step["id"] and graph.label_of(edge) == step["edge"]
            and not (graph.is_weak and graph.is_weak[edge]) and describe(graph, graph.target[edge]) == wanted}


def compare_path(graph, node, distance, answer):
    steps = answer["steps"]
    yield from differ(f"edges of the path to row {node}", len(steps) - 1, -1 if distance is None else distance)
    if not steps:
        return
    yield from differ(f"start of the path to row {node}", steps[0],
                      describe(graph, 0) | {"edge": None, "edge_kind": None, "place": None})
    nodes = {0}
    for place, step in enumerate(steps[1:], 1):
        nodes = follow_step(graph, nodes, step)
        if not nodes:
            yield f"path to row {node}: found step {place} {step!r}, expected an edge of the file"
            return
    if node not in nodes:
        yield f"path to row {node}: found an end at {sorted(nodes)}, expected this row"


def compare_retained(graph, node, reached, retained):
    left = dump_retention.find_reached(graph, [0], without=node)
    yield from differ(f"what row {node} retains", retained, add_sizes(graph, reached) - add_sizes(graph, left))


# Questions


class Shell:
    """Asks heapcheck questions about the snapshots of a file."""

    def __init__(self, heapcheck, path):
        self.process = subprocess.Popen([heapcheck, "shell", path, "--output", "json"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")

    def ask(self, question):
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        lines = []
        while not lines or lines[-1] != "}\n":
            lines.append(self.process.stdout.readline())
            if lines[-1].startswith("heapcheck:") or not lines[-1]:
                raise ValueError(f"{question}: found {lines[-1]!r}, expected an answer")
        return json.loads("".join(lines))

    def select(self, snapshot):
        self.process.stdin.write(f"snapshot {snapshot}\n")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def change_value(rnd, answer, keys):
    """A copy of an answer with one of the values of these keys changed, or without the last row of a list."""
    changed, places = copy.deepcopy(answer), []

    def collect(value):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, (dict, list)):
                collect(inner)
            if inner and isinstance(inner, list) or key in keys and inner is not None:
                places.append((value, key))

    collect(changed)
    if not places:
        return None
    holder, key = rnd.choice(places)
    value = holder[key]
    holder[key] = value[:-1] if isinstance(value, list) else value + (1 if isinstance(value, int) else "x")
    return changed


class Comparison:
    """Compares the answers about one file, and counts what was compared."""

    def __init__(self, heapcheck, path, arguments):
        self.heapcheck = heapcheck
        self.path = path
        self.paths = arguments.paths
        self.plants = arguments.plant
        self.rnd = random.Random(path.rpartition("/")[2])
        self.counts = collections.Counter()
        self.differences = []

    def check(self, compare, answer, keys):
        """Compares an answer and, if requested, a copy of it in which a value of `keys` is changed."""
        self.counts["answers"] += 1
        self.differences += compare(answer)
        changed = change_value(self.rnd, answer, keys) if self.plants else None
        if changed is not None:
            self.counts["planted"] += 1
            if not any(compare(changed)):
                self.differences.append(f"not noticed: a change of {answer!r:.2000} to {changed!r:.2000}")

    def run(self):
        done = subprocess.run([self.heapcheck, "summary", self.path, "--output", "json"], capture_output=True,
                              encoding="utf-8")
        graphs = dump_readers.read_graphs(self.path)
        if "does not contain the targets of references" in done.stderr:
            return  # there is no graph to ask about
        if done.returncode != 0:
            self.differences.append(f"found {done.stderr!r}, expected an answer")
            return
        summaries = json.loads(done.stdout)["snapshots"]
        if not summaries:
            self.differences += differ("snapshots", 0, sum(1 for _ in graphs))
            return
        shell = Shell(self.heapcheck, self.path)
        for snapshot, graph in enumerate(graphs):
            self.counts["snapshots"] += 1
            self.counts["nodes"] += len(graph.kind)
            self.counts["edges"] += len(graph.target)
            self.check(lambda answer: compare_summary(graph, answer), summaries[snapshot],
                       ("nodes", "edges", "kind", "count", "size"))
            shell.select(snapshot)
            self.compare_snapshot(graph, shell)
        shell.close()
        self.differences += differ("snapshots", len(summaries), self.counts["snapshots"])

    def compare_snapshot(self, graph, shell):
        retention = dump_retention.Retention(graph)
        places = dump_places.find_places(graph)
        groups = [group for group in GROUPS if any(kind[1] == group for kind in graph.kinds)]
        groups += ["closures"] if any(kind[0] == "closure" for kind in graph.kinds) else []
        for group in groups + ["kinds"]:
            self.check(lambda answer: compare_top(graph, retention, places, group, answer),
                       shell.ask(f"top {group} by size"), ("name", "count", "size", "retained", "line"))
        reached = dump_retention.find_reached(graph, [0], dump_retention.make_retaining(graph))
        unreachable, root = shell.ask("unreachable"), shell.ask("show row:0")
        root = {key: root[key] for key in ("size", "retained")}
        self.check(lambda answer: compare_reachable(graph, reached, answer, unreachable), root, ("size", "retained"))
        self.check(lambda answer: compare_reachable(graph, reached, root, answer), unreachable, ("id", "size"))
        nodes = shell.ask("find nodes")
        self.check(lambda answer: compare_nodes(graph, retention, places, answer), nodes,
                   ("id", "kind", "name", "size", "retained", "line"))
        self.compare_paths(graph, reached, shell, [row["retained"] for row in nodes["rows"]])

    def compare_paths(self, graph, reached, shell, retained):
        distances = find_distances(graph)
        nodes = self.choose_nodes(graph, distances)
        for node in nodes:
            self.counts["paths"] += 1
            self.check(lambda answer: compare_path(graph, node, distances.get(node), answer),
                       shell.ask(f"path row:{node}"), ("edge", "name", "kind"))
        for node in [] if graph.is_v8 else nodes[::max(1, len(nodes) // 4)]:
            self.counts["removed nodes"] += 1
            self.differences += compare_retained(graph, node, reached, retained[node])

    def choose_nodes(self, graph, distances):
        """Random nodes, the nodes farthest from the root, and some nodes without a path."""
        nodes = range(len(graph.kind))
        chosen = self.rnd.sample(nodes, min(self.paths, len(nodes)))
        chosen += itertools.islice(reversed(distances), 5)
        chosen += itertools.islice((node for node in nodes if node not in distances), 5)
        return sorted(set(chosen))


def list_intact(manifest):
    """The dumps in the corpus that are small, have the verdict `valid` and were not made by campaigns."""
    with open(manifest, encoding="utf-8") as file:
        rows = [line.split("\t") for line in file]
    paths = [os.path.join(os.path.dirname(manifest), row[0]) for row in rows
             if row[0].startswith(("mvmheap/v", "v8/heapsnapshot/")) and row[3] == "valid"
             and "/grown/" not in row[0] and not row[0].endswith(REFUSED)]
    return [path for path in paths if os.path.getsize(path) < LARGEST_IN_TEST]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heapcheck")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--manifest", help="also compare the intact small dumps that it lists")
    parser.add_argument("--paths", type=int, default=200, metavar="N", help="random nodes of each snapshot")
    parser.add_argument("--plant", action="store_true", help="also compare changed answers")
    arguments = parser.parse_args()
    total = 0
    for path in arguments.files + (list_intact(arguments.manifest) if arguments.manifest else []):
        comparison = Comparison(arguments.heapcheck, path, arguments)
        try:
            comparison.run()
        except (OSError, ValueError) as error:  # the program gave no answer
            comparison.differences.append(str(error))
        counts = ", ".join(f"{count} {name}" for name, count in comparison.counts.items())
        print(f"{path}: {counts or 'no snapshots'}: {len(comparison.differences)} differences", flush=True)
        for difference in comparison.differences[:20]:
            print(f"    {difference:.2000}")
        total += len(comparison.differences)
    sys.exit(1 if total else 0)


if __name__ == "__main__":
    main()
