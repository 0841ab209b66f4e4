"""Makes the inputs: enlarged real dumps. An input that already exists is checked and reused."""
import dataclasses
import hashlib
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"
# By the format of the seed.
SEEDS = {
    "mvmheap": CORPUS / "mvmheap/v3/seed/moar-2022.12-nqp.mvmheap",
    "chrome-legacy": CORPUS / "chrome/legacy/seed/chrome-64-small.json",
    "heaps-v2": CORPUS / "chrome/heaps_v2/seed/chrome-120-small.json",
    "heapsnapshot": CORPUS / "v8/whole/node-16.heapsnapshot.zst",
    "heaptimeline": CORPUS / "v8/heapsnapshot/seed/chrome-120-stacks.heaptimeline",
}
ENDINGS = {"mvmheap-v1": "txt", "mvmheap-v2": "mvmheap", "mvmheap-v3": "mvmheap", "chrome-legacy": "json",
           "heaps-v2": "json", "heapsnapshot": "heapsnapshot", "heaptimeline": "heaptimeline"}


@dataclasses.dataclass(frozen=True)
class Input:
    name: str
    format: str
    size: int  # collectables for a MoarVM dump, otherwise bytes

    @property
    def file_name(self):
        return f"{self.name}.{ENDINGS[self.format]}"

    @property
    def family(self):
        return "mvmheap" if self.format.startswith("mvmheap") else self.format


def find_checksum(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def find_seeds(folder, heapcheck):
    """The largest dump of each format in the folder; for formats that it lacks, the largest one in the corpus."""
    found = dict(SEEDS)
    sizes = {}
    for path in sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file()):
        done = subprocess.run([heapcheck, "info", "--output", "json", path], capture_output=True, text=True)
        if done.returncode != 0:
            continue
        facts = json.loads(done.stdout)
        family = "mvmheap" if facts["format"].startswith("mvmheap") else facts["format"]
        if family in SEEDS and facts["size"] > sizes.get(family, 0):
            sizes[family], found[family] = facts["size"], path
    return found


class Maker:
    def __init__(self, folder, programs, seeds, say):
        self.folder, self.programs, self.seeds, self.say = folder, programs, seeds, say
        sources = sorted((ROOT / "bench/enlarge").glob("*.?pp"))
        self.version = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()

    def make(self, wanted):
        """Returns the path of the input and its checksum."""
        path = self.folder / wanted.file_name
        note = self.folder / f"{wanted.file_name}.made.json"
        origin = {"size": wanted.size, "seed": find_checksum(self.seeds[wanted.family]), "program": self.version}
        if path.exists() and note.exists():
            old = json.loads(note.read_text())
            if old == {**origin, "sha256": old["sha256"]} and find_checksum(path) == old["sha256"]:
                return path, old["sha256"]
        self.say(f"making {wanted.file_name}")
        note.unlink(missing_ok=True)
        subprocess.run([self.programs / "bench/bench_enlarge", self.seeds[wanted.family], str(wanted.size), path,
                        wanted.format], check=True)
        self.check(path)
        made = {**origin, "sha256": find_checksum(path)}
        note.write_text(json.dumps(made))
        return path, made["sha256"]

    def check(self, path):
        done = subprocess.run([self.programs / "cli/heapcheck", "validate", "--max-memory", "64G", path],
                              capture_output=True, text=True)
        if done.returncode != 0 or " valid: 0 errors, 0 warnings" not in done.stdout:
            raise SystemExit(f"bench/run: the input that was made has findings:\n{done.stdout}")
