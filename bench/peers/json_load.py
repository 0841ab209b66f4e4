"""Reads a JSON file with a module that has the interface of Python's own:

    json_load.py MODULE FILE
"""
import importlib
import sys

module = importlib.import_module(sys.argv[1])
with open(sys.argv[2], "rb") as file:
    sys.exit(0 if module.loads(file.read()) else 1)
