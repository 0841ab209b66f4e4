"""Mutants: patches that each break one promise of the program or plant one bug, with the fields at their top."""

import dataclasses
import hashlib
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# The fields of each kind of mutant, which is also the folder of its patches.
FIELDS = {
    "promises": {
        "promise",  # the sentence that is broken, as the page says it; " ... " where words are left out
        "in",  # the file that has the sentence
        "tests",  # a regular expression for the tests that notice: `ctest -R`
    },
    "planted": {
        "bug",  # what is wrong
        "property",  # what a fuzz target checks, and what does not hold with the bug
        "targets",  # patterns of the fuzz targets that should find it
    },
}

LIBRARY = ("include", "api", "formats", "graph", "validate", "convert", "allocations", "recover", "analyze", "export")
# What users get, and the script that the README begins with.
PRODUCTION = (*LIBRARY, "cli", "cmake", "packaging", ".github", "run")


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One patch."""

    kind: str
    path: pathlib.Path
    fields: dict
    text: str

    @property
    def name(self):
        return f"{self.kind}/{self.path.stem}"

    @property
    def changed(self):
        """The files that the patch changes."""
        return re.findall(r"^\+\+\+ b/(\S+)", self.text, re.MULTILINE)

    @property
    def checksum(self):
        return hashlib.sha256(self.text.encode()).hexdigest()

    def apply(self, folder, *arguments):
        """Applies the patch in `folder`; returns the words of `patch` if that fails, else nothing."""
        command = ["patch", f"--directory={folder}", "--strip=1", "--fuzz=0", "--force", "--quiet",
                   "--no-backup-if-mismatch", *arguments]
        done = subprocess.run(command, input=self.text, text=True, capture_output=True, check=False)
        return "" if done.returncode == 0 else (done.stdout + done.stderr).strip()


def read_mutants(pattern="*"):
    """All mutants whose name, such as `promises/in-place-pipe`, matches the pattern."""
    mutants = []
    for kind in FIELDS:
        for path in sorted((HERE / kind).glob("*.patch")):
            text = path.read_text(encoding="utf-8")
            head = text.partition("\n--- ")[0]
            fields = dict(re.findall(r"^([a-z]+): *(.*)$", head, re.MULTILINE))
            mutant = Mutant(kind, path, fields, text)
            if pathlib.PurePath(mutant.name).match(pattern):
                mutants.append(mutant)
    return mutants


def find_words(text):
    """The words of some text: without the line ends of C++ literals and comments, and without markup."""
    text = re.sub(r'\\n"?\s*"?|"\s*\n\s*R?"|\n\s*(///?|#|\*)?', " ", text)
    return " ".join(re.sub(r'[`*\\|"()]', " ", text).split())


def find_faults(mutant):
    """What is wrong with the patch and its fields, one sentence each."""
    faults = []
    words = mutant.apply(ROOT, "--dry-run")
    if words:
        faults.append(f"does not apply: {words}")
    if set(mutant.fields) != FIELDS[mutant.kind]:
        faults.append(f"has the fields {sorted(mutant.fields)}, expected {sorted(FIELDS[mutant.kind])}")
    folders = PRODUCTION if mutant.kind == "promises" else LIBRARY
    outside = [path for path in mutant.changed if path.split("/")[0] not in folders]
    if outside:
        faults.append(f"changes {', '.join(outside)}, expected files in {', '.join(folders)}")
    if mutant.kind == "promises" and not faults:
        page = ROOT / mutant.fields["in"]
        said = find_words(page.read_text(encoding="utf-8")) if page.is_file() else ""
        for part in mutant.fields["promise"].split(" ... "):
            if find_words(part) not in said:
                faults.append(f"{mutant.fields['in']} does not say: {part}")
    return faults
