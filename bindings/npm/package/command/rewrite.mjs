// heapcheck convert and heapcheck recover.
import fs from 'node:fs';
import process from 'node:process';

import {openDump} from './open.mjs';
import {isSameFile, printError, printFileError, printNote, status, statusOf, writeOutput} from './print.mjs';
import {UsageError} from './words.mjs';
import {writeFile} from './write_file.mjs';

const targetOf = (values) => (values.has('in-place') ? values.get('IN') : values.get('output-file'));

function checkPaths(values) {
  const [input, output, inPlace] = [values.get('IN'), values.get('output-file'), values.has('in-place')];
  if (inPlace === (output !== undefined))
    throw new UsageError(inPlace ? 'found both -o OUT and --in-place, expected only one of them' :
                                   'found neither -o OUT nor --in-place, expected one of them');
  if (inPlace && input === '-') throw new UsageError('--in-place needs a file, found - (standard input)');
  if (output === '-' && process.stdout.isTTY)
    throw new UsageError('the result is binary, and standard output is a terminal; use -o FILE');
  if (!inPlace && isSameFile(input === '-' ? '/dev/stdin' : input, output))
    throw new UsageError(`${output}: is the input; to replace it, use --in-place`);
}

/** The permissions of a new output: those of the input, so that nobody else can read it, but it can be written. */
function findMode(input) {
  const found = input === '-' ? undefined : fs.statSync(input, {throwIfNoEntry: false});
  return found?.isFile() ? (found.mode & 0o666) | 0o200 : 0o666;
}

/** Writes the parts, if there are any, to the target, with the times of the input if that is asked for. */
async function write(values, parts, isReadBack) {
  const times = values.has('keep-times') ? fs.statSync(values.get('IN')) : null;
  const target = targetOf(values);
  await writeFile(target, parts, {mode: findMode(values.get('IN')), isReadBack});
  if (parts && times && target !== '-' && fs.statSync(target).isFile()) fs.utimesSync(target, times.atime, times.mtime);
}

const describeLosses = (losses) =>
    losses.map(({what, count, reason}) => `  lost: ${what}: ${count} (${reason})\n`).join('');

/** Opens the input and calls `use`. Errors about it are printed. Returns the exit status. */
async function withInput(heapcheck, values, use) {
  checkPaths(values);
  const input = values.get('IN');
  let opened;
  try {
    opened = openDump(heapcheck, input, values);
    if (values.has('in-place') && opened.dump.isCompressed) {
      printFileError(input, 'is compressed, and --in-place would write a plain file; use -o FILE');
      return status.usage;
    }
    return await use(opened.dump, input);
  } catch (error) {
    if (error.kind === undefined) throw error;
    printFileError(input, error.message);
    return statusOf(error.kind);
  } finally {
    opened?.close();
  }
}

function printSummary(values, text) {
  if (values.has('quiet')) return;
  if (targetOf(values) === '-') printNote(text);
  else writeOutput(text);
}

function reportLosses(values, losses) {
  printError(`${values.get('IN')}: ${values.get('to')} cannot represent everything, so nothing was written; to write ` +
      'it anyway, add --allow-loss');
  printNote(describeLosses(losses));
  return status.usage;
}

/** `nodes: 3, edges: 2`, with the number of snapshots on a line of its own. */
function listAmounts(amounts) {
  return `  ${amounts.map(({what, count}, i) => `${what}: ${count}${
      i === amounts.length - 1 ? '\n' : what === 'snapshots' ? '\n  ' : ', '}`).join('')}`;
}

function refuseConversion(input, {verdict, findings, format}) {
  if (verdict === 'undecided') {
    const limit = findings.find(({stage}) => stage === 'limit')?.message ?? 'a limit was reached';
    printError(`${input}: is undecided (${limit}), so it is not converted`);
    return status.undecided;
  }
  const isTrace = /^(chrome|heaps)-/.test(format);
  printError(`${input}: is ${verdict}, so it is not converted; \`heapcheck validate\` lists the errors` +
      (isTrace ? '' : ', and `heapcheck recover` keeps the intact parts'));
  return status.findings;
}

export function runConvert(heapcheck, command, values) {
  return withInput(heapcheck, values, async (dump, input) => {
    const report = dump.validate({max_per_rule: 1}).files[0];
    if (report.verdict !== 'valid') return refuseConversion(input, report);
    const options = {
      allowLoss: values.has('allow-loss'),
      level: values.get('level'),
      keep_trace: values.has('keep-trace'),
    };
    for (const name of ['threshold', 'share']) if (values.has(name)) options[name] = values.get(name);
    const {parts, losses, amounts, askedFor} = dump.convertInParts(values.get('to'), options);
    if (!parts) return reportLosses(values, losses);
    await write(values, parts, false);
    const isOnlyTarget = report.format === 'heapsnapshot' || report.format === 'heapprofile';
    const from = isOnlyTarget ? '' : ` from ${report.format}`;
    printSummary(values, `${targetOf(values)}: ${values.get('to')}${from}\n${listAmounts(amounts)}${
        describeLosses(losses)}${describeLosses(askedFor)}`);
    return losses.length || askedFor.length ? status.lossy : status.sound;
  });
}

/** Prints a message about the input, from the first line of the summary, and what was dropped. */
function reportNothing(input, text, isBrief) {
  const end = text.indexOf('\n');
  printError(`${input}: ${text.slice(0, end)}`);
  if (!isBrief) printNote(text.slice(end + 1));
  return status.findings;
}

export function runRecover(heapcheck, command, values) {
  if (values.get('output-file') === '-')
    throw new UsageError(
        'the result is checked after it is written, so it cannot go to standard output; use -o FILE');
  return withInput(heapcheck, values, async (dump, input) => {
    const found = dump.recoverInParts({
      to: values.get('to'),
      allowLoss: values.has('allow-loss'),
      level: values.get('level'),
      placeholder_names: values.has('placeholder-names'),
      targetName: targetOf(values),
    });
    const isJson = values.get('output') === 'json';
    const isBrief = isJson || values.has('quiet');
    await write(values, found.parts, true);  // also without parts, because the output may be wrong
    if (isJson && !values.has('quiet')) writeOutput(found.json);
    if (found.isRefused) return reportLosses(values, found.losses);
    if (!found.parts) return reportNothing(input, found.text, isBrief);
    if (!isBrief) writeOutput(found.text);
    return found.hasLost ? status.lossy : status.sound;
  });
}
