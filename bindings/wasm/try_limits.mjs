// Tries what the module says if it has not enough memory for a request, or if a text would be larger than 2 GiB.
//
//     node bindings/wasm/try_limits.mjs MODULE
import assert from 'node:assert/strict';
import fs from 'node:fs';

import {HeapcheckError, startHeapcheck} from './module.mjs';

const code = await WebAssembly.compile(fs.readFileSync(process.argv[2]));
const {instantiate} = WebAssembly;

/** Starts the module, whose requests get room for so many bytes. */
async function startWithRoom(byteCounts) {
  WebAssembly.instantiate = async (...all) => {
    const {exports} = await instantiate(...all);
    return {exports: {...exports, reserve: (byteCount) => exports.reserve(byteCounts.shift() ?? byteCount)}};
  };
  return startHeapcheck(code);
}

const byteCounts = [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
const heapcheck = await startWithRoom([...byteCounts]);
for (const byteCount of byteCounts) {
  assert.throws(() => heapcheck.questions(),
                (error) => error instanceof HeapcheckError && error.kind === 'limit', `${byteCount} bytes`);
}
assert.ok(heapcheck.questions().suspects);  // it can still be used
console.log('the limits are as expected');
