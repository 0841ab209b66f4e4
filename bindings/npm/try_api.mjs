// Tries the functions of an installed package. Run it in the folder in which the package is installed, with Node.js,
// Deno or Bun:
//
//     node try_api.mjs CORPUS
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import process from 'node:process';
import {Readable} from 'node:stream';
import {pathToFileURL} from 'node:url';

import {ask, HeapcheckError, makePage, open, questions, validate, version} from 'heapcheck';

const [v3, cut, snapshot] = [
  'mvmheap/v3/seed/moar-2022.12-nqp.mvmheap', 'mvmheap/v3/seed/cut.mvmheap',
    'v8/heapsnapshot/seed/node-16.heapsnapshot',
].map((file) => path.join(process.argv[2], file));
const bytes = new Uint8Array(fs.readFileSync(cut));

async function collect(stream) {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function expectError(kind, call) {
  await assert.rejects(async () => call(), (error) => error instanceof HeapcheckError && error.kind === kind);
}

assert.equal(version, createRequire(import.meta.url)('heapcheck/package.json').version);

// If the module cannot be started, later calls try again.
for (const name of ['compile', 'instantiate']) {
  const original = WebAssembly[name];
  WebAssembly[name] = async () => { throw new RangeError('found no memory'); };
  await assert.rejects(() => questions(), RangeError);
  WebAssembly[name] = original;
  assert.ok((await questions()).suspects);
}

// All kinds of inputs give the same report.
const report = await validate(cut);
assert.equal(report.verdict, 'not well-formed');
assert.equal(report.path, cut);
assert.equal(report.findings[0].id, 'mvm3.file.truncated');
const inputs = [
  bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), new Blob([bytes]),
    fs.createReadStream(cut),
  Readable.toWeb(fs.createReadStream(cut, {highWaterMark: 100})),
  {size: bytes.length, read: (offset, buffer) => (buffer[0] = bytes[offset], 1)},
];
for (const input of inputs) assert.deepEqual(await validate(input, {name: cut}), report);
assert.deepEqual(await validate(pathToFileURL(cut)), report);
assert.equal((await validate(pathToFileURL('/missing/a b%#'))).path, '/missing/a b%#');
assert.equal((await validate(cut, {ignore: ['mvm3.file']})).counts.error, 0);
assert.equal((await validate(cut, {severity: {'mvm3.file': 'warning'}})).counts.warning, 1);

const unreadable = await validate('missing');
assert.equal(unreadable.verdict, 'unreadable');
assert.match(unreadable.error, /No such file/);
await expectError('unreadable', () => open('missing'));
await expectError('unknown_format', () => open(new TextEncoder().encode('neither')));
await assert.rejects(async () => open(3), TypeError);

// A wrong option is not ignored, and the input is not even opened.
const wrong = [
  [{maxMemory: '1'}, TypeError], [{maxMemory: -1}, RangeError], [{maxMemory: 1.5}, RangeError], [{name: 3}, TypeError],
  [{maxPerRule: 'x'}, TypeError], [{maxPerRule: NaN}, RangeError], [{select: 'mvm3'}, TypeError],
  [{ignore: [3]}, TypeError], [{severity: 'mvm3'}, TypeError], [{severity: {mvm3: 'fatal'}}, RangeError],
  [{hide: 'error'}, RangeError], [{reader: 3}, TypeError],
];
for (const [options, expected] of wrong) await assert.rejects(() => validate('missing', options), expected);
await assert.rejects(() => open('missing', {maxMemory: 0}), RangeError);
const expectUnknown = (call, words) => assert.rejects(async () => call(), {name: 'TypeError', message: words});
await expectUnknown(() => validate('missing', {maxMemroy: 1}),
                    /^found the option maxMemroy, .*; did you mean maxMemory$/);
await expectUnknown(() => validate('missing', {fast: true}),
                    /^found the option fast, expected name, .* or maxPerRule$/);
await expectUnknown(() => open('missing', {select: ['mvm3']}), /expected name, maxMemory or maxExpanded$/);
for (const options of [{select: ['foo']}, {ignore: ['mvm3,foo']}, {severity: {foo: 'off'}}, {reader: 'foo'}])
  await expectError('unsupported', () => validate('missing', options));

// Questions, about open dumps and about inputs.
assert.ok((await questions()).suspects.includes('share'));
const dump = await open(snapshot);
assert.equal(dump.format, 'heapsnapshot');
assert.equal(dump.validate().verdict, 'valid');
await expectError('unsupported', () => dump.validate({select: ['foo']}));
const {rows} = dump.ask('retained', {limit: 3});
assert.equal(rows.length, 3);
assert.deepEqual((await ask(snapshot, 'retained', {limit: 3})).rows, rows);
assert.ok(await ask([dump, snapshot], 'diff'));
await expectError('unsupported', () => dump.ask('retaind'));
await expectUnknown(() => dump.validate({maxMemory: 1}), /^found the option maxMemory, expected reader, /);
await assert.rejects(async () => dump.ask('retained', {limt: 3}), /; did you mean limit$/);
await assert.rejects(async () => dump.validate({select: ['v8snp']}), /; did you mean v8snap$/);
await expectError('damaged', () => ask(cut, 'summary'));
assert.ok(await ask(cut, 'summary', {force: true}));
assert.match(await makePage(dump), /^<!DOCTYPE html>/i);
dump.close();
await expectError('unsupported', () => dump.validate());

// Outputs as streams.
const damaged = await open(Readable.toWeb(fs.createReadStream(cut)));
const recovered = damaged.recover();
assert.ok(recovered.hasLost && recovered.kept.length > 0);
assert.equal(recovered.firstFinding.id, 'mvm3.file.truncated');
assert.match(recovered.text, /^output: mvmheap-v3\n {2}kept: /);
assert.equal((await validate(await collect(recovered.stream))).verdict, 'valid');
damaged.close();
const whole = await open(v3);
assert.equal(whole.convert('mvmheap-v1').stream, null);
const converted = whole.convert('mvmheap-v1', {allowLoss: true});
assert.ok(converted.losses.length > 0);
assert.equal((await validate(converted.stream)).format, 'mvmheap-v1');
for (const level of [-1, 0, 20, 99]) {
  assert.throws(() => whole.convert('mvmheap-v3', {level}), RangeError);
  assert.throws(() => whole.recover({level}), RangeError);
}
assert.throws(() => whole.convert('mvmheap-v3', {level: 'x'}), TypeError);
assert.throws(() => whole.convert('mvmheap-v1', {allowLoss: 1}), TypeError);
assert.throws(() => whole.recover({to: 3}), TypeError);
await expectUnknown(() => whole.convert('mvmheap-v1', {allowLos: true}), /; did you mean allowLoss$/);
await expectUnknown(() => whole.recover({leve: 3}),
                    /^found the option leve, expected to, allowLoss or level; did you mean level$/);
const cancelled = whole.convert('mvmheap-v3');
await cancelled.stream.cancel();
await expectError('unsupported', () => whole.convert('heapsnapshot'));
await expectError('unsupported', () => whole.recover({to: 'bogus'}));
whole.close();
console.log('the functions are as expected');
