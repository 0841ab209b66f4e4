#!/usr/bin/env python3
"""Prints the number of functions in the given folders; the median, the 90th and 99th percentile and the maximum of
their lengths in lines; and the number of functions of 20 lines or more that have a comment inside.

    tests/project/function_lengths.py [--top N] [--without-comment] [--root TREE] [FOLDER...]

Counts from the line with a function's name to the line with its closing brace, in the .cpp and .hpp files below the
folders (by default, the library's). Lambdas count as part of the function around them. Needs Universal Ctags (Debian:
universal-ctags), which reports where a definition ends.
"""
import argparse
import functools
import json
import pathlib
import re
import subprocess
import sys

LONG = 20
LIBRARY = ["include", "api", "formats", "graph", "validate", "convert", "allocations",
           "recover", "analyze", "export"]


def find_functions(files):
    command = ["ctags", "--languages=C++", "--langmap=C++:.cpp.hpp", "--c++-kinds=f", "--fields=+ne",
               "--output-format=json", "-f", "-", "-L", "-"]
    names = "\n".join(map(str, files))
    output = subprocess.run(command, input=names, capture_output=True, text=True, check=True).stdout
    for tag in map(json.loads, output.splitlines()):
        if "end" in tag:
            yield (tag["end"] - tag["line"] + 1, f"{tag['path']}:{tag['line']}: {tag['name']}",
                   has_comment(tag["path"], tag["line"], tag["end"]))


@functools.cache
def lines_of(path):
    return pathlib.Path(path).read_text().splitlines()


def has_comment(path, first, last):
    return any(re.search(r"(^|\s)//(?! NOLINT)", line) for line in lines_of(path)[first:last])


def percentile(lengths, share):
    return lengths[min(len(lengths) - 1, int(len(lengths) * share))]


def main():
    parser = argparse.ArgumentParser(description="Prints statistics about the lengths of functions.")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    parser.add_argument("--top", type=int, default=0, help="also list the longest N")
    parser.add_argument("--without-comment", action="store_true",
                        help=f"also list the functions of {LONG} lines or more without a comment")
    parser.add_argument("folders", nargs="*", default=LIBRARY)
    options = parser.parse_args()
    folders = [options.root / folder for folder in options.folders]
    files = sorted(f for folder in folders for ending in ("*.cpp", "*.hpp") for f in folder.rglob(ending))
    functions = sorted(find_functions(files))
    if not functions:
        sys.exit("no functions were found")
    lengths = [length for length, _, _ in functions]
    long = [function for function in functions if function[0] >= LONG]
    silent = [function for function in long if not function[2]]
    print(f"{len(lengths)} functions, median {percentile(lengths, 0.5)}, 90th percentile "
          f"{percentile(lengths, 0.9)}, 99th {percentile(lengths, 0.99)}, longest {lengths[-1]} lines")
    print(f"{len(long)} of {LONG} lines or more, {len(long) - len(silent)} of them with a comment inside "
          f"({100 * (len(long) - len(silent)) // max(1, len(long))} %)")
    shown = silent if options.without_comment else functions[-options.top:] if options.top else []
    for length, place, _ in reversed(shown):
        print(f"{length:4} {place}")


if __name__ == "__main__":
    main()
