#!/usr/bin/env bash
# scripts.sh HEAPCHECK: checks that the commands in spec/at-scale.md, and the scripts that they use, have the same
# results as single runs. A fake `aws` copies from a folder.
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
heapcheck=$(readlink -f -- "$1")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch"

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

# expect_status STATUS COMMAND...
expect_status() {
  local expected=$1 status=0
  shift
  "$@" || status=$?
  ((status == expected)) || fail "$*: found exit status $status, expected $expected"
}

# block N: the Nth block of commands of the page.
block() {
  awk -v wanted="$1" '/^```$/ { inside = 0 } inside && count == wanted; /^```sh$/ { inside = 1; count++ }' \
    "$root/spec/at-scale.md" >"block-$1"
  [[ -s block-$1 ]] || fail "the page has no block $1"
  printf 'block-%s' "$1"
}

mkdir bin bucket dumps
ln -s -- "$root/examples" examples
ln -s -- "$heapcheck" bin/heapcheck
cat >bin/aws <<'AWS'
#!/bin/sh
case $1 in
  s3api) cd bucket && find . -type f | sed 's|^./||' | LC_ALL=C sort ;;
  *) case $4 in s3://bucket/*) cp -- "$BUCKET/${4#s3://bucket/}" "$5" ;; *) exit 1 ;; esac ;;
esac
AWS
chmod +x bin/aws
export PATH=$scratch/bin:$PATH BUCKET=$scratch/bucket
for number in {1..20}; do
  seed='minimal'
  ((number % 7)) || seed='cut'
  {
    cat -- "$root/corpus/mvmheap/v3/seed/$seed.mvmheap"
    ((number % 7)) || printf '%*s' "$number" ''
  } >"dumps/$number.mvmheap"
done
: >dumps/empty.mvmheap
mkdir -- "bucket/a b" bucket/c
cp -- dumps/*.mvmheap 'bucket/a b'
cp -- dumps/1.mvmheap bucket/c
expect_status 1 heapcheck validate --output ndjson dumps >single.ndjson
LC_ALL=C sort single.ndjson >sorted.ndjson

# has_all REPORT: checks that the report has the lines of a single run.
has_all() { LC_ALL=C sort -- "$1" | cmp -- sorted.ndjson -; }

sh "$(block 1)"
expect_status 1 sh "$(block 2)"
has_all report.ndjson

rm -r parts
for SLURM_ARRAY_TASK_ID in {1..5}; do
  SLURM_ARRAY_TASK_ID=$SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT=5 sh "$(block 3)"
done
expect_status 1 examples/scale/merge_parts.sh 5 parts >report.ndjson
has_all report.ndjson

# If a part is missing, there is no result.
for spoil in 'rm parts/3.status' 'echo 2 >parts/3.status' 'echo 137 >parts/3.status' 'rm parts/3.ndjson'; do
  cp -r parts kept
  eval "$spoil"
  expect_status 2 examples/scale/merge_parts.sh 5 parts >report.ndjson 2>words
  [[ ! -s report.ndjson ]] || fail "$spoil: found a report, expected none"
  grep -q '^merge_parts.sh: part 3 of 5: found ' words || fail "$spoil: found $(cat words)"
  rm -r parts
  mv kept parts
done
for statuses in '0 0 0' '0 4 4' '4 5 5' '5 1 1'; do
  read -r first second whole <<<"$statuses"
  echo "$first" >parts/1.status
  echo "$second" >parts/2.status
  expect_status "$whole" examples/scale/merge_parts.sh 2 parts >report.ndjson
done

# Objects.
rm -r parts
sh "$(block 4)"
for I in {1..8}; do I=$I sh "$(block 5)"; done
expect_status 1 examples/scale/merge_parts.sh 8 parts >report.ndjson
(cd bucket && expect_status 1 heapcheck validate --output ndjson --files-from ../keys.txt >../single.ndjson)
(($(wc -l <single.ndjson) == 22)) || fail "found $(wc -l <single.ndjson) objects, expected 22"
cmp -- single.ndjson report.ndjson
printf 'a b/\na b/1.mvmheap' >few
expect_status 0 examples/scale/check_objects.sh s3://bucket few few.ndjson
(($(wc -l <few.ndjson) == 1)) || fail "found $(cat few.ndjson), expected one line"
for key in nothing ../bucket/c/1.mvmheap /etc/passwd - ''; do
  printf 'c/1.mvmheap\n%s\n' "$key" >wrong
  expect_status 2 examples/scale/check_objects.sh s3://bucket wrong wrong.ndjson 2>words
  [[ ! -e wrong.ndjson ]] || fail "$key: found a report, expected none"
done
