// The commands that answer questions about dumps.
import {suggest} from '../nearest.mjs';
import {openDump} from './open.mjs';
import {printError, printFileError, printNote, status, statusOf, writeOutput} from './print.mjs';
import {UsageError} from './words.mjs';

const limits = ['max-memory', 'max-expanded', 'timeout', 'sandbox', 'no-progress', 'output'];

const files = ['FILE', 'LATER'];

/** Parses `every N`, or no words at all. */
function parseStep(words) {
  if (words.length === 2 && words[0] === 'every' && /^[0-9]+$/.test(words[1]) && Number(words[1]) > 0)
    return Number(words[1]);
  throw new UsageError(`found "${words.join(' ')}", expected "every N", where N is greater than 0` +
      (words[0] === 'every' ? '' : suggest(words[0], ['every'])));
}

/** The options of the question: the options of the command, and its arguments in lower case. */
function toOptions(values, command, known) {
  const options = {};
  for (const [name, value] of values) {
    if (limits.includes(name) || files.includes(name)) continue;
    if (known.includes(name.toLowerCase())) options[name.toLowerCase()] = value;
    else if (name !== 'EVERY') throw new UsageError(`--${name} is only in the program`);
  }
  if (values.has('EVERY')) options.every = parseStep(values.get('EVERY'));
  const isLimited = command.options.some((option) => option.name === 'limit');
  const isText = (values.get('output') ?? 'text') === 'text';
  options.limit = isLimited ? values.get('limit') ?? (isText ? 20 : 0) : 0;
  return options;
}

const listFiles = (values) => files.map((name) => values.get(name) ?? []).flat();

function printDamage(file, {offset, message}, outcome) {
  printFileError(file, `is damaged at 0x${offset.toString(16)}: ${message}; ${outcome}`);
}

/** Prints why questions about a dump cannot be answered, and returns the exit status; 0 if they can. */
function checkDump(heapcheck, {dump}, file, isForced) {
  const {obstacle, is_damaged: isDamaged, is_limited: isLimited, error} = heapcheck.state(dump);
  if (obstacle !== undefined && !(isDamaged && isForced)) {
    printFileError(file, obstacle + (isDamaged ? '; `heapcheck recover` keeps the intact parts' : ''));
    return isLimited ? status.undecided : status.unreadable;
  }
  if (obstacle === undefined && error) printDamage(file, error, 'the answer does not depend on it');
  return status.sound;
}

/** Says of damaged dumps whether their intact parts were enough. */
function concludeForce(heapcheck, damaged, isIntact) {
  for (const {file, error} of damaged)
    printDamage(file, error, isIntact ? 'the answer covers only the intact parts' :
        'the intact parts are not enough for an answer, but `heapcheck recover` may keep some');
}

function printRemarks(remarks, form) {
  let found = status.sound;
  for (const {kind, text} of remarks) {
    if (kind === 'reason' && form === 'text') continue;
    if (kind !== 'violation') {
      printNote(`heapcheck: ${text}\n`);
    } else {
      printError(text);
      found = status.findings;
    }
  }
  return found;
}

/** The exit status for an answer whose conditions have these outcomes. */
function findStatus(outcomes) {
  if (outcomes.includes('violated')) return status.findings;
  return outcomes.includes('undecided') ? status.undecided : status.sound;
}

/** Opens all dumps into `opened`. If one cannot be used, prints why and returns the exit status. */
function openAll(heapcheck, paths, values, opened) {
  if (paths.filter((file) => file === '-').length > 1) {
    printError('found - more than once, but standard input can be read only once');
    return status.usage;
  }
  for (const file of paths) {
    try {
      opened.push({...openDump(heapcheck, file, values), file});
    } catch (error) {
      if (error.kind === undefined) throw error;
      printFileError(file, error.message);
      return statusOf(error.kind);
    }
    const found = checkDump(heapcheck, opened.at(-1), file, values.has('force'));
    if (found !== status.sound) return found;
  }
  return status.sound;
}

function answer(heapcheck, command, opened, options, values) {
  const form = values.get('output') ?? 'text';
  const damaged = [];
  for (const {dump, file} of values.has('force') ? opened : []) {
    const {error} = heapcheck.state(dump);
    if (error?.affects_answers) damaged.push({file, error});
  }
  try {
    const found = heapcheck.answer(opened.map(({dump}) => dump), command.name, options, form, true);
    concludeForce(heapcheck, damaged, true);
    writeOutput(found.text);
    return printRemarks(found.remarks, form) || findStatus(found.outcomes);
  } catch (error) {
    if (error.kind === undefined) throw error;
    const isUnreadable = statusOf(error.kind) === status.unreadable;
    if (damaged.length && isUnreadable) concludeForce(heapcheck, damaged, false);
    else if (error.dump) printFileError(error.dump, error.message);
    else printError(error.message);
    return statusOf(error.kind);
  }
}

export function runQuestion(heapcheck, command, values) {
  const options = toOptions(values, command, heapcheck.questions()[command.name]);
  const paths = listFiles(values);
  const opened = [];
  try {
    // A question that is wrong is refused before the dumps are read.
    heapcheck.checkQuestion(command.name, options, paths.length);
    const found = openAll(heapcheck, paths, values, opened);
    return found === status.sound ? answer(heapcheck, command, opened, options, values) : found;
  } finally {
    for (const one of opened) one.close();
  }
}
