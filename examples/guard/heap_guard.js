// Runs a step three times, takes a snapshot after each, and throws if the heap does not meet the rules.
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const v8 = require('node:v8');

exports.assertNoLeak = async (step, rules = path.join(__dirname, 'leaks.toml')) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'heap-'));
  try {
    const files = [];
    for (const number of [1, 2, 3]) {
      await step();
      files.push(v8.writeHeapSnapshot(path.join(folder, `${number}.heapsnapshot`)));
    }
    const program = process.env.HEAPCHECK ?? 'heapcheck';
    const done = spawnSync(program, ['assert', ...files, '--rules', rules], { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.error?.message ?? done.stdout + done.stderr);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
};
