// Compares where two installed packages write, one with the program and one with the module: files that exist already,
// links, pipes and folders. No device is used, because a mistake would replace it.
//
//     node bindings/npm/try_outputs.mjs WITH-PROGRAM WITH-MODULE
import assert from 'node:assert/strict';
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {fileURLToPath, pathToFileURL} from 'node:url';

const [withProgram, withModule] = process.argv.slice(2).map((folder) => path.resolve(folder));
const corpus = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../corpus');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'heapcheck-'));
process.umask(0o22);

const convert = ['convert', 'in', '--to', 'mvmheap-v3', '--quiet', '-o'];
const recover = ['recover', 'in', '--quiet', '-o'];
const validate = ['validate', 'in', '--no-config', '--output-file'];

/** Each case: the words, the expected status, and how to prepare the folder. */
const cases = [
  [[...convert, 'out'], 0, () => {}],
  [[...convert, 'out'], 0, () => fs.chmodSync('in', 0o600)],
  [[...convert, 'out'], 0, () => fs.writeFileSync('out', 'old', {mode: 0o640})],
  [[...validate, 'out'], 0, () => fs.writeFileSync('out', 'old', {mode: 0o600})],
  [[...convert, 'out', '--keep-times'], 0, () => fs.utimesSync('in', 1000, 2000)],
  [[...convert, 'link'], 0, () => fs.symlinkSync('target', 'link')],
  [[...recover, 'folder/link'], 0, () => {
    fs.mkdirSync('folder');
    fs.writeFileSync('target', 'old');
    fs.symlinkSync('../target', 'folder/link');
  }],
  [[...convert, 'link'], 2, () => fs.symlinkSync('link', 'link')],
  [[...convert, 'folder'], 2, () => fs.mkdirSync('folder')],
  [[...recover, 'link'], 2, () => fs.symlinkSync('.', 'link')],
  [[...validate, 'folder'], 2, () => fs.mkdirSync('folder')],
  [[...convert, 'missing/out'], 2, () => {}],
  [[...convert, 'missing/'], 2, () => {}],
  [[...convert, 'pipe'], 0, () => execFileSync('mkfifo', ['pipe'])],
  [[...convert, 'link'], 0, () => {
    execFileSync('mkfifo', ['pipe']);
    fs.symlinkSync('pipe', 'link');
  }],
  [[...validate, 'pipe'], 0, () => execFileSync('mkfifo', ['pipe'])],
  [[...recover, 'pipe'], 2, () => execFileSync('mkfifo', ['pipe'])],
];

const hash = (file) => createHash('sha256').update(fs.readFileSync(file)).digest('hex');

/** The files in the folder: types, permissions, times that were set, and content. */
function list() {
  return fs.readdirSync('.').map((name) => {
    const found = fs.lstatSync(name);
    const content = found.isFile() ? hash(name) : found.isSymbolicLink() ? fs.readlinkSync(name) : '';
    const time = found.mtimeMs < 1e7 ? found.mtimeMs : 'now';
    return {name, mode: found.mode.toString(8), time, content};
  });
}

/** Runs the command of an installed package in a folder that was prepared. If there is a pipe, it has a reader. */
async function run(installed, words, prepare) {
  const folder = fs.mkdtempSync(path.join(scratch, 'case-'));
  process.chdir(folder);
  fs.copyFileSync(path.join(corpus, 'mvmheap/v3/seed/moar-2022.12-nqp.mvmheap'), 'in');
  prepare();
  const received = path.join(scratch, 'received');
  const read = ['60', 'sh', '-c', 'exec cat pipe >"$1"', 'sh', received];  // a pipe that was replaced never ends
  const reader = fs.existsSync('pipe') ? spawn('timeout', read) : null;
  const command = path.join(installed, 'node_modules/.bin/heapcheck');
  const {status, stdout, stderr} = spawnSync(command, words, {encoding: 'latin1'});
  // The program opens the pipe to find out that it cannot be used; the module does not.
  if (status !== 0) reader?.kill();
  if (reader && reader.exitCode === null) await once(reader, 'exit');
  return {status, stdout, stderr, files: list(), received: reader && hash(received)};
}

for (const [words, status, prepare] of cases) {
  const [expected, found] =
      [await run(withProgram, words, prepare), await run(withModule, words, prepare)];
  assert.equal(expected.status, status, `heapcheck ${words.join(' ')}: ${expected.stderr}`);
  assert.deepEqual(found, expected, `heapcheck ${words.join(' ')}`);
}

// A signal in the middle of the output leaves no file.
process.chdir(fs.mkdtempSync(path.join(scratch, 'case-')));
const writer = pathToFileURL(path.join(withModule, 'node_modules/heapcheck/command/write_file.mjs'));
const endless = `import {writeFile} from ${JSON.stringify(writer.href)};
await writeFile('out', (function* () { for (;;) { yield 'x'; console.log('written'); } })());`;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', endless]);
  await once(child.stdout, 'data');
  assert.equal(fs.readdirSync('.').length, 1);
  child.kill(signal);
  child.stdout.resume();
  assert.deepEqual(await once(child, 'exit'), [null, signal]);
  assert.deepEqual(fs.readdirSync('.'), []);
}

process.chdir(os.tmpdir());
fs.rmSync(scratch, {recursive: true});
console.log(`${cases.length} outputs are as expected`);
