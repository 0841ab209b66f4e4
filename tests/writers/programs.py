"""The programs whose heaps are dumped. Each consists of pieces, so that an engine that does not know a feature skips
only the pieces that use it."""
import dataclasses
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ["closures", "maps", "strings", "buffers", "leak"]


@dataclasses.dataclass(frozen=True)
class Piece:
    title: str
    source: str

    @property
    def name(self):
        return re.sub("[^a-z]+", "-", self.title.lower())


def read_pieces(program):
    """A line that begins with four slashes is the title of the piece after it."""
    text = (HERE / "programs" / f"{program}.js").read_text(encoding="utf-8")
    parts = re.split("^//// ", text, flags=re.MULTILINE)[1:]
    return [Piece(*part.split("\n", 1)) for part in parts]


def write_files(pieces, folder):
    """Writes each piece as a module of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for piece in pieces:
        paths.append(folder / f"{piece.name}.cjs")
        paths[-1].write_text(piece.source, encoding="utf-8")
    return paths


def write_script(pieces, path, dump):
    """Writes a script for Hermes, which cannot load other files."""
    lines = ["var keep = {};", "function attempt(title, source) {",
             "  try { (0, eval)(source); } catch (error) { print('skipped: ' + title); }", "}"]
    for piece in pieces:
        source = f"(function () {{\n{piece.source}}})()"
        lines.append(f"attempt({json.dumps(piece.title)}, {json.dumps(source)});")
    lines.append(f"createHeapSnapshot({json.dumps(str(dump))});")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_worker(pieces, path):
    """Writes a module for workerd, which runs the pieces when it gets a request, because it cannot evaluate sources."""
    lines = ["globalThis.keep = {};", "const pieces = {"]
    lines += [f"{json.dumps(piece.title)}() {{\n{piece.source}}}," for piece in pieces]
    lines += ["};", """export default {
  async fetch() {
    const skipped = [];
    for (const title of Object.keys(pieces)) {
      try { pieces[title](); } catch (error) { skipped.push(title); }
    }
    await new Promise(done => setTimeout(done, 50));
    return Response.json(skipped);
  }
};"""]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
