// Runs a step three times, takes a snapshot after each, and throws if the heap does not meet the rules.
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const v8 = require('node:v8');

// `take` writes a snapshot to a path. By default, it is one of this process.
exports.assertNoLeak = async (step, { rules = path.join(__dirname, 'leaks.toml'), take = v8.writeHeapSnapshot } = {}) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'heap-'));
  try {
    const files = [];
    for (const number of [1, 2, 3]) {
      await step();
      files.push(path.join(folder, `${number}.heapsnapshot`));
      await take(files.at(-1));
    }
    const program = process.env.HEAPCHECK ?? 'heapcheck';
    const done = spawnSync(program, ['assert', ...files, '--rules', rules], { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.error?.message ?? done.stdout + done.stderr);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
};

// Writes a snapshot of a page that Playwright or Puppeteer controls, over a session of the DevTools protocol.
exports.takeOfPage = async (session, file) => {
  const chunks = [];
  const add = ({ chunk }) => chunks.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', add);
  await session.send('HeapProfiler.takeHeapSnapshot');
  session.off('HeapProfiler.addHeapSnapshotChunk', add);
  fs.writeFileSync(file, chunks.join(''));
};
