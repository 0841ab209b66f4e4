// Compares the module with the program: the same reports and answers, byte for byte.
//
//     node bindings/wasm/compare.mjs PROGRAM MODULE [FILE...]
//
// Without files, uses files of all formats from the corpus, whole and damaged. Exits with 1 if anything differs.
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {HeapcheckError, startHeapcheck} from './module.mjs';

const corpus = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../corpus');
const files = [
  'mvmheap/v1/seed/moar-2017.08-small.txt', 'mvmheap/v2/seed/moar-2018.03-small.mvmheap',
  'mvmheap/v2/seed/moar-2017.10-unfinished.mvmheap', 'mvmheap/v3/seed/moar-2022.12-nqp.mvmheap',
  'mvmheap/v3/seed/cut.mvmheap', 'chrome/legacy/seed/chrome-64-small.json', 'chrome/heaps_v2/seed/chrome-120-processes.json',
  'chrome/trace/seed/cut.json', 'v8/heapsnapshot/seed/chrome-64.heapsnapshot', 'v8/heapsnapshot/seed/node-16.heapsnapshot',
  'v8/heapsnapshot/seed/node-24-stacks.heaptimeline', 'v8/heapsnapshot/seed/cut.heaptimeline',
  'v8/heapprofile/seed/chrome-156.heapprofile', 'v8/whole/node-16.heapsnapshot.zst',
];
// Each question, as the program's words and as the module's options.
const questions = [
  ['summary', [], {}],
  ['top', ['types'], {what: 'types'}],
  ['tree', [], {}],
  ['suspects', ['--share', '1'], {share: 1}],
  ['retained', ['--limit', '30'], {limit: 30}],
  ['duplicates', ['--limit', '30'], {limit: 30}],
  ['unreachable', ['--limit', '30'], {limit: 30}],
  ['find', ['objects size>100'], {query: 'objects size>100'}],
];

/** A source that reads a file piece by piece. */
function openFile(file) {
  const descriptor = fs.openSync(file);
  return {
    size: fs.fstatSync(descriptor).size,
    read: (offset, buffer) => fs.readSync(descriptor, buffer, 0, buffer.length, offset),
  };
}

/** What the program prints, or null if it refuses. */
function runProgram(program, words) {
  return spawnSync(program, [...words, '--output', 'json'], {encoding: 'utf8', maxBuffer: 1 << 30}).stdout || null;
}

/** What the module answers, or null if it refuses. */
function tryModule(call) {
  try {
    return call();
  } catch (error) {
    if (error instanceof HeapcheckError) return null;
    throw error;
  }
}

function compare(heapcheck, program, file) {
  let differences = 0;
  let answers = 0;
  const check = (what, expected, found) => {
    if (expected !== null) ++answers;
    if (expected === found) return;
    ++differences;
    console.log(`${file}: ${what}: found\n${String(found).slice(0, 400)}\nexpected\n${String(expected).slice(0, 400)}`);
  };
  const dump = tryModule(() => heapcheck.open(openFile(file), {name: file}));
  check('validate', runProgram(program, ['validate', file]),
        dump && heapcheck.call({call: 'validate', dump: dump.id}));
  if (!dump) return {differences, answers};
  for (const [question, words, options] of questions) {
    const found =
        tryModule(() => heapcheck.call({call: 'ask', question, dumps: [String(dump.id)], options}));
    check(question, runProgram(program, [question, file, ...words]), found);
  }
  dump.close();
  return {differences, answers};
}

const [program, module, ...given] = process.argv.slice(2);
const heapcheck = await startHeapcheck(fs.readFileSync(module));
const compared = given.length ? given : files.map((file) => path.join(corpus, file));
let differences = 0;
let answers = 0;
for (const file of compared) {
  const result = compare(heapcheck, program, file);
  differences += result.differences;
  answers += result.answers;
}
console.log(`${compared.length} files, ${answers} reports and answers, ${differences} differences`);
process.exit(differences === 0 && answers > compared.length ? 0 : 1);
