// Compares the module with the program: the same reports and answers, byte for byte.
//
//     node bindings/wasm/compare.mjs PROGRAM MODULE [FILE...]
//
// Without files, uses files of all formats from the corpus, whole and damaged. Exits with 1 if anything differs.
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {compareFile} from './compare_file.mjs';
import {startHeapcheck} from './module.mjs';

const corpus = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../corpus');
const files = [
  'mvmheap/v1/seed/moar-2017.08-small.txt', 'mvmheap/v2/seed/moar-2018.03-small.mvmheap',
  'mvmheap/v2/seed/moar-2017.10-unfinished.mvmheap', 'mvmheap/v3/seed/moar-2022.12-nqp.mvmheap',
  'mvmheap/v3/seed/cut.mvmheap', 'chrome/legacy/seed/chrome-64-small.json',
  'chrome/heaps_v2/seed/chrome-120-processes.json', 'chrome/trace/seed/cut.json',
  'v8/heapsnapshot/seed/chrome-64.heapsnapshot', 'v8/heapsnapshot/seed/node-16.heapsnapshot',
  'v8/heapsnapshot/seed/node-24-stacks.heaptimeline', 'v8/heapsnapshot/seed/cut.heaptimeline',
  'v8/heapprofile/seed/chrome-156.heapprofile', 'v8/whole/node-16.heapsnapshot.zst',
];

const [program, module, ...given] = process.argv.slice(2);
const heapcheck = await startHeapcheck(fs.readFileSync(module));
const compared = given.length ? given : files.map((file) => path.join(corpus, file));
let differences = 0;
let answers = 0;
for (const file of compared) {
  answers += compareFile(heapcheck, program, file, (what, expected, found) => {
    ++differences;
    console.log(`${file}: ${what}: found\n${String(found).slice(0, 400)}\nexpected\n${String(expected).slice(0, 400)}`);
  });
}
console.log(`${compared.length} files, ${answers} reports and answers, ${differences} differences`);
process.exit(differences === 0 && answers > compared.length ? 0 : 1);
