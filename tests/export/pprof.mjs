// Exports dumps for pprof, reads the files with the package pprof-format, and compares the stacks with collapsed ones.
// usage: pprof.mjs HEAPCHECK DUMP...
// Exits with 77, which ctest shows as skipped, if the package is not installed. It is looked up in the folder
// HEAPCHECK_NODE_MODULES.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';

function loadPprofFormat() {
  try {
    return createRequire(join(process.env.HEAPCHECK_NODE_MODULES ?? process.cwd(), 'x.js'))('pprof-format');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    console.log('pprof-format is not installed');
    return process.exit(77);
  }
}

const {Profile} = loadPprofFormat();
const [heapcheck, ...dumps] = process.argv.slice(2);

function exportAs(form, dump) {
  const words = ['export', '--quiet', '--to', form, dump, '-o', '-'];
  return execFileSync(heapcheck, words, {maxBuffer: 1 << 30});
}

/** Adds up the bytes of each stack. */
function addUp(rows) {
  const stacks = new Map();
  for (const [stack, size] of rows) if (size !== 0n) stacks.set(stack, (stacks.get(stack) ?? 0n) + size);
  return stacks;
}

function readLocation(profile, location, text) {
  const [line] = location.line;
  const found = profile.function.find(made => made.id === line.functionId);
  return {id: location.id, name: text(found.name), file: text(found.filename), line: Number(line.line),
    column: Number(line.column ?? 0)};
}

/** The name of each frame in collapsed stacks, which state a column only if it tells two functions apart. */
function nameFrames(frames) {
  const sameLine = frame => frames.filter(other =>
    other.name === frame.name && other.file === frame.file && other.line === frame.line).length > 1;
  return frames.map(frame => {
    const numbers = [frame.line, sameLine(frame) ? frame.column : 0].filter(number => number !== 0);
    return [frame.id, frame.file === '' ? frame.name : `${frame.name} (${[frame.file, ...numbers].join(':')})`];
  });
}

function readPprof(data) {
  const profile = Profile.decode(gunzipSync(data));
  const text = index => profile.stringTable.strings[Number(index)];
  const types = profile.sampleType.map(made => [text(made.type), text(made.unit)]);
  assert.deepEqual(types.at(-1), ['inuse_space', 'bytes']);  // after `inuse_objects`, if the dump states their number
  assert.equal(text(profile.defaultSampleType), 'inuse_space');
  const frames = new Map(nameFrames(profile.location.map(made => readLocation(profile, made, text))));
  const escape = name => name.replaceAll(';', ':').replaceAll(/[\x00-\x1f\x7f]/g, ' ');
  return addUp(profile.sample.map(made =>
    [made.locationId.map(id => escape(frames.get(id))).reverse().join(';'), BigInt(made.value.at(-1))]));
}

function readCollapsed(data) {
  return addUp(data.toString().split('\n').slice(0, -1).map(line => {
    const blank = line.lastIndexOf(' ');
    return [line.slice(0, blank), BigInt(line.slice(blank + 1))];
  }));
}

for (const dump of dumps) {
  const stacks = readPprof(exportAs('pprof', dump));
  assert.ok(stacks.size > 0);
  assert.deepEqual(stacks, readCollapsed(exportAs('collapsed', dump)), dump);
  console.log(`${dump}: ${stacks.size} stacks`);
}
