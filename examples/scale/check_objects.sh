#!/bin/sh
# Checks the objects of a bucket whose keys are in KEYS, one on each line, and writes the report to REPORT. The report
# names the objects by their keys, in the order of KEYS. Needs space for one object at a time in $TMPDIR. Exits with the
# status for all objects together. If an object cannot be copied, exits with 2 and writes no report.
# usage: check_objects.sh s3://BUCKET KEYS REPORT [OPTION-OF-HEAPCHECK...]
set -eu
bucket=$1 keys=$(realpath -- "$2") report=$(realpath -- "$3")
shift 3

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 130' INT TERM
mkdir -- "$scratch/dumps"
cd -- "$scratch/dumps"
: >"$scratch/report"
statuses=' '
while IFS= read -r key || [ -n "$key" ]; do
  # Here, a key is a path, which must not lead out of the folder. If it ends with a slash, it is a folder.
  case /$key/ in
    *[!/]//) continue ;;
    *//* | */./* | */../*)
      echo "check_objects.sh: $key: found a key that is not a plain relative path" >&2
      exit 2
      ;;
  esac
  mkdir -p -- "$(dirname -- "./$key")"
  aws s3 cp --only-show-errors "$bucket/$key" "./$key" </dev/null || exit 2
  status=0
  printf '%s\0' "$key" | heapcheck validate --output ndjson "$@" --files-from - >>"$scratch/report" || status=$?
  case $status in
    0 | 1 | 4 | 5) statuses="$statuses$status " ;;
    *) exit 2 ;;
  esac
  rm -f -- "./$key"
done <"$keys"

mv -- "$scratch/report" "$report.new"
mv -- "$report.new" "$report"
for status in 1 5 4; do
  case $statuses in *" $status "*) exit "$status" ;; esac
done
