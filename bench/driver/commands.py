"""The commands whose growth is measured, and the kinds of formats that each of them is for."""
import dataclasses

# The content of a format (an object graph or call stacks) and its family.
KINDS = {
    "mvmheap-v1": {"moar", "graph"},
    "mvmheap-v2": {"moar", "graph"},
    "mvmheap-v3": {"moar", "graph"},
    "heapsnapshot": {"snapshot", "graph"},
    "heaptimeline": {"snapshot", "graph", "stacks"},
    "heapprofile": {"profile", "graph", "stacks"},
    "chrome-legacy": {"chrome", "stacks"},
    "heaps-v2": {"chrome", "stacks"},
}
ANY = {"graph", "stacks"}
GOOD = (0, 1, 3, 5)  # valid, with findings, with losses, or a limit was reached
SECONDS = 120  # the time that a command may take


@dataclasses.dataclass
class Command:
    """The members of rows.Command that measure.run_once needs."""
    name: str
    words: list
    kinds: set = dataclasses.field(default_factory=lambda: ANY)
    role: str = "heapcheck"
    pipe: str = ""
    reports: bool = False
    good: tuple = GOOD


def ask(name, *words, kinds=frozenset({"graph"})):
    return Command(name, [name.split(" ")[0], "FILE", *words], set(kinds))


def convert(target, kinds):
    words = ["convert", "--quiet", "--allow-loss", "--to", target, "FILE", "-o", "OUT"]
    return Command(f"convert {target}", words, kinds)


def export(form, kinds=ANY):
    return Command(f"export {form}", ["export", "--quiet", "--to", form, "FILE", "-o", "OUT"], kinds)


COMMANDS = [
    ask("validate", "--jobs", "1", kinds=ANY), ask("info", kinds=ANY), ask("summary", kinds=ANY),
    ask("top objects", "objects", kinds={"moar", "snapshot"}), ask("top types", "types", kinds={"moar"}),
    ask("top frames", "frames", kinds={"moar", "stacks"}),
    ask("suspects"), ask("leaks", kinds={"moar", "snapshot"}), ask("leaks later", "FILE", kinds={"moar", "snapshot"}),
    ask("retained"), ask("dominators"), ask("dominators by type", "--by-type"), ask("unreachable"),
    ask("find", "nodes size>0 by retained"), ask("count", "nodes name~a"), ask("path", "row:1"),
    ask("path 9", "row:1", "--paths", "9"), ask("path merged", "nodes", "--merged"), ask("show", "row:1"),
    ask("retainers", "row:1"), ask("duplicates", kinds={"snapshot"}), ask("tree", kinds={"stacks"}),
    ask("growth", kinds=ANY), ask("diff", "FILE", kinds=ANY),
    *[convert(target, {"moar"}) for target in ("mvmheap-v1", "mvmheap-v2", "mvmheap-v2:increments", "mvmheap-v3")],
    *[convert(target, {"chrome"}) for target in ("chrome-legacy", "heaps-v2")],
    convert("heapsnapshot", {"snapshot"}), convert("heapprofile", {"profile"}),
    Command("recover", ["recover", "--quiet", "FILE", "-o", "OUT"]),
    Command("recover cut", ["recover", "--quiet", "CUT", "-o", "OUT"]),
    export("heapsnapshot", {"moar"}),
    *[export(form) for form in ("collapsed", "speedscope", "pprof", "dhat", "sqlite", "csv", "ndjson", "parquet")],
    Command("report", ["report", "--quiet", "FILE", "-o", "OUT"]),
]


def commands_for(format):
    return [command for command in COMMANDS if command.kinds & KINDS[format]]


def fill(command, heapcheck, files):
    """The command with paths in place of FILE, CUT and OUT."""
    words = [str(files.get(word, word)) for word in command.words]
    limits = ["--no-progress", "--max-memory", "64G", "--timeout", str(SECONDS)]
    return dataclasses.replace(command, words=[str(heapcheck), *words, *limits])
