#!/usr/bin/env python3
"""Prints how many functions there are in the given folders, and the median, the 90th and 99th percentile and the
maximum of their lengths in lines.

    tests/project/function_lengths.py [--top N] [--root TREE] [FOLDER...]

Counts from the line with a function's name to the line with its closing brace, in the .cpp and .hpp files below the
folders (by default, those of the library). Lambdas count as part of the function around them. Needs Universal Ctags
(Debian: universal-ctags), which knows where a definition ends.
"""
import argparse
import json
import pathlib
import subprocess
import sys

LIBRARY = ["heapcheck", "formats", "graph", "validate", "convert", "recover", "analyze", "export"]


def find_functions(files):
    command = ["ctags", "--languages=C++", "--langmap=C++:.cpp.hpp", "--c++-kinds=f", "--fields=+ne",
               "--output-format=json", "-f", "-", "-L", "-"]
    names = "\n".join(map(str, files))
    output = subprocess.run(command, input=names, capture_output=True, text=True, check=True).stdout
    for tag in map(json.loads, output.splitlines()):
        if "end" in tag:
            yield tag["end"] - tag["line"] + 1, f"{tag['path']}:{tag['line']}: {tag['name']}"


def percentile(lengths, share):
    return lengths[min(len(lengths) - 1, int(len(lengths) * share))]


def main():
    parser = argparse.ArgumentParser(description="Prints statistics about the lengths of functions.")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    parser.add_argument("--top", type=int, default=0, help="also list the longest N")
    parser.add_argument("folders", nargs="*", default=LIBRARY)
    options = parser.parse_args()
    folders = [options.root / folder for folder in options.folders]
    files = sorted(f for folder in folders for ending in ("*.cpp", "*.hpp") for f in folder.rglob(ending))
    functions = sorted(find_functions(files))
    if not functions:
        sys.exit("no functions were found")
    lengths = [length for length, _ in functions]
    print(f"{len(lengths)} functions, median {percentile(lengths, 0.5)}, 90th percentile "
          f"{percentile(lengths, 0.9)}, 99th {percentile(lengths, 0.99)}, longest {lengths[-1]} lines")
    for length, place in reversed(functions[-options.top:] if options.top else []):
        print(f"{length:4} {place}")


if __name__ == "__main__":
    main()
