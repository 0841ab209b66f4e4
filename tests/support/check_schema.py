#!/usr/bin/env python3
"""check_schema.py SCHEMA [FILE]: checks a JSON document (from standard input if there is no FILE) against the
schema. Exits with status 77 if there is no jsonschema, so that the test is skipped."""
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
with open(sys.argv[2] if len(sys.argv) > 2 else 0, encoding="utf-8") as file:
    document = json.load(file)

validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
errors = sorted(validator(schema).iter_errors(document), key=lambda error: error.json_path)
for error in errors[:20]:
    print(f"{error.json_path}: {error.message}")
sys.exit(1 if errors else 0)
