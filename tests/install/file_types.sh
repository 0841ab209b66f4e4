#!/usr/bin/env bash
# Checks that file(1) and the shared MIME database recognise dumps with packaging/heapcheck.magic and .xml.
# Exits with 77, which ctest shows as skipped, if neither is installed.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failed=0
tried=0

# expect NAME FOUND EXPECTED
expect() {
  [[ $2 == "$3" ]] || {
    printf 'FAILED: %s: found %s, expected %s\n' "$1" "$2" "$3" >&2
    failed=1
  }
}

# Each line: a file of the corpus, its type for file(1), and its MIME type (- if it has no MIME type of its own).
mapfile -t samples <<'END'
mvmheap/v1/seed/moar-2016.04-small.txt|MoarVM heap dump, version 1|-
mvmheap/v2/seed/moar-2018.03-small.mvmheap|MoarVM heap dump, version 2|application/x-moarvm-heap-dump
mvmheap/v3/seed/cut.mvmheap|MoarVM heap dump, version 3|application/x-moarvm-heap-dump
v8/heapsnapshot/seed/chrome-64.heapsnapshot|V8 heap snapshot or timeline|application/x-v8-heap-snapshot+json
v8/heapsnapshot/seed/cut.heaptimeline|V8 heap snapshot or timeline|application/x-v8-heap-snapshot+json
v8/heapprofile/seed/node-20-default.heapprofile|V8 sampling heap profile|application/x-v8-heap-profile+json
chrome/legacy/seed/chrome-64-small.json|Chrome trace, which may have heap dumps|-
END

if command -v file >/dev/null; then
  tried=1
  file --compile --magic-file packaging/heapcheck.magic 2>"$scratch/warnings" >&2 || true
  rm -f -- heapcheck.magic.mgc
  expect 'file --compile' "$(cat "$scratch/warnings")" ''
  for sample in "${samples[@]}"; do
    IFS='|' read -r path type _ <<<"$sample"
    expect "$path" "$(file --brief --exclude json --magic-file packaging/heapcheck.magic "corpus/$path")" "$type"
  done
  # Other files keep their types.
  for path in README.md spec/report.schema.json corpus/manifest.tsv; do
    expect "$path" "$(file --brief --exclude json --magic-file packaging/heapcheck.magic "$path" | grep -cE 'MoarVM|V8|Chrome')" 0
  done
fi

if command -v update-mime-database >/dev/null; then
  tried=1
  mkdir -p -- "$scratch/data/mime/packages"
  cp -- packaging/heapcheck.xml "$scratch/data/mime/packages"
  expect 'update-mime-database' "$(XDG_DATA_HOME=$scratch/data update-mime-database "$scratch/data/mime" 2>&1)" ''
  for sample in "${samples[@]}"; do
    IFS='|' read -r path _ type <<<"$sample"
    [[ $type != - ]] || continue
    expect "glob for $path" "$(grep -cxF "50:$type:*.${path##*.}" "$scratch/data/mime/globs2")" 1
    if command -v gio >/dev/null; then
      # Without the extension, only the content determines the type.
      cp -- "corpus/$path" "$scratch/dump"
      found=$(XDG_DATA_HOME=$scratch/data gio info --attributes standard::content-type "$scratch/dump" |
        sed -n 's/^ *standard::content-type: //p')
      expect "content of $path" "$found" "$type"
    fi
  done
fi
((tried)) || exit 77
exit "$failed"
