// Opens the dumps that a command line names.
import fs from 'node:fs';

import {fromChunks, openFile, readToEnd} from '../inputs.mjs';
import {HeapcheckError} from '../module.mjs';
import {describeFailure} from './print.mjs';

function openSource(file) {
  try {
    return file === '-' ? fromChunks(readToEnd(0)) : openFile(file);
  } catch (error) {
    throw new HeapcheckError('unreadable', error.code === 'EISDIR' ? 'is a folder, not a file' :
                                                                    `cannot be opened: ${describeFailure(error)}`);
  }
}

/** Opens a dump with the limits from the command line: `{dump, close()}`. Throws a HeapcheckError. */
export function openDump(heapcheck, file, values) {
  const source = openSource(file);
  try {
    const dump = heapcheck.open(
        source, {name: file, maxMemory: values.get('max-memory'), maxExpanded: values.get('max-expanded')});
    return {
      dump,
      close() {
        dump.close();
        source.close?.();
      },
    };
  } catch (error) {
    source.close?.();
    throw error;
  }
}

/** The size of a regular file; undefined for other files. */
export function countBytes(file) {
  try {
    const found = fs.statSync(file);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}
