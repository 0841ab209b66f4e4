#!/usr/bin/env python3
"""check_schema.py SCHEMA [FILE]: checks a JSON document (from standard input if there is no FILE) against the
schema. check_schema.py --list FILE: makes the checks in a list, each line of which has `accept` or `refuse`, a schema,
a document and a description of the check, separated by tabs. Exits with status 77 if there is no jsonschema, so that
the test is skipped."""
import functools
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


@functools.cache
def make_validator(path):
    schema = load(path)
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    return validator(schema)


def find_errors(schema, path):
    errors = sorted(make_validator(schema).iter_errors(load(path)), key=lambda error: error.json_path)
    return [f"{error.json_path}: {error.message}" for error in errors[:20]]


def find_wrong_checks(path):
    with open(path, encoding="utf-8") as file:
        checks = [line.rstrip("\n").split("\t") for line in file]
    if not checks:
        yield f"{path} is empty"
    for verdict, schema, document, words in checks:
        errors = find_errors(schema, document)
        if verdict == "accept":
            yield from (f"{words}: {error}" for error in errors)
        elif not errors:
            yield f"{words} does not violate {schema}"


if sys.argv[1] == "--list":
    lines = list(find_wrong_checks(sys.argv[2]))
else:
    lines = find_errors(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else 0)
for line in lines:
    print(line)
sys.exit(1 if lines else 0)
