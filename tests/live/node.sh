#!/usr/bin/env bash
# Checks and recovers files written by the installed Node.js.
# usage: node.sh HEAPCHECK; exits with 77, which ctest shows as skipped, if node is not installed
set -euo pipefail
# shellcheck source=tests/live/support.sh
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
. "$here/support.sh"
require node

# expect_format NAME FILE
expect_format() {
  [[ $("$heapcheck" validate "$2" | tail -n 1) == "$2: $1, valid"* ]] || fail "$2 is not a valid file of the format $1"
}

# recover_cut FILE: recovers the first three quarters of the file.
recover_cut() {
  head -c $(($(stat -c %s "$1") * 3 / 4)) "$1" >cut
  expect 1 validate cut
  expect 3 recover cut -o recovered
  expect_sound recovered
  expect 0 validate --for devtools --fail-level warning recovered
}

echo "== a snapshot"
node -e 'globalThis.kept = Array.from({length: 1000}, (_, i) => ({i})); v8.writeHeapSnapshot("heap.heapsnapshot")'
expect_sound heap.heapsnapshot
expect_format heapsnapshot heap.heapsnapshot
expect 0 validate --for devtools --fail-level warning heap.heapsnapshot
expect 0 recover heap.heapsnapshot -o recovered
cmp heap.heapsnapshot recovered || fail "an intact snapshot changed when it was recovered"
recover_cut heap.heapsnapshot

echo "== a timeline with the stacks of allocations"
node "$here/track.js" track.heaptimeline
expect_sound track.heaptimeline
expect_format heapsnapshot track.heaptimeline
grep -q '"trace_tree":\[1,' track.heaptimeline || fail "no allocation was tracked"
recover_cut track.heaptimeline

echo "== a sampling profile"
node --heap-prof --heap-prof-name=sampling.heapprofile --heap-prof-interval=1024 \
  -e 'const kept = []; for (let i = 0; i < 1e5; i++) kept.push({i})'
expect_sound sampling.heapprofile
expect_format heapprofile sampling.heapprofile
recover_cut sampling.heapprofile

echo "== leaks"
cat >leak.js <<'END'
class Session { constructor(i) { this.id = i; this.data = {text: 'session ' + i, tags: [i, i + 1]}; } }
class Service { constructor() { this.sessions = new Map(); } }
globalThis.service = new Service();
const open = (from, to) => { for (let i = from; i < to; i++) service.sessions.set('s' + i, new Session(i)); };
open(0, 100);
require('v8').writeHeapSnapshot('first.heapsnapshot');
open(100, 10000);
require('v8').writeHeapSnapshot('second.heapsnapshot');
open(10000, 10100);
require('v8').writeHeapSnapshot('third.heapsnapshot');
END
node leak.js
expect_suspect Session '--[ sessions (property) ]-->' second.heapsnapshot --share 10
expect_suspect '9,900 Session' '--[ sessions (property) ]-->' first.heapsnapshot second.heapsnapshot third.heapsnapshot
cat >closures.js <<'END'
const listeners = [];
const subscribe = name => {
  const payload = new Array(100).fill(name);
  listeners.push(function onEvent() { return payload.length; });
};
for (let i = 0; i < 10000; i++) subscribe('n' + i);
globalThis.kept = listeners;
require('v8').writeHeapSnapshot('closures.heapsnapshot');
END
node closures.js
expect_suspect onEvent '--[ kept (property) ]-->' closures.heapsnapshot

echo "== a program that runs out of memory"
node --max-old-space-size=20 --heapsnapshot-near-heap-limit=1 -e 'const kept = []; for (;;) kept.push([1, 2, 3])' \
  >/dev/null 2>&1 || true
expect_sound Heap.*.heapsnapshot
echo "== all well"
