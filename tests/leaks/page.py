"""Compares the examples in docs/leaks.md with the programs and with the answers about their dumps."""
import re
import shlex

import judge

SECTION = re.compile(r"^## .*?(?=^## |\Z)", re.M | re.S)
PROGRAM = re.compile(r"^```(?:js|raku)\n(.*?)^```", re.M | re.S)
ANSWER = re.compile(r"^\$ heapcheck suspects (.*)\n(.*\n.*)", re.M)
NUMBER = re.compile(r"\d[\d,.:]*\d|\d")


def find_example(case, text):
    """The section of the page about a case, and the first two lines of its answer, the second of which is the
    fingerprint; nothing if there is none."""
    files = shlex.join(file.name for file in case.files)
    for section in SECTION.findall(text):
        answer = ANSWER.search(section)
        if answer and answer[1] == files:
            return section, answer[2]
    return None


def find_unknown_lines(case, section):
    """The lines of the program in the section that are not in its sources. A line with an ellipsis is shortened."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in case.sources.iterdir())
    known = {line.strip() for line in sources.split("\n")}
    lines = (line.strip() for block in PROGRAM.findall(section) for line in block.split("\n"))
    return [line for line in lines if line not in known and "\u2026" not in line]


def find_other_answer(case, heapcheck, text):
    """The sentence and the fingerprint that heapcheck begins with, if the sentence differs from the one on the page in
    more than its numbers, or the fingerprint differs at all."""
    example = find_example(case, text)
    if not example:
        return None
    lines = judge.ask(heapcheck, ["suspects", *case.files])[0].split("\n")[:2]
    sentence, fingerprint = example[1].split("\n")
    is_same = NUMBER.sub("N", lines[0]) == NUMBER.sub("N", sentence) and lines[1:] == [fingerprint]
    return None if is_same else "\n".join(lines)
