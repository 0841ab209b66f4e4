#!/usr/bin/env bash
# Checks, converts and recovers dumps written by the installed Rakudo.
# usage: rakudo.sh HEAPCHECK; exits with 77, which ctest shows as skipped, if raku is not installed
set -euo pipefail

# shellcheck source=tests/live/support.sh
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/support.sh"
require raku

# count_snapshots FILE
count_snapshots() {
  "$heapcheck" info --output json "$1" 2>/dev/null | grep -c '"collectables"' || true
}

# convert_round FILE: converts the file to every version and back; the tables and graphs must not change.
convert_round() {
  local from=$1 to
  for to in mvmheap-v1 mvmheap-v2 mvmheap-v2:increments mvmheap-v3; do
    "$heapcheck" convert "$from" -o "round.$to" --to "$to" --allow-loss --quiet || (($? == 3)) || fail "convert to $to"
    expect_sound "round.$to"
    from=round.$to
  done
  "$heapcheck" convert round.mvmheap-v3 -o back --to mvmheap-v1 --allow-loss --quiet || (($? == 3))
  cmp back round.mvmheap-v1 || fail "the dump changed while it was converted through the versions"
}

echo "== a program that ends"
raku --profile=normal.mvmheap -e 'my %h = (^2000).map({ "key $_" => [$_, $_ + 1] }); say %h.elems'
expect_sound normal.mvmheap
expect 0 info normal.mvmheap
convert_round normal.mvmheap
expect 0 recover normal.mvmheap -o recovered.mvmheap
expect_sound recovered.mvmheap

echo "== many snapshots"
raku --profile=many.mvmheap -e 'use nqp; my @kept; for ^5 { @kept.push("x" x 1000 * $_); nqp::force_gc() }; say +@kept'
expect_sound many.mvmheap
(($(count_snapshots many.mvmheap) >= 5)) || fail "fewer snapshots than garbage collections"
convert_round many.mvmheap

echo "== a leak"
cat >leak.raku <<'END'
use nqp;
class Entry { has $.key; has @.data }
class Cache { has %.entries; method put($i) { %!entries{"k$i"} = Entry.new(key => "k$i", data => [^20]) } }
my $cache = Cache.new;
nqp::force_gc();
$cache.put($_) for ^6000;
nqp::force_gc();
END
raku --profile=leak.mvmheap leak.raku
expect_suspect Entry "--[ \$cache ]-->" leak.mvmheap

echo "== a program that is killed"
raku --profile=killed.mvmheap -e 'use nqp; loop { nqp::force_gc() }' &
writer=$!
for ((i = 0; i < 600; ++i)); do
  size=$(stat -c %s killed.mvmheap 2>/dev/null || echo 0)
  ((size < 60000000)) || break
  sleep 0.1
done
kill -KILL "$writer"
wait "$writer" 2>/dev/null || true
writer=
expect 1 validate killed.mvmheap
expect 3 recover killed.mvmheap -o recovered.mvmheap
expect_sound recovered.mvmheap
(($(count_snapshots recovered.mvmheap) >= 1)) || fail "no snapshot was recovered"
echo "== all well"
