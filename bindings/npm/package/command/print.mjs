// Output of the command line: text and bytes for standard output, and messages for standard error.
import fs from 'node:fs';
import process from 'node:process';

export const status = {sound: 0, findings: 1, usage: 2, lossy: 3, unreadable: 4, undecided: 5};

/** The exit status for a dump that could not be read, from an error of the module. */
export function statusOf(kind) {
  if (kind === 'limit' || kind === 'timeout') return status.undecided;
  return kind === 'unsupported' ? status.usage : status.unreadable;
}

/** Writes everything, also to a pipe that is full at the moment. A pipe that its reader closed takes nothing. */
function writeAll(descriptor, bytes) {
  for (let offset = 0; offset < bytes.length;) {
    try {
      offset += fs.writeSync(descriptor, bytes, offset);
    } catch (error) {
      if (error.code === 'EPIPE') return;
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

export const toBytes = (piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);

export const writeOutput = (piece) => writeAll(1, toBytes(piece));
export const printNote = (text) => writeAll(2, toBytes(text));

/** The text on one line, with control characters escaped. */
const escape = (text) =>
    text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);

export const printError = (text) => printNote(`heapcheck: ${escape(text)}\n`);
/** The path, which cannot be taken for an option. */
export const toSafePath = (file) => (/^(:|-.)/s.test(file) ? `./${file}` : file);
export const printFileError = (file, why) =>
    printError(file === '' ? 'the path of a file is empty' : `${toSafePath(file)}: ${why}`);

/** Whether to use colours on standard output. */
export function wantsColor(mode) {
  if (mode !== 'auto') return mode === 'always';
  if (process.env.NO_COLOR) return false;
  if (process.env.FORCE_COLOR) return true;
  return process.stdout.isTTY === true && process.env.TERM !== 'dumb';
}

/** Whether both paths lead to the same file. */
export function isSameFile(a, b) {
  try {
    const [first, second] = [fs.statSync(a, {bigint: true}), fs.statSync(b, {bigint: true})];
    return first.dev === second.dev && first.ino === second.ino;
  } catch {
    return false;
  }
}

const reasons = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EISDIR: 'Is a directory',
  ENOTDIR: 'Not a directory',
  ELOOP: 'Too many levels of symbolic links',
  ENOSPC: 'No space left on device',
  EPIPE: 'Broken pipe',
};
/** Why a call of the system failed, in the words of the system. */
export const describeFailure = (error) => reasons[error.code] ?? error.message;
