// Writes a file that appears under its name once it is complete.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import {describeFailure, toBytes, toSafePath, writeOutput} from './print.mjs';
import {UsageError} from './words.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Calls `use`. If it fails, the message names the file that the user named. */
function attempt(file, what, use) {
  try {
    return use();
  } catch (error) {
    if (error.syscall === undefined) throw error;
    throw new UsageError(`${toSafePath(file)}: ${what}: ${describeFailure(error)}`);
  }
}

function isLink(file) {
  try {
    return fs.lstatSync(file).isSymbolicLink();
  } catch {
    return false;  // creating the file says why
  }
}

/** Follows links, also to a file that does not exist yet. */
function resolveLinks(file) {
  let found = file;
  for (let i = 0; i < 40; ++i) {
    if (!isLink(found)) return found;
    found = path.resolve(path.dirname(found), fs.readlinkSync(found));
  }
  throw new UsageError(`${toSafePath(file)}: cannot be opened: ${describeFailure({code: 'ELOOP'})}`);
}

/** Writes the pieces. Between them, signals can arrive. */
async function writePieces(file, descriptor, pieces) {
  for (const piece of pieces) {
    const bytes = toBytes(piece);
    for (let offset = 0; offset < bytes.length;)
      offset += attempt(file, 'cannot be written', () => fs.writeSync(descriptor, bytes, offset));
    await new Promise((resolve) => { setImmediate(resolve); });
  }
}

/** The descriptor that a path such as /dev/stdout or /dev/fd/5 names. It is shared, because opening the path again
 * would start at the beginning of a file to which the shell appends. */
function findDescriptor(file) {
  if (file === '/dev/stdout') return 1;
  if (file === '/dev/stderr') return 2;
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/([0-9]+)$/.exec(file) ?? [];
  return number && Number(number);
}

/** Writes to a pipe or device, which must not be replaced with a file. */
async function writeDirectly(file, pieces, named) {
  const descriptor =
      named ?? attempt(file, 'cannot be opened', () => fs.openSync(file, fs.constants.O_WRONLY));
  try {
    await writePieces(file, descriptor, pieces);
  } finally {
    if (named === undefined) fs.closeSync(descriptor);
  }
}

/** The permissions of a file that replaces another one: those of the replaced file, but group and others can read and
 * write the new file only if `mode` allows it. */
const keepMode = (replaced, mode) => replaced & 0o777 & (mode | 0o711);

/** Calls `use` with the path of a temporary file, which is removed if `use` fails or a signal ends the process. */
async function withTemporary(target, use) {
  const random = Math.random().toString(36).slice(2, 8);
  const temporary = path.join(path.dirname(target), `.${path.basename(target).slice(0, 200)}.${random}.tmp`);
  const remove = () => {
    if (fs.existsSync(temporary)) fs.rmSync(temporary);
  };
  const end = (signal) => {
    remove();
    for (const one of signals) process.removeListener(one, end);
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, end);
  try {
    await use(temporary);
  } finally {
    remove();
    for (const signal of signals) process.removeListener(signal, end);
  }
}

async function replaceFile(file, pieces, found, mode) {
  if (found) attempt(file, 'cannot be replaced', () => fs.accessSync(file, fs.constants.W_OK));
  if (file.endsWith('/')) throw new UsageError(`${toSafePath(file)}: is the name of a folder, not of a file`);
  const target = attempt(file, 'cannot be opened', () => resolveLinks(file));
  await withTemporary(target, async (temporary) => {
    const descriptor = attempt(file, 'cannot be created', () => fs.openSync(temporary, 'wx', mode));
    try {
      if (!pieces) return;
      await writePieces(file, descriptor, pieces);
      const setMode = () => fs.fchmodSync(descriptor, keepMode(found.mode, mode));
      if (found) attempt(file, 'cannot be given its permissions', setMode);
    } finally {
      fs.closeSync(descriptor);
    }
    attempt(file, 'cannot be moved to its final name', () => fs.renameSync(temporary, target));
  });
}

/** Writes the pieces to a file; `-` is standard output. A new file has the permissions `mode`, as the umask allows. If
 * the output `isReadBack`, only a regular file can be the target. Without pieces, only tries whether the file can be
 * created. */
export async function writeFile(file, pieces, {mode = 0o666, isReadBack = false} = {}) {
  if (file === '-') {
    for (const piece of pieces) writeOutput(piece);
    return;
  }
  const named = findDescriptor(file);
  const found = attempt(file, 'cannot be opened', () => (fs.existsSync(file) ? fs.statSync(file) : undefined));
  if (found?.isDirectory()) throw new UsageError(`${toSafePath(file)}: is a folder, not a file`);
  if (named === undefined && (!found || found.isFile())) {
    await replaceFile(file, pieces, found, mode);
  } else {
    if (isReadBack) throw new UsageError(`${toSafePath(file)}: is written directly, so the output cannot be read back`);
    await writeDirectly(file, pieces, named);
  }
}
