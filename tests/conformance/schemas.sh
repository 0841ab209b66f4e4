#!/usr/bin/env bash
# schemas.sh HEAPCHECK HEAPCHECK-CONFORMANCE: checks that the manifest of an export and the JSON report on its files
# match their schemas, as do the summary of a recovery and the answers about a heap. Exits with status 77, which skips
# the test, if Python has no jsonschema.
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
heapcheck=$1
conformance=$2
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

# The script only records the checks. A single run of Python makes them at the end.
checks=$scratch/checks
mkdir -- "$checks"

count=0

# note accept|refuse SCHEMA FILE WORDS: copies the file, which the next answer replaces.
note() {
  local copy=$checks/$((++count)).json
  cp -- "$3" "$copy"
  printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$copy" "$4" >>"$checks/list"
}

# check SCHEMA FILE: fails unless the file matches the schema.
check() { note accept "$1" "$2" "${2##*/}"; }

# refuse SCHEMA SED-SCRIPT FILE: fails unless the file, changed by the script, violates the schema.
refuse() {
  sed -- "$2" "$3" >"$scratch/changed"
  note refuse "$1" "$scratch/changed" "${3##*/} after $2"
}

"$conformance" export "$scratch/cases"
manifest=$scratch/cases/manifest.json
check "$root/conformance/manifest.schema.json" "$manifest"
refuse "$root/conformance/manifest.schema.json" 's/"not valid"/"invalid"/' "$manifest"

report=$scratch/report.json
: >"$scratch/empty"
# A name in a path of the report may contain any character.
sed 's/"malloc"/"mal\\nl\\u2028oc"/g' "$scratch/cases/chrome/heaps_v2/columns/sum.json" >"$scratch/cases/line-feed.json"
"$heapcheck" validate --output json "$scratch/cases" "$scratch/empty" "$scratch/none" >"$report" 2>"$scratch/words" || true
for verdict in valid 'not valid' 'not well-formed' undecided unreadable; do
  grep -qF "\"verdict\": \"$verdict\"" "$report"
done
grep -qF '"path": "/traceEvents/0/args/dumps/heaps_v2/allocators/mal\nl' "$report"
check "$root/spec/report.schema.json" "$report"
refuse "$root/spec/report.schema.json" 's/"offset": [0-9]*/"offset": -1/' "$report"

readers=$scratch/readers.json
"$heapcheck" validate --for all --output json "$root/corpus/mvmheap/v2/seed" "$root/corpus/chrome/legacy/seed" \
  "$scratch/empty" "$root/corpus/v8/heapprofile/seed" >"$readers" 2>"$scratch/words" || (($? == 4))
for fit in opens misreads fails unread; do
  grep -qF "\"fit\": \"$fit\"" "$readers"
done
check "$root/spec/readers.schema.json" "$readers"
"$heapcheck" validate --for all --output json --max-memory 1K "$root/corpus/mvmheap/v1/seed" >"$readers" || (($? == 5))
grep -qF '"fit": "undecided"' "$readers"
check "$root/spec/readers.schema.json" "$readers"
refuse "$root/spec/readers.schema.json" 's/"opens"/"loads"/' "$readers"

page=$scratch/page.json
for dump in mvmheap/v2/seed/moar-2018.03-small.mvmheap v8/heapprofile/seed/small.heapprofile \
  v8/heapsnapshot/seed/node-10.heapsnapshot; do
  "$heapcheck" report --json "$root/corpus/$dump" -o - >"$page"
  check "$root/spec/heap-report.schema.json" "$page"
done
refuse "$root/spec/heap-report.schema.json" 's/"of": "dominators"/"of": "nothing"/' "$page"

recovery=$scratch/recovery.json
for damaged in mvmheap/v3/seed/cut.mvmheap chrome/trace/seed/cut.json v8/heapsnapshot/seed/cut.heaptimeline; do
  "$heapcheck" recover --output json "$root/corpus/$damaged" -o "$scratch/recovered" >"$recovery" || (($? == 3))
  check "$root/spec/recovery.schema.json" "$recovery"
done
refuse "$root/spec/recovery.schema.json" 's/"is_least": false/"is_least": 0/' "$recovery"

printf 'ignore = "json"\nmax-per-rule = 3\nfail-level = "note"\n' >"$scratch/config.toml"
"$heapcheck" config --config "$scratch/config.toml" --output json >"$scratch/config.json"
check "$root/spec/config.schema.json" "$scratch/config.json"
refuse "$root/spec/config.schema.json" 's/"line": [0-9]*/"line": 0/' "$scratch/config.json"

# ask COMMAND FILE [WORD...]: checks the answer of a question.
ask() {
  "$heapcheck" "$@" --output json >"$scratch/$1.json"
  check "$root/spec/answers/$1.schema.json" "$scratch/$1.json"
}

for dump in mvmheap/v3/seed/two-snapshots.mvmheap v8/heapsnapshot/seed/node-10.heapsnapshot \
  v8/heapsnapshot/seed/node-24-stacks.heaptimeline; do
  dump=$root/corpus/$dump
  ask summary "$dump"
  ask top "$dump" objects by count
  ask find "$dump" nodes
  ask count "$dump" nodes
  ask show "$dump" row:0
  ask path "$dump" row:1 --paths 3
  ask path "$dump" --merged nodes
  ask path "$dump" row:1
  ask retainers "$dump" row:1
  ask suspects "$dump" --share 1
  ask leaks "$dump"
  ask retained "$dump"
  ask dominators "$dump"
  ask unreachable "$dump"
  echo snapshots | "$heapcheck" shell "$dump" --output json >"$scratch/snapshots.json"
  check "$root/spec/answers/snapshots.schema.json" "$scratch/snapshots.json"
  for command in summary top find count show path retainers suspects leaks retained dominators snapshots; do
    refuse "$root/spec/answers/$command.schema.json" '0,/: [0-9][0-9]*/s//: -1/' "$scratch/$command.json"
  done
done
ask duplicates "$root/corpus/v8/heapsnapshot/seed/node-10.heapsnapshot"
refuse "$root/spec/answers/duplicates.schema.json" '0,/"wasted": [0-9]*/s//"wasted": -1/' "$scratch/duplicates.json"
for dump in chrome/legacy/seed/chrome-64-small.json v8/heapprofile/seed/node-20-default.heapprofile; do
  dump=$root/corpus/$dump
  ask summary "$dump"
  ask top "$dump" frames by cumulative
  ask diff "$dump" --snapshots 0,0
  ask growth "$dump"
  ask tree "$dump" --inverted
  refuse "$root/spec/answers/tree.schema.json" '0,/"cumulative": [0-9]*/s//"cumulative": -1/' "$scratch/tree.json"
done
ask growth "$root/corpus/mvmheap/v3/seed/two-snapshots.mvmheap"
ask diff "$root/corpus/mvmheap/v3/seed/two-snapshots.mvmheap" "$root/corpus/mvmheap/v2/seed/moar-2018.03-small.mvmheap"
for command in growth diff; do
  refuse "$root/spec/answers/$command.schema.json" '0,/"trend": "[a-z]*"/s//"trend": ""/' "$scratch/$command.json"
done

python3 "$root/tests/support/check_schema.py" --list "$checks/list"
