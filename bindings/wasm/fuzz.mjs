// Compares the module with the program for damaged files: changes bytes, blocks and words of small files of all formats
// at random, and compares the reports, and an answer about the intact parts of each. It is not a libFuzzer target, because
// the module runs in an engine for JavaScript, in which libFuzzer cannot observe it.
//
//     node bindings/wasm/fuzz.mjs PROGRAM MODULE SECONDS [SEED]
//
// Exits with 1 if anything differs. The inputs that differ are kept in build/fuzz-wasm.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {fileURLToPath} from 'node:url';

import {compareFile, isSameReport, questions} from './compare_file.mjs';
import {startHeapcheck} from './module.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.join(root, 'build/fuzz-wasm');
const mostBytes = 100_000;  // of a seed, so that many inputs are tried

/** All small files in the folders of seeds. */
function listSeeds() {
  const seeds = [];
  for (const entry of fs.readdirSync(path.join(root, 'corpus'), {recursive: true})) {
    const file = path.join(root, 'corpus', String(entry));
    if (path.basename(path.dirname(file)) === 'seed' && fs.statSync(file).size <= mostBytes) seeds.push(file);
  }
  return seeds.sort();
}

/** Random numbers that are the same for the same seed (mulberry32). The function returns one below `most`. */
function makeRandom(seed) {
  let state = seed >>> 0;
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) % Math.max(most, 1);
  };
}

const interesting = [
  '0', '-1', '4294967296', '18446744073709551615', '1e309', '""', 'null', '[', '{', '\u0000', '\\ud800',
];

/** The kinds of damage. Each takes the bytes and returns others. */
const damages = [
  (bytes, random) => {
    const from = random(bytes.length);
    return Buffer.from(bytes).fill(random(256), from, Math.min(from + 1, bytes.length));
  },
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => {
    const [from, count, to] = [random(bytes.length), random(200), random(bytes.length)];
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from, from + count), bytes.subarray(to)]);
  },
  (bytes, random) => {
    const from = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random(50))]);
  },
  (bytes, random) => {
    const from = random(bytes.length);
    const word = Buffer.from(interesting[random(interesting.length)]);
    return Buffer.concat([bytes.subarray(0, from), word, bytes.subarray(from + random(word.length + 1))]);
  },
];

function damage(bytes, random) {
  let damaged = bytes;
  for (let count = 1 + random(3); count > 0; --count) damaged = damages[random(damages.length)](damaged, random);
  return damaged;
}

const [program, module, seconds, seed = '1'] = process.argv.slice(2);
const code = await WebAssembly.compile(fs.readFileSync(module));
const random = makeRandom(Number(seed));
const seeds = listSeeds();
const end = Date.now() + Number(seconds) * 1000;
const work = path.join(folder, `inputs-${seed}`);
fs.mkdirSync(work, {recursive: true});
// Starting the program takes most of the time, so that it checks several files at once, and answers one question each.
const batch = 50;
const totals = {inputs: 0, answers: 0, failures: 0};
let heapcheck;

function fail(input, what, detail) {
  const kept = path.join(folder, `different-${seed}-${++totals.failures}`);
  fs.copyFileSync(input.file, kept);
  console.log(`${kept}, from ${path.relative(root, input.from)}: ${what}: ${detail}`);
}

/** Compares one input. If the module ends, starts it again. */
async function compareInput(input, options) {
  const report = (what, expected, found) =>
      fail(input, what, `found\n${String(found).slice(0, 400)}\nexpected\n${String(expected).slice(0, 400)}`);
  try {
    totals.answers += compareFile(heapcheck, program, input.file, report, {isForced: true, ...options});
  } catch (error) {
    fail(input, 'the module ended', error.message);
    heapcheck = await startHeapcheck(code);
  }
}

function isReportSame(inputs) {
  try {
    return isSameReport(heapcheck, program, inputs.map(({file}) => file));
  } catch {
    return false;
  }
}

while (Date.now() < end) {
  heapcheck = await startHeapcheck(code);  // memory that was used once is never given back
  const inputs = Array.from({length: batch}, (_, i) => {
    const input = {file: path.join(work, String(i)), from: seeds[random(seeds.length)]};
    fs.writeFileSync(input.file, damage(fs.readFileSync(input.from), random));
    return input;
  });
  totals.inputs += batch;
  const isSame = isReportSame(inputs);
  if (isSame) totals.answers += batch;
  else heapcheck = await startHeapcheck(code);
  for (const input of inputs)
    await compareInput(input, {asked: [questions[random(questions.length)]], skipsReport: isSame});
}
fs.rmSync(work, {recursive: true});
console.log(`${totals.inputs} inputs, ${totals.answers} reports and answers, ${totals.failures} differences`);
process.exit(totals.failures === 0 ? 0 : 1);
