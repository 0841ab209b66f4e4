"""The calls of heapcheck that programs.py makes once: its help, its rules, configuration, and all options with right
and wrong values."""
import itertools
import json
import os
import re
import shlex
import subprocess

from calls import CONFIG, Call, split

# The dumps of the calls that are made once: copies, because some options replace them.
CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../corpus")
DUMPS = {"moar": "mvmheap/v2/seed/layout-c.mvmheap",
         "bad": "mvmheap/v2/seed/cut.mvmheap",
         "v8": "v8/heapsnapshot/seed/small.heaptimeline",
         "profile": "v8/heapprofile/seed/small.heapprofile",
         "chrome": "chrome/legacy/seed/hierarchy.json"}
DUMPS = {name: "<" + os.path.join(CORPUS, path) for name, path in DUMPS.items()}

BROKEN_CONFIGS = ['ignore = [', 'ignore = "nothing.*"', 'ingore = []', 'fail-level = "fatal"', 'max-per-rule = -1',
                  'max-per-rule = "x"', 'severity = ["json"]', 'severity = ["json=loud"]', 'for = "nobody"',
                  '[[override]]\nignore = ["json"]', '[[override]]\npaths = []', '[override]\npaths = ["*"]', "\udcff"]

# The arguments that a command needs in addition to the option that is tried.
ARGUMENTS = {"validate": "bad", "convert": "moar --to mvmheap-v1 -o out", "recover": "bad -o out", "top": "v8 objects",
             "tree": "profile", "find": "v8 nodes", "count": "v8 nodes", "show": "v8 row:0", "path": "v8 row:0",
             "retainers": "v8 row:0", "diff": "v8 v8", "export": "moar --to csv -o out", "report": "moar -o out",
             "rules": "", "explain": "json.document.truncated", "config": "", "completion": "bash"}
# A line of the help of a command: its short and long name, and its choices or placeholder.
OPTION = r"^  (?:(-\w),)?--([a-z-]+)((?: [^\s,]+,)*(?: [^\s,]+)?)(?:  |$)"
# Values that most options do not take.
VALUES = ["", " ", "x", "-1", "0", "1", "2", "1.5", "100", "1001", "1K", "512M", "1Q", "1e3", "99999999999999999999",
          "0x10", "1/2", "0/2", "3/2", "1/", "json", "txt", "json=note", "json=loud", "jsn",
          "[a", "out", "no/out", "moar"]
# Words completed with the tab key, an earlier line that is changed, and misspelt words.
KEYS = ("to\t", "o\t", "b\t\t", "co\t\n", "top st\t\t", "\n", "find nodes na\t", "\t\n", "pth\n", "\x10\x01x\n",
        "s\t\t\b", "more\n", "find objects type=\t\t", "\n", "show row:1 --l\t\n", "exit\n")


def ask(program, words):
    return subprocess.run([program, *words], capture_output=True, text=True, errors="replace").stdout


def misspellings(word):
    return [word[:-1], word + "x", word[1:], word[:2] + word[3:], word[:1] + word[1:3][::-1] + word[3:], word.upper()]


def try_options(command, text, known):
    """The options in the text of `heapcheck COMMAND --help`, with right and wrong values; with fewer if known."""
    needed = shlex.split(ARGUMENTS.get(command, "moar"))
    yield from ([command, *needed[:end]] for end in range(len(needed) + 1))
    yield [command, *needed, "--help"]
    yield [command, "-h"]
    yield [command, *needed, "extra"]
    yield [command, *needed, "-x"]
    yield [command, *needed, "--"]
    for short, name, value in re.findall(OPTION, text, re.M):
        option = "--" + name
        is_known = (name, value) in known
        known.add((name, value))
        yield from ([command, *needed, "--" + word] for word in misspellings(name)[:1 if is_known else None])
        yield [command, *needed, option]
        yield [command, *needed, option + "="]
        yield [command, *needed, option, option]
        choices = re.split(r", |\|", value.strip())
        words = VALUES + choices + [word for choice in choices[:2] for word in misspellings(choice)]
        for word in ["x", "-1", choices[-1]] if is_known else words:
            yield [command, *needed, option, word]
        yield [command, *needed, f"{option}={choices[0]}"]
        yield [command, *needed, option, choices[0], option, choices[-1]]
        yield [command, *needed, option, "1", option, "2"]
        if short:
            yield [command, *needed, short]
            yield [command, *needed, short + choices[0]]


def once(program):
    """The calls that are about the program: its help, its rules, wrong usage."""
    commands = re.findall(r"^  ([a-z]+)  +[A-Z]", ask(program, ["--help"]).partition("Subcommands:")[2], re.M)
    usage = [[], ["--help"], ["-h"], ["--version"], ["--version", "--verbose"], ["--verbose"], ["--versoin"], ["help"],
             ["--version", "x"], ["validate", "--version"], ["nonsense"], [""], ["-"], ["--"], ["moar"]]
    known = set()
    for command in commands:
        usage += [[word] for word in misspellings(command)]
        usage += try_options(command, ask(program, [command, "--help"]), known)
    for words in usage:
        yield Call("usage", words, files=DUMPS)
    for name in DUMPS:
        for line in split("validate X missing\ninfo X\nsummary X\nreport X -o X\nrecover X -o X\ntree X\nshell X"):
            yield Call("usage", [name if word == "X" else word for word in line], files=DUMPS)
    for name in ("moar", "v8", "profile"):
        yield Call("terminal", ["shell", name], files=DUMPS, keys=KEYS)
    rules = json.loads(ask(program, ["rules", "--output", "json"]))
    patterns = ["", "mvm3", "json.*", "mvm[12].*", "v8*", "nothing", "*", "mvm3.tok", "[", "json,mvm3"]
    for form, pattern in itertools.product(["text", "json", "md"], patterns):
        yield Call("rules", ["rules", *([pattern] if pattern else []), "--output", form])
    for word in [rule["id"] for rule in rules] + patterns + misspellings(rules[0]["id"]):
        yield Call("rules", ["explain", word])
    for shell in ["bash", "zsh", "fish", "bsh", "powershell"]:
        yield Call("usage", ["completion", shell])
    for config in [CONFIG, *BROKEN_CONFIGS]:
        files = {**DUMPS, ".heapcheck.toml": config, "old/bad": DUMPS["bad"]}
        for words in split("""
config
config --output json
config bad
config old/bad --output json
config --no-config
config missing
validate bad old/bad v8
validate old --no-config
validate bad --for all --ignore mvm2 --output json
validate bad --config missing
"""):
            yield Call("config", words, files=files)
