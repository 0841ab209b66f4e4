"""The programs with planted leaks, and those without leaks. The file leak.toml next to a program says how it is run and
what is true about its leak; program.toml next to one without a leak says how it is run."""
import dataclasses
import pathlib
import re
import tomllib

import writers

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True, kw_only=True)
class Program:
    """A program and its load."""
    name: str       # of its folder
    sources: pathlib.Path
    folder: pathlib.Path  # for the dumps
    engine: str     # as in writers.PINNED; or `Chromium` or `Rakudo`, which must be installed
    script: str     # the program's main file
    load: list = ()     # what is sent to the program: texts with the first number and the number after the last one
    warm_up: list = ()  # the same, before the first snapshot. Without it, there is only a snapshot after the load

    @property
    def main(self):
        return self.sources / self.script

    @property
    def writer(self):
        """Nothing if the engine is not among those that are installed from npm."""
        return next((writer for writer in writers.PINNED if f"{writer.product} {writer.version}" == self.engine), None)

    def path_of(self, number):
        extension = "mvmheap" if self.engine == "Rakudo" else "heapsnapshot"
        return self.folder / f"{self.name}-{number}.{extension}"

    @property
    def loads(self):
        """What is sent before each snapshot; there is none after a load that is empty."""
        return [self.warm_up, self.load]

    @property
    def files(self):
        """The dumps, oldest first."""
        return [self.path_of(number) for number in ([1, 2] if self.warm_up else [2])]


class InThreeSnapshots:
    """A program with a snapshot in the middle of the load, too."""

    @property
    def loads(self):
        return [self.warm_up, *divide(self.load, 2)] if self.warm_up else divide(self.load, 3)

    @property
    def files(self):
        return [self.path_of(number) for number in ([2] if self.engine == "Rakudo" else [1, 2, 3])]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Case(Program):
    """A program with a planted leak."""
    kind: str       # of the leak
    holder: str     # what holds the memory, as a person would say it
    holds: str      # the type of what it holds
    share: float    # what it retains after the load, in percent of the heap, as measured
    named: list     # alternatives: lists of names, all of which occur in an answer that names the leak
    # For JavaScript: the beginnings of the right lines of each file. They are the declarations of the holder and of its
    # class, the functions of its scope, and the lines that add to it.
    places: dict = dataclasses.field(default_factory=dict)

    def find_lines(self):
        """The places as `file:line`."""
        return [f"{file}:{self.find_line(file, text)}" for file, texts in self.places.items() for text in texts]

    def find_line(self, file, text):
        lines = (self.sources / file).read_text(encoding="utf-8").split("\n")
        found = [number for number, line in enumerate(lines, 1) if line.strip().startswith(text)]
        if len(found) != 1:
            raise ValueError(f"{self.name}: found {len(found)} lines of {file} that begin with {text}, expected 1")
        return found[0]

    def is_named_by(self, text):
        return any(all(re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) for name in names)
                   for names in self.named)


def divide(load, count):
    """The load in that many equal parts."""
    return [[(text, first + (end - first) * i // count, first + (end - first) * (i + 1) // count)
             for text, first, end in load] for i in range(count)]


class GuardedCase(InThreeSnapshots, Case):
    pass


class SoundProgram(InThreeSnapshots, Program):
    """A program without a leak."""


def read_programs(folder, pattern, kind):
    for path in sorted(HERE.glob(pattern)):
        name = path.parent.name
        yield kind(name=name, sources=path.parent, folder=folder / name,
                   **tomllib.loads(path.read_text(encoding="utf-8")))


def read_cases(folder, kind=Case):
    """All cases, whose dumps are in subfolders of the folder."""
    return read_programs(folder, "programs/*/leak.toml", kind)


def read_sound_programs(folder):
    """The programs without leaks that have folders of their own; all others are steps for sound/steps.js."""
    return read_programs(folder, "sound/*/program.toml", SoundProgram)
