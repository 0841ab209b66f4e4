"""The subject of the measurements: the inputs, and the commands that are run on each."""
import dataclasses
import fnmatch
import pathlib
import shutil
import subprocess
import sys

from driver.inputs import Input

PEERS = pathlib.Path(__file__).resolve().parents[1] / "peers"
PYTHON = "/usr/bin/python3"  # it has the packages from Debian
NODE = ["node", "--max-old-space-size=16384"]
MB = 1_000_000
TEXT_BYTES = 67  # of an average collectable in version 1
TEXT_BYTES_PER_SECOND = 400 * MB  # that a conversion should write

SMALL = [Input(f"v{v}-{n}M", f"mvmheap-v{v}", n * MB) for v in (3, 2, 1) for n in (1, 5)]
SMALL += [Input("snapshot-200M", "heapsnapshot", 200 * MB), Input("legacy-200M", "chrome-legacy", 200 * MB),
          Input("heaps_v2-200M", "heaps-v2", 200 * MB), Input("timeline-200M", "heaptimeline", 200 * MB)]
LARGE = [Input(f"v{v}-20M", f"mvmheap-v{v}", 20 * MB) for v in (3, 2, 1)]
LARGE += [Input("snapshot-1G", "heapsnapshot", 1000 * MB), Input("snapshot-5G", "heapsnapshot", 5000 * MB),
          Input("legacy-1G", "chrome-legacy", 1000 * MB), Input("heaps_v2-1G", "heaps-v2", 1000 * MB)]


@dataclasses.dataclass
class Command:
    name: str
    role: str  # heapcheck, variant (heapcheck run in another way), limit, peer
    words: list
    pipe: str = ""         # a file that is passed to its standard input
    reports: bool = False  # whether it prints the times to use
    missing: str = ""      # the reason why it cannot be run
    good: tuple = (0,)     # exit statuses of a successful run
    processors: int = 1    # that it may use


@dataclasses.dataclass
class Goal:
    """A bound for the ratio of a command, or for its cost in seconds or bytes."""
    command: str
    axis: str  # user, cpu, wall, peak
    bound: float
    is_upper: bool = True
    of_cost: bool = False


@dataclasses.dataclass
class Row:
    name: str
    title: str
    input: Input
    commands: list
    goals: list
    prepare: list = dataclasses.field(default_factory=list)  # a command that makes the files that the others need
    also: Input = None  # another input that a limit needs


@dataclasses.dataclass
class Place:
    """The places of the programs and the results."""
    programs: pathlib.Path
    scratch: pathlib.Path
    node_modules: str
    devtools: str
    libc: str        # a folder with a newer GNU C Library
    simdjson: tuple  # name and path of a program with another release of simdjson, or None
    extra: list      # (name, words) of peers from the command line


def need_program(command, path):
    if not pathlib.Path(path).exists():
        command.missing = f"{pathlib.Path(path).name} was not built: its library is not installed"
    return command


def need_tool(command, tool, package):
    if shutil.which(tool) is None:
        command.missing = f"{tool} is not installed ({package})"
    return command


def need_module(command, module, package):
    if subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True).returncode != 0:
        command.missing = f"{module} is not installed ({package})"
    return command


def need_folder(command, folder, what, option="--node-modules"):
    if not folder or not (pathlib.Path(folder) / what).exists():
        command.missing = f"{what} is not installed, or {option} does not name its folder"
    return command


class Rows:
    def __init__(self, place):
        self.place = place
        self.heapcheck = str(place.programs / "cli/heapcheck")

    def program(self, name):
        return str(self.place.programs / "bench" / name)

    def validate(self, path, role, name, *words, pipe=""):
        return Command(name, role, [self.heapcheck, "validate", "--quiet", "--no-progress", "--max-memory", "64G",
                                    *words, path], pipe, processors=1 if role == "heapcheck" else 2)

    def limit(self, kind, name, path, reports=False):
        return Command(name, "limit", [self.program("bench_limits"), kind, path], reports=reports)

    def all_ways(self, path):
        return [self.validate(path, "heapcheck", "heapcheck validate", "--jobs", "1"),
                self.validate(path, "variant", "with --jobs 2", "--jobs", "2"),
                self.validate("-", "variant", "from a pipe", "--jobs", "1", pipe=path)]

    def make(self, item, path):
        """The rows for an input that is at `path`."""
        path = str(path)
        if item.family == "mvmheap":
            return self.make_mvmheap(item, path)
        if item.family == "heaptimeline":
            return [self.make_stacks(item, path)]
        return self.make_json(item, path)

    def extra(self, path):
        return [Command(name, "peer", [word.replace("{}", path) for word in words])
                for name, words in self.place.extra]

    def make_mvmheap(self, item, path):
        version = item.format[-2:]
        millions = f"{item.size / MB:g} M collectables"
        commands = self.all_ways(path)
        goals = [Goal("from a pipe", "wall", 1.15)]
        if version == "v3":
            goals.append(Goal("with --jobs 2", "wall", 0.6))
            commands.append(self.limit("frames", "decompression with libzstd", path))
            goals += self.bound("decompression with libzstd", 1.3)
        else:
            commands.append(self.limit("lines", "counting lines", path))
            goals += self.bound("counting lines", {"v1": 2.2, "v2": 1.8}[version])
        commands += [self.limit("copy", "memcpy", path), Command("cat", "limit", ["cat", path])]
        rows = [Row(item.name, f"check of MoarVM version {version[1]}, {millions}", item,
                    commands + self.extra(path), goals)]
        if item.name.endswith("-5M"):  # more rows would take too long
            return rows
        if version in ("v1", "v3"):
            rows.append(self.make_convert(item, path, version, millions))
        if version == "v3":
            rows.append(self.make_writer(item, path, millions))
        if item.name == "v3-1M":
            rows += self.make_tables(item, path, millions)
        return rows

    def bound(self, limit, most):
        """Getting memory from the system may take 0.3 times as long as the work."""
        return [Goal(limit, "user", most), Goal(limit, "cpu", 1.3 * most)]

    def make_writer(self, item, path, millions):
        commands = [Command("heapcheck's writer", "heapcheck", [self.program("bench_writer"), path], reports=True),
                    self.limit("compress", "compression with libzstd", path, reports=True)]
        return Row(f"writer-{item.name}", f"writing MoarVM version 3, level 9, {millions}", item,
                   commands, [Goal("compression with libzstd", "cpu", 1 / 0.97)])

    def make_convert(self, item, path, version, millions):
        """The limit is that of the slower side: compressing or decompressing version 3."""
        target = {"v1": "mvmheap-v3", "v3": "mvmheap-v1"}[version]
        convert = [self.heapcheck, "convert", "--quiet", "--no-progress", "--max-memory", "64G", "--allow-loss", "--to",
                   target, path, "-o", str(self.place.scratch / "converted")]
        kind, name = {"v1": ("compress", "compression with libzstd"),
                      "v3": ("frames", "decompression with libzstd")}[version]
        other = Input(f"v3-{item.name[3:]}", "mvmheap-v3", item.size)
        limit = self.limit(kind, name, str(pathlib.Path(path).with_name(other.file_name)), reports=version == "v1")
        text_seconds = item.size * TEXT_BYTES / TEXT_BYTES_PER_SECOND
        goal = Goal(name, "user", 1.2) if version == "v1" else Goal("heapcheck convert", "user", text_seconds,
                                                                    of_cost=True)
        return Row(f"convert-{item.name}", f"conversion to {target}, {millions}", item,
                   [Command("heapcheck convert", "heapcheck", convert, good=(0, 3)), limit], [goal], also=other)

    def make_json(self, item, path):
        title = {"heapsnapshot": "V8 heap snapshot", "chrome-legacy": "Chrome trace with legacy heap dumps",
                 "heaps-v2": "Chrome trace with heaps_v2"}[item.format]
        size = f"{item.size / MB:g} MB"
        commands = self.all_ways(path) + self.json_peers(item, path) + self.extra(path)
        commands += [self.limit("lines", "counting lines", path), self.limit("copy", "memcpy", path),
                     Command("cat", "limit", ["cat", path])]
        goals = [Goal("simdjson on-demand", "user", 2.8, is_upper=False),
                 Goal("simdjson on-demand, warm", "user", 1.0, is_upper=False),
                 Goal("with --jobs 2", "wall", 1 / 1.6), Goal("from a pipe", "wall", 1.15)]
        if item.name == "snapshot-5G":
            goals += [Goal("with --jobs 2", "wall", 20, of_cost=True),
                      Goal("with --jobs 2", "peak", 3e9, of_cost=True)]
        rows = [Row(f"json-{item.name}", f"check of a {title}, {size}", item, commands, goals)]
        if item.format == "heapsnapshot" and item.size <= 200 * MB:
            rows += [self.make_analysis(item, path, size), *self.make_places(item, path, size)]
        return rows

    def json_peers(self, item, path):
        simdjson = self.program("bench_simdjson")
        peers = [need_program(Command(name, "peer", [simdjson, how, path], reports=how == "warm"), simdjson)
                 for name, how in (("simdjson on-demand", "cold"), ("simdjson on-demand, warm", "warm"),
                                   ("simdjson DOM", "dom"))]
        if self.place.simdjson:
            name, program = self.place.simdjson
            peers.append(Command(name, "peer", [program, "cold", path]))
        for name, program in (("RapidJSON SAX", "bench_rapidjson"), ("nlohmann/json", "bench_nlohmann")):
            peers.append(need_program(Command(name, "peer", [self.program(program), path]), self.program(program)))
        peers.append(need_tool(Command("Node.js JSON.parse", "peer",
                                       [*NODE, str(PEERS / "json_parse.mjs"), path]),
                               "node", "nodejs"))
        if item.format == "heapsnapshot":
            peers += self.slow_json_peers(path)
        for peer in peers:
            # Documents in these need 5 to 20 times the size of the file, and V8 cannot hold a string of 512 MiB.
            needs_memory = peer.name.startswith(("nlohmann", "Python", "jq", "Node.js"))
            if item.size > 500 * MB and needs_memory:
                peer.missing = "needs too much memory for this size"
        return peers

    def slow_json_peers(self, path):
        """These programs are compared for only one kind of file, because they are slow."""
        peers = [need_module(Command(f"Python {module}", "peer", [PYTHON, str(PEERS / "json_load.py"), module, path]),
                             module, package)
                 for module, package in (("json", "python3"), ("ujson", "python3-ujson"),
                                         ("orjson", "python3-orjson"), ("rapidjson", "python3-rapidjson"))]
        peers.append(need_tool(Command("jq", "peer", ["jq", "length", path]), "jq", "jq"))
        return peers + [Command("yyjson", "peer", [], missing="it is not packaged in Debian 12")]

    def ask(self, question, path, role="heapcheck", name=""):
        return Command(name or f"heapcheck {question}", role, [self.heapcheck, question, "--no-progress", path])

    def make_analysis(self, item, path, size):
        commands = [self.ask("retained", path), self.ask("suspects", path, "variant"), self.devtools(path),
                    self.node_peer("memlab", "memlab.mjs", "@memlab/heap-analysis", path),
                    self.node_peer("heap-snapshot-toolkit", "toolkit.mjs", "heap-snapshot-toolkit", path),
                    self.node_peer("VS Code's v8-heap-parser", "vscode.mjs", "@vscode/v8-heap-parser", path),
                    self.heap_snapshot_tool(path)]
        return Row(f"analysis-{item.name}", f"retained sizes of a V8 heap snapshot, {size}", item, commands,
                   [Goal("heapcheck suspects", "user", 1.3), Goal("DevTools", "user", 12, is_upper=False),
                    Goal("DevTools", "peak", 3, is_upper=False)])

    def devtools(self, path):
        folder = self.place.devtools
        return need_folder(Command("DevTools", "peer", [*NODE, str(pathlib.Path(folder) / "load.mjs"), path]),
                           folder, "load.mjs", "--devtools")

    def node_peer(self, name, script, package, path):
        modules = self.place.node_modules
        return need_folder(Command(name, "peer", [*NODE, str(PEERS / script), modules, path]), modules, package)

    def heap_snapshot_tool(self, path):
        """A program that needs version 2.39 of the GNU C Library."""
        package = "@heap-snapshot/linux-x64"
        program = str(pathlib.Path(self.place.node_modules) / package / "heap-snapshot")
        libc = pathlib.Path(self.place.libc)
        loader = [str(libc / "ld-linux-x86-64.so.2"), "--library-path", str(libc)] if self.place.libc else []
        command = need_folder(Command("@heap-snapshot/tool", "peer", [*loader, program, "summary", path]),
                              self.place.node_modules, package)
        if not command.missing and subprocess.run([*loader, program, "--help"], capture_output=True).returncode != 0:
            command.missing = "it needs version 2.39 of the GNU C Library, see --libc"
        return command

    def make_places(self, item, path, size):
        """What it costs to read the places in the source code. The limit is the same file without them."""
        bare = str(self.place.scratch / f"without-places-{item.file_name}")
        prepare = [sys.executable, str(PEERS / "without_places.py"), path, bare]
        return [Row(f"places-{question}-{item.name}", f"places in a V8 heap snapshot, `{question}`, {size}", item,
                    [self.ask(question, path), self.ask(question, bare, "limit", "the same without places")], [],
                    prepare) for question in ("retained", "suspects")]

    def make_stacks(self, item, path):
        """Finding who allocated what is alive needs the graph, but not its dominators."""
        commands = [
            Command("heapcheck top frames", "heapcheck", [self.heapcheck, "top", "--no-progress", path, "frames"]),
            self.ask("retained", path, "variant"), self.devtools(path)]
        return Row(f"stacks-{item.name}", f"allocation stacks of a V8 timeline, {item.size / MB:g} MB", item, commands,
                   [])

    def make_tables(self, item, path, size):
        csv = self.place.scratch / "csv"
        prepare = [self.heapcheck, "export", "--quiet", "--no-progress", "--to", "csv", path, "-o",
                   str(csv / "heap.csv")]
        database, parquet = self.place.scratch / "heap.sqlite", self.place.scratch / "parquet"
        load = [".mode csv"]
        tables = ("nodes", "edges", "types", "strings", "snapshots")
        load += [f'.import "{csv}/heap-{table}.csv" {table}' for table in tables]
        sqlite = ["sh", "-c", 'rm -f -- "$1" && exec sqlite3 "$@"', "sh", str(database), "pragma journal_mode=off",
                  "pragma synchronous=off", *load]
        export = [self.heapcheck, "export", "--quiet", "--no-progress", path]
        modules = self.place.node_modules
        duckdb = ["node", str(PEERS / "duckdb.mjs"), modules, str(parquet),
                  *[str(csv / f"heap-{table}.csv") for table in tables]]
        rows = [
            Row(f"sqlite-{item.name}", f"export as SQLite, {size}", item,
                [Command("heapcheck export", "heapcheck", export + ["--to", "sqlite", "-o", str(database)]),
                 need_tool(Command("sqlite3 .import of CSV", "peer", sqlite), "sqlite3", "sqlite3")], [], prepare),
            Row(f"parquet-{item.name}", f"export as Parquet, {size}", item,
                [Command("heapcheck export", "heapcheck",
                         export + ["--to", "parquet", "-o", str(parquet / "heap.parquet")]),
                 need_folder(Command("DuckDB, CSV to Parquet", "peer", duckdb), modules, "@duckdb/node-api")],
                [], prepare)]
        return rows


def is_chosen(name, patterns):
    """Whether a pattern names the row or some of the hyphen-separated words in its name."""
    words = name.split("-")
    pieces = {"-".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)}
    return not patterns or any(fnmatch.filter(pieces, pattern) for pattern in patterns)
