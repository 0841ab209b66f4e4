// Compares the command lines of two installed packages, one with the program and one with the module: they must have
// the same output, messages and exit statuses. What only the program can do must be refused by the other.
//
//     node bindings/npm/try_command_line.mjs WITH-PROGRAM WITH-MODULE
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const [withProgram, withModule] = process.argv.slice(2).map((folder) => path.resolve(folder));
const corpus = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../corpus');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'heapcheck-'));
const [v3, cut, snapshot, trace] = [
  'mvmheap/v3/seed/moar-2022.12-nqp.mvmheap', 'mvmheap/v3/seed/cut.mvmheap',
    'v8/heapsnapshot/seed/node-16.heapsnapshot',
  'chrome/legacy/seed/chrome-64-small.json',
].map((file) => path.join(corpus, file));
const cutSnapshot = path.join(corpus, 'v8/heapsnapshot/seed/cut.heaptimeline');
const headless = path.join(scratch, 'headless');  // a dump of which nothing can be kept
fs.writeFileSync(headless, fs.readFileSync(cut).subarray(0, 40));
// A damaged trace without heap dumps.
const cycle = path.join(scratch, 'cycle.json');
fs.writeFileSync(cycle, JSON.stringify({traceEvents: [{
  pid: 7, tid: 7, ts: 5, ph: 'M', cat: 'x', name: 'stackFrames',
  args: {stackFrames: {0: {name: 'a', parent: '1'}, 1: {parent: '0'}}},
}]}));
const compressed = path.join(corpus, 'v8/whole/node-16.heapsnapshot.zst');
const unknown = fileURLToPath(import.meta.url);
const output = path.join(scratch, 'output');
const empty = path.join(scratch, 'empty');
fs.writeFileSync(empty, '');
fs.mkdirSync(path.join(scratch, 'd'));
fs.copyFileSync(cut, path.join(scratch, 'd/cut'));
fs.symlinkSync('cut', path.join(scratch, 'd/other'));
fs.symlinkSync('d', path.join(scratch, 'link'));

const same = [
  [], ['--help'], ['--version'], ['validate', '--help'], ['suspects', '-h'], ['vlaidate'], ['validate'],
  ['validate', '--ouptut', 'json', 'x'], ['validate', '--output', 'xml', 'x'], ['validate', '--output=', 'x'],
  ['validate', 'missing'], ['validate', '/proc/version'], ['validate', empty], ['validate', unknown],
  ['validate', '--limit', '3', 'x'], ['validate', '-x', 'y'],
  ['validate', v3], ['validate', cut], ['validate', '--quiet', v3, cut], ['validate', '--exit-zero', cut],
  ['validate', '--hide', 'note', trace], ['validate', '--select', 'mvm3.toc', cut],
  ['validate', '--for', 'devtools', snapshot], ['validate', '--for', 'foo', snapshot],
  ['validate', '--select', 'foo', 'missing'], ['validate', '--select', 'mvm3.tco', 'missing'],
  ['validate', '--ignore', 'mvm3.toc.entry-ned', 'missing'], ['validate', '--severity', 'jsn.*=note', 'missing'],
  ['validate', '--severity', 'mvm3.toc=wraning', 'missing'],
  ['validate', '--select', 'input.unknown-format', 'missing'],
  ['validate', '--select', 'limit', 'missing'], ['validate', '--ignore', 'mvm3.toc,foo', cut],
  ['validate', '--severity', 'foo=warning', cut], ['validate', '--severity', 'mvm3.toc=foo', cut],
  ['validate', '--severity', 'mvm3.file=warning', cut], ['validate', '--max-memory', '1', snapshot],
  ...['json', 'ndjson', 'sarif', 'junit', 'github', 'gitlab'].map(
      (form) => ['validate', '--output', form, cut, trace, snapshot]),
  ['validate', '--statistics', cut, trace], ['validate', '--color', 'always', cut],
  ['validate', path.join(corpus, 'mvmheap/v3')],
  ['validate', path.join(corpus, 'chrome'), '--exclude', '*.json'], ['validate', compressed, '-'],
  ['validate', path.join(corpus, '../packaging/debian')],
  ['summary', v3], ['summary', v3, '--output', 'json'], ['summary', cut], ['summary', '--force', cut],
  ['summary', trace], ['top', cycle, 'types', '--force'], ['top', cycle, 'types'],
  ['summary', 'missing'], ['summary', unknown], ['summary'], ['summary', v3, 'evry', '2'],
  ['summary', v3, 'every', '1'],
  ['summary', '-'], ['top', v3], ['top', snapshot, 'types', 'by', 'count'], ['top', snapshot, 'typse'], ['tree', trace],
  ['suspects', '--share', '1', snapshot], ['suspects', '--share', '0', snapshot], ['find', snapshot],
  ['find', snapshot, 'objects size>100', '--output', 'csv'], ['find', snapshot, 'size>>'], ['show', snapshot, 'zz'],
  ['count', snapshot, 'objects', 'size>100'], ['retained', compressed, '--limit', '5'], ['path', snapshot, '@3'],
  ...['text', 'markdown', 'sarif', 'junit', 'github', 'gitlab'].map(
      (form) => ['suspects', snapshot, '--fail-on', 'retained > 1', '--output', form]),
  ['diff', v3, v3], ['growth', v3, v3], ['diff', v3], ['duplicates', snapshot, '--output', 'ndjson'],
  ['convert', v3], ['convert', v3, '--to', 'x'], ['convert', v3, '--to', 'mvmheap-v2'],
  ['convert', v3, '--to', 'mvmheap-v2', '-o', output], ['convert', cut, '--to', 'mvmheap-v2', '-o', output],
  ['convert', v3, '--to', 'mvmheap-v2', '--allow-loss', '-o', output],
  ['convert', v3, '--to', 'mvmheap-v3', '-o', output],
  ['convert', snapshot, '--to', 'heapsnapshot', '-o', output],
  ['convert', snapshot, '--to', 'mvmheap-v2', '-o', output],
  ['convert', v3, '--to', 'mvmheap-v1', '--allow-loss', '--quiet', '-o', '-'],
  ['convert', v3, '--to', 'mvmheap-v3', '-o', v3],
  ['recover', cut, '--quiet', '-o', output], ['recover', cut, '-o', output],
  ['recover', trace, '-o', output], ['recover', headless, '-o', output], ['recover', headless, '--quiet', '-o', output],
  ['recover', cut, '--output', 'json', '-o', output], ['recover', headless, '--output', 'json', '-o', output],
  ['recover', cutSnapshot, '-o', output], ['recover', v3, '--to', 'mvmheap-v1', '-o', output], ['recover', cut],
  ['recover', cut, '-o', '-'],
  // Words that look like options, and options that do not exist.
  ...[['-1'], ['-1x'], ['-.5'], ['-o'], ['---x'], ['-'], ['--', '-1'], ['1', '-2'], ['-h', '--limit', 'x']].map(
      (words) => ['show', v3, ...words]),
  ['summary', '-1'], ['validate', '-12', '-3'], ['summary', v3, '-1'], ['find', v3, '-1'],
  ['top', v3, 'types', 'by', 'size', '-1'], ['convert', '-1', '--to', 'mvmheap-v1', '-o', '-1/x'],
  ['validate', v3, '--output-file', '-1/x'],
  ...[
    '-q', '-V', '-H', '-j1', '-hx', '-=', '---quiet', '--verbose', '--vesrion', '--levle', '--level', '--=', '--=x',
  ].map((word) => ['validate', word, v3]),
  ['-'], ['--'], ['-v'], ['-x'], ['--verbos'], ['--verbose'], ['recover', '-o', '--', 'x'], ['recover', '-o', '-h'],
  ['validate', '--', '-h'], ['validate', '--', '--output='],
  ['convert', v3, '--to', 'mvmheap-v1', '-o', output, '--in-place', '--foo'],
  // Values of options.
  ...[
    '0', '-1', '-1K', ' 0K ', '010', '0x10', '1e3', '', 'K', '--', '15E', '16E', '18446744073709551615', '9'.repeat(30),
  ].map((size) => ['summary', v3, '--max-memory', size]),
  ...['-1', '9E', '1K'].map((size) => ['convert', trace, '--to', 'heapprofile', '--threshold', size, '-o', output]),
  ...['1e1', '+5', '5.', '.5', '.', '-0', '101', '0x5'].map((share) => ['suspects', snapshot, '--share', share]),
  ...['true', 'No', '0', '12', '-3', 'x', 'xx'].map((value) => ['validate', `--quiet=${value}`, v3]),
  ['validate', '--quiet', '--quiet=no', v3], ['convert', v3, '--to', 'mvmheap-v2', '--in-place=x'],
  ['validate', v3, '--max-per-rule', '-1'], ['validate', v3, '--max-per-rule', '08'],
  // Paths that lead to no file.
  ...['', '.', scratch, `${empty}/x`, '-1'].flatMap((file) => [
    ['top', file, 'objects'], ['diff', v3, file], ['validate', file], ['recover', file, '-o', output],
    ['convert', file, '--to', 'mvmheap-v2', '-o', output], ['convert', file, '--to', 'mvmheap-v2', '--in-place'],
  ]),
  // Several paths to one file.
  ['validate', 'd/../d/cut', 'd/cut', 'd', path.join(scratch, 'd/cut'), 'link/cut', '-', './-', 'none/x', 'none//x'],
  ['validate', 'd/cut', 'd/cut/', ''],
  // Outputs that cannot be written, although there may be nothing to write.
  ...['missing/x', scratch, `${empty}/x`].flatMap((out) => [
    ...[cut, headless, trace, snapshot, 'missing'].map((file) => ['recover', file, `-o=${out}`]),
    ['recover', v3, '--to', 'mvmheap-v1', '-o', out], ['convert', v3, '--to', 'mvmheap-v3', '-o', out],
    ['convert', v3, '--to', 'mvmheap-v2', '-o', out], ['validate', v3, '--output-file', out],
  ]),
];
const onlyProgram = [
  ['info', v3], ['rules'], ['explain', 'mvm3.toc'], ['export', v3, '--to', 'csv', '-o', output], ['shell', v3],
  ['validate', '--cache', scratch, v3], ['validate', '--for', 'all', v3], ['summary', '--timeout', '5', v3],
  ['suspects', v3, '--summary', output], ['--version', '--verbose'],
];

/** Runs the command of an installed package: `{status, stdout, stderr, written}`. */
function run(folder, words) {
  fs.rmSync(output, {force: true});
  const {status, stdout, stderr} = spawnSync(path.join(folder, 'node_modules/.bin/heapcheck'), words, {
    cwd: scratch,
    input: words.includes('-') && words[0] !== 'convert' ? fs.readFileSync(v3) : '',
    env: {PATH: process.env.PATH, HOME: scratch},
    maxBuffer: 1 << 28,
  });
  const written = fs.existsSync(output) ? fs.readFileSync(output) : null;
  const toText = (bytes) => bytes?.toString('latin1');
  return {status, stdout: toText(stdout), stderr: toText(stderr), written: toText(written)};
}

const statuses = new Set();
let differences = 0;
function report(words, what, found, expected) {
  ++differences;
  const show = (value) => String(value).slice(0, 600);
  console.log(`heapcheck ${words.join(' ')}: ${what}: found\n${show(found)}\nexpected\n${show(expected)}`);
}

for (const words of same) {
  const [expected, found] = [run(withProgram, words), run(withModule, words)];
  statuses.add(found.status);
  for (const what of Object.keys(expected)) {
    if (found[what] !== expected[what]) report(words, what, found[what], expected[what]);
  }
}
for (const words of onlyProgram) {
  const {status, stdout, stderr} = run(withModule, words);
  if (status !== 2 || stdout !== '' || !stderr.includes('only in the program'))
    report(words, 'refusal', `${status}\n${stdout}${stderr}`, '2, and a message about the program');
}
for (const status of [0, 1, 2, 3, 4, 5]) if (!statuses.has(status)) report([], 'statuses', [...statuses], status);
fs.rmSync(scratch, {recursive: true});
console.log(`${same.length + onlyProgram.length} command lines, ${differences} differences`);
process.exit(differences === 0 ? 0 : 1);
