#!/usr/bin/env bash
# reports.sh HEAPCHECK: checks that programs that read reports accept the reports on damaged files of the corpus, and
# count the right numbers of findings and files. Exits with status 77, which skips the test, if Python has no
# jsonschema.
set -euo pipefail

python=/usr/bin/python3 # it has the packages from Debian
[[ -x $python ]] || python=python3

root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
heapcheck=$1
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$root/corpus"

# report FORM: the report on some files of the corpus, an empty file and one that does not exist.
report() {
  "$heapcheck" validate --output "$1" mvmheap/v1/case mvmheap/v3/case chrome/legacy/case v8/heapsnapshot/case \
    "$scratch/empty" "$scratch/none" 2>"$scratch/words" || (($? == 1))
}

: >"$scratch/empty"
for form in json sarif gitlab junit github; do report "$form" >"$scratch/$form"; done
"$python" "$root/tests/support/check_schema.py" "$root/tests/support/schemas/sarif-2.1.0-rtm.5.json" "$scratch/sarif"
"$python" - "$scratch" <<'PYTHON'
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
files = json.loads((folder / "json").read_text())["files"]
findings = [finding for file in files for finding in file.get("findings", [])]
more = sum(len(file.get("more", [])) for file in files)
unread = [file for file in files if file["format"] is None]
limits = [finding for finding in findings if finding["stage"] == "limit"]
failing = [file for file in files if file["format"] is None or file["verdict"] != "valid"]
assert len(findings) > 100 and len(unread) >= 2, (len(findings), len(unread))

run = json.loads((folder / "sarif").read_text())["runs"][0]
ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
assert len(run["results"]) == len(findings) - len(limits) + more
assert all(ids[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
notes = run["invocations"][0]["toolExecutionNotifications"]
assert len([note for note in notes if "descriptor" in note]) == len(unread) + len(limits)

issues = json.loads((folder / "gitlab").read_text())
assert len(issues) == len(findings) + more + len(unread)
assert len({issue["fingerprint"] for issue in issues}) == len(issues), "fingerprints are not unique"

lines = (folder / "github").read_text().splitlines()
assert len(lines) == len(findings) + more + len(unread)
assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines)

try:
    import junitparser
except ImportError:
    sys.exit(77)
cases = [case for suite in junitparser.JUnitXml.fromfile(str(folder / "junit")) for case in suite]
failed = [case for case in cases if any(isinstance(r, (junitparser.Failure, junitparser.Error)) for r in case.result)]
assert len(cases) == len(files), (len(cases), len(files))
assert len(failed) == len(failing), (len(failed), len(failing))
PYTHON
