// Compares what the module and the program say about files: the reports, and the answers to all kinds of questions.
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';

import {HeapcheckError} from './module.mjs';

// Each question, as the program's words and as the module's options.
export const questions = [
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
    close: () => fs.closeSync(descriptor),
  };
}

/** What the program prints, or null if it refuses. */
function runProgram(program, words) {
  const {stdout, signal} = spawnSync(program, [...words, '--output', 'json'], {encoding: 'utf8', maxBuffer: 1 << 30});
  return signal ? `ended by ${signal}` : stdout || null;
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

/** The report on a file that cannot be opened. */
function reportUnread(heapcheck, name, {message, kind}) {
  const begin = heapcheck.beginReport({form: 'json'});
  return begin + heapcheck.addToReport({name, error: message, kind}).piece + heapcheck.endReport();
}

/** Whether the module and the program make the same report on all files, in one document. */
export function isSameReport(heapcheck, program, files) {
  let found = heapcheck.beginReport({form: 'json'});
  for (const file of files) {
    const source = openFile(file);
    const {dump, error} = openDump(heapcheck, source, file);
    const content = dump ? {dump: dump.id} : {error: error.message, kind: error.kind};
    found += heapcheck.addToReport({name: file, max_per_rule: 20, ...content}).piece;
    dump?.close();
    source.close();
  }
  return found + heapcheck.endReport() === runProgram(program, ['validate', '--no-config', ...files]);
}

/** The dump, or the error because of which it cannot be opened. */
function openDump(heapcheck, source, name) {
  try {
    return {dump: heapcheck.open(source, {name})};
  } catch (error) {
    if (error instanceof HeapcheckError) return {error};
    throw error;
  }
}

/** Compares one file, and calls `report(what, expected, found)` for each difference. With `isForced`, asks about the
 * intact parts of damaged files. `asked` are the questions, and with `skipsReport`, only these are compared. Returns the
 * number of reports and answers that the program gave. */
export function compareFile(heapcheck, program, file, report,
                            {isForced = false, asked = questions, skipsReport = false} = {}) {
  let answers = 0;
  const check = (what, expected, found) => {
    if (expected !== null) ++answers;
    if (expected !== found) report(what, expected, found);
  };
  const source = openFile(file);
  const {dump, error} = openDump(heapcheck, source, file);
  if (!skipsReport) {
    check('validate', runProgram(program, ['validate', '--no-config', file]),
          dump ? heapcheck.call({call: 'validate', dump: dump.id}) : reportUnread(heapcheck, file, error));
  }
  for (const [question, words, options] of dump ? asked : []) {
    const request = {call: 'ask', question, dumps: [String(dump.id)], options: {...options, force: isForced}};
    const all = isForced ? [...words, '--force'] : words;
    check(question, runProgram(program, [question, file, ...all]), tryModule(() => heapcheck.call(request)));
  }
  dump?.close();
  source.close();
  return answers;
}
