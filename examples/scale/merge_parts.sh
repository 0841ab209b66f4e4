#!/bin/sh
# Merges the reports of all parts, which are FOLDER/I.ndjson with the exit status in FOLDER/I.status, for I from 1 to
# COUNT. Prints them one after another, and exits with the status for all parts together. If a part is missing or has
# failed, prints nothing to standard output and exits with 2.
# usage: merge_parts.sh COUNT FOLDER
set -eu
count=$1 folder=$2

statuses=' ' number=1
while [ "$number" -le "$count" ]; do
  status=$(cat -- "$folder/$number.status" 2>/dev/null) || status=none
  case $status in
    0 | 1 | 4 | 5) statuses="$statuses$status " ;;
    *)
      echo "merge_parts.sh: part $number of $count: found exit status $status, expected 0, 1, 4 or 5" >&2
      exit 2
      ;;
  esac
  if [ ! -f "$folder/$number.ndjson" ]; then
    echo "merge_parts.sh: part $number of $count: found no report, expected $folder/$number.ndjson" >&2
    exit 2
  fi
  number=$((number + 1))
done

number=1
while [ "$number" -le "$count" ]; do
  cat -- "$folder/$number.ndjson"
  number=$((number + 1))
done
for status in 1 5 4; do
  case $statuses in *" $status "*) exit "$status" ;; esac
done
