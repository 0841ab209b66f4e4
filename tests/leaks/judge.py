"""Asks heapcheck for the suspects in the dumps of a case, and compares its answer with what is true."""
import dataclasses
import json
import re
import shlex
import subprocess

# A command that the output names, up to the end of the line or of the quotes around it.
COMMAND = re.compile(r"\bheapcheck (suspects|growth|retained|path|top|dominators|diff)\b([^\n`]*)")
OPTION = re.compile(r"--[a-z-]+(?:[ =]\d+)?")
SHARE = re.compile(r"--share[ =]\d+")
PLACE = re.compile(r"([\w.-]+\.m?js):(\d+)")


@dataclasses.dataclass
class Judgement:
    """Whether an answer names the leak: `yes`, `by command` or `no`; and what it names before the leak, or instead of
    it."""
    found: str = "no"
    places: list = dataclasses.field(default_factory=list)
    right_place: str = "no"  # or where a right place is: in the `reason`, or only in the `path`
    before: list = dataclasses.field(default_factory=list)


def ask(heapcheck, arguments):
    """The text of the answer, and the answer as JSON."""
    texts = []
    for form in ("text", "json"):
        done = subprocess.run([heapcheck, *map(str, arguments), "--no-progress", "--output", form], capture_output=True,
                              text=True, errors="replace")
        if done.returncode:
            raise ValueError(f"heapcheck {shlex.join(map(str, arguments))} exits with {done.returncode}: {done.stderr}")
        texts.append(done.stdout)
    return texts[0], json.loads(texts[1])


def find_places(value):
    """All places in a part of an answer, as `file:line`: objects with the members `file` and `line`, and places in
    texts. Files are named without their folder."""
    if isinstance(value, dict):
        if isinstance(value.get("file"), str) and value.get("line") is not None:
            yield f"{value['file'].rsplit('/', 1)[-1]}:{value['line']}"
        for member in value.values():
            yield from find_places(member)
    elif isinstance(value, list):
        for item in value:
            yield from find_places(item)
    elif isinstance(value, str):
        yield from (f"{file}:{line}" for file, line in PLACE.findall(value))


def words_of(value):
    """The texts in a part of an answer that name something: not the keys, and not the places."""
    if isinstance(value, dict):
        for key, member in value.items():
            if key != "place":
                yield from words_of(member)
    elif isinstance(value, list):
        for item in value:
            yield from words_of(item)
    elif isinstance(value, str):
        yield value


def rows_of(answer):
    """The rows of an answer, whatever the question was: its first list of objects."""
    return next((value for value in answer.values() if isinstance(value, list) and
                 all(isinstance(row, dict) for row in value)), [])


def find_command(text, asked):
    """The arguments of the command that the text names for seeing more, or nothing. The text need not repeat the files,
    and may name only the option --share with a number."""
    command = COMMAND.search(text)
    share = SHARE.search(text)
    if command and command[1] == asked[0] or not command and share:
        options = OPTION.findall(command[2]) if command else [share[0]]
        return [*asked, *(word for option in options for word in re.split("[ =]", option))]
    return [command[1], *shlex.split(command[2])] if command else None


def find_right_place(case, row):
    lines = set(case.find_lines())
    own = {name: value for name, value in row.items() if name != "path"}
    if lines & set(find_places(own)):
        return "reason"
    return "path" if lines & set(find_places(row)) else "no"


def find_least(heapcheck, case):
    """Half of what the leak retains, in bytes. A row about less is about a small part of it, or about something near
    it."""
    snapshots = ask(heapcheck, ["summary", case.files[-1]])[1]["snapshots"]
    return snapshots[-1]["size"] * case.share / 200


def look_for_leak(case, rows, least, judgement):
    """Returns whether a row names the leak; adds the names of the rows before it to the judgement."""
    for row in rows:
        if row.get("retained", least) >= least and case.is_named_by("\n".join(words_of(row))):
            judgement.places = list(dict.fromkeys(find_places(row)))
            judgement.right_place = find_right_place(case, row)
            return True
        name = row.get("reason") or row.get("name") or json.dumps(row)
        # What is held may be named without its holder, which is not enough, but is not something else either.
        if row.get("name") != case.holds and name not in judgement.before:
            judgement.before.append(name)
    return False


def judge(heapcheck, case):
    """What heapcheck answers by default or, if this does not name the leak, with the command that its answer names."""
    asked, judgement = ["suspects", *case.files], Judgement()
    least = find_least(heapcheck, case)
    text, answer = ask(heapcheck, asked)
    if look_for_leak(case, rows_of(answer), least, judgement):
        judgement.found = "yes"
        return judgement
    command = find_command(text, asked)
    if command and look_for_leak(case, rows_of(ask(heapcheck, command)[1]), least, judgement):
        judgement.found = "by command"
    return judgement
