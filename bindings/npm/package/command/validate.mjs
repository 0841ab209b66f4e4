// heapcheck validate: checks files, folders and standard input.
import fs from 'node:fs';
import path from 'node:path';

import {countBytes, openDump} from './open.mjs';
import {describeFailure, isSameFile, printError, status, toSafePath, wantsColor, writeOutput} from './print.mjs';
import {defaultOf, UsageError} from './words.mjs';
import {writeFile} from './write_file.mjs';

/** All regular files in a folder and in the folders inside it. Links to folders are not followed. */
function walk(top) {
  const found = {files: [], failed: []};
  const folders = [top];
  while (folders.length) {
    const folder = folders.pop();
    try {
      for (const entry of fs.readdirSync(folder, {withFileTypes: true})) {
        const file = folder.endsWith('/') ? folder + entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) folders.push(file);
        else if (countBytes(file) !== undefined) found.files.push({file, isNamed: false});
      }
    } catch (error) {
      found.failed.push({file: folder, why: `the folder cannot be read: ${describeFailure(error)}`});
    }
  }
  const order = (a, b) => Buffer.compare(Buffer.from(a.file), Buffer.from(b.file));
  found.files.sort(order);
  found.failed.sort(order);
  if (!found.files.length && !found.failed.length)
    found.failed.push({file: top, why: 'the folder contains no files'});
  return found;
}

function isFolder(file) {
  try {
    return fs.statSync(file).isDirectory();
  } catch {
    return false;
  }
}

/** The path without redundant parts, such as a leading `./`. */
const simplify = (file) => (file === '-' ? '' : file.split('/').filter((part, i) => i === 0 ? part !== '.' :
                                                                      part !== '.' && part !== '').join('/'));

/** A function that returns the same text for all paths that lead to one name in one folder. */
function makePlaceFinder() {
  const folders = new Map();
  const identify = (folder) => {
    try {
      const {dev, ino} = fs.statSync(folder, {bigint: true});
      return `${dev}:${ino}`;
    } catch {
      return '';
    }
  };
  return (file) => {
    const end = file.lastIndexOf('/') + 1;
    const folder = file.slice(0, end) || '.';
    if (!folders.has(folder)) folders.set(folder, identify(folder));
    const hasPlace = file !== '-' && end !== file.length && folders.get(folder) !== '';
    return hasPlace ? `${folders.get(folder)}/${file.slice(end)}` : `/${simplify(file)}`;
  };
}

/** Whether `*` (any characters) and `?` (one character) match the path, or its last part if there is no slash. */
function matchesPath(pattern, file) {
  const literal = (text) => text.replace(/[\\^$.|+()[\]{}]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
  return new RegExp(`^${literal(pattern)}$`, 's').test(pattern.includes('/') ? file : path.basename(file));
}

/** The files to check, each once, and the paths that cannot be searched. */
function chooseFiles(values) {
  const paths = values.get('PATH') ?? [];
  if (!paths.length) throw new UsageError('PATH is missing; see `heapcheck validate --help`');
  if (paths.filter((file) => file === '-').length > 1)
    throw new UsageError('found - more than once, but standard input can be read only once');
  const files = new Map();
  const findPlace = makePlaceFinder();
  const failed = [];
  for (const given of paths) {
    const found = given === '' ? {files: [], failed: [{file: '', why: 'the path is empty'}]} :
        given !== '-' && isFolder(given) ? walk(given) : {files: [{file: given, isNamed: true}], failed: []};
    for (const file of found.files) {
      const place = findPlace(file.file);
      const known = files.get(place);
      if (known) known.isNamed ||= file.isNamed;
      else files.set(place, file);
    }
    failed.push(...found.failed);
  }
  const isExcluded = ({file}) => (values.get('exclude') ?? []).some((pattern) => matchesPath(pattern, file));
  return {files: [...files.values()].filter((file) => !isExcluded(file)), failed};
}

/** Throws if a configuration file would apply, because the module does not read it. */
function checkConfiguration(files, values) {
  if (values.has('no-config')) return;
  for (const {file} of files) {
    for (let folder = path.dirname(path.resolve(file));; folder = path.dirname(folder)) {
      const configuration = path.join(folder, '.heapcheck.toml');
      if (fs.existsSync(configuration))
        throw new UsageError(`found ${configuration}, but only the program reads configuration files; ` +
            '--no-config ignores it');
      if (folder === path.dirname(folder)) break;
    }
  }
}

const isCalledDump = (file) => /\.(mvmheap|heapsnapshot|heaptimeline|heapprofile)(\.gz|\.zst)?$/.test(file);

function toRequest(command, values) {
  const valueOf = (name) => values.get(name) ?? defaultOf(command, name);
  const request = {
    select: values.get('select') ?? [],
    ignore: values.get('ignore') ?? [],
    severity: values.get('severity') ?? [],
    max_per_rule: valueOf('max-per-rule'),
    fail_level: valueOf('fail-level'),
  };
  if (values.has('for')) request.for = values.get('for');
  if (values.has('hide')) request.hide = values.get('hide');
  return request;
}

/** Throws if the rules that the options name are wrong, before any file is read. */
function checkRules(heapcheck, values) {
  for (const name of ['select', 'ignore', 'severity']) {
    try {
      heapcheck.checkOptions({[name]: values.get(name) ?? []});
    } catch (error) {
      if (error.kind !== 'unsupported') throw error;
      throw new UsageError(`--${name}: ${error.message}; see \`heapcheck validate --help\``);
    }
  }
}

function findStatus({verdict, has_format: hasFormat, fails}, values) {
  if (verdict === 'undecided') return values.has('error-on-undecided') ? status.findings : status.undecided;
  if (!hasFormat) return status.unreadable;
  return fails ? status.findings : status.sound;
}

/** The most urgent of all statuses. */
const findWorst = (found) =>
    [status.findings, status.undecided, status.unreadable].find((one) => found.includes(one)) ?? status.sound;

/** Checks one file and returns what addToReport() returns. */
function checkFile(heapcheck, target, request, values) {
  const {file, isNamed, why} = target;
  const mayBeOther = isNamed === false && !isCalledDump(file);
  const given = {name: file, may_be_other: mayBeOther, is_standard_input: file === '-', ...request};
  if (why !== undefined) return heapcheck.addToReport({...given, error: why, kind: 'unreadable'});
  let opened;
  try {
    opened = openDump(heapcheck, file, values);
  } catch (error) {
    if (error.kind === undefined) throw error;
    const kind = mayBeOther && countBytes(file) === 0 ? 'unknown_format' : error.kind;
    return heapcheck.addToReport({...given, error: error.message, kind});
  }
  try {
    return heapcheck.addToReport({...given, dump: opened.dump.id});
  } finally {
    opened.close();
  }
}

const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The pieces of the report. Returns the exit status. */
function* makeReport(heapcheck, command, values, toFile) {
  const request = toRequest(command, values);
  const {files, failed} = chooseFiles(values);
  checkConfiguration(files, values);
  if (!files.length && !failed.length && !values.has('quiet')) printError('there are no files to check');
  const statuses = [];
  let skipped = 0;
  const color = values.get('color') ?? 'auto';
  yield heapcheck.beginReport({
    form: values.get('output') ?? 'text',
    color: toFile ? color === 'always' : wantsColor(color),
    is_brief: values.has('quiet'),
    has_statistics: values.has('statistics'),
    ...(values.has('for') && {for: values.get('for')}),
  });
  const add = function* (target) {
    const added = checkFile(heapcheck, target, request, values);
    if (added.is_other) {
      ++skipped;
    } else {
      statuses.push(findStatus(added, values));
      yield added.piece;
    }
  };
  for (const file of files) yield* add(file);
  if (!statuses.length && files.length) {
    for (const folder of values.get('PATH').filter(isFolder))
      yield* add({file: folder, why: 'the folder contains no heap dumps'});
  }
  for (const target of failed) yield* add(target);
  if (skipped !== 0 && !values.has('quiet'))
    printError(`skipped ${counted(skipped, 'file')} ${
        values.has('for') ? `that ${values.get('for')} does not read` : 'of unknown format'}`);
  yield heapcheck.endReport();
  const worst = findWorst(statuses);
  return worst === status.findings && values.has('exit-zero') ? status.sound : worst;
}

export async function runValidate(heapcheck, command, values) {
  checkRules(heapcheck, values);
  const output = values.get('output-file');
  if (output === undefined || output === '-') {
    const report = makeReport(heapcheck, command, values, false);
    for (;;) {
      const {done, value} = report.next();
      if (done) return value;
      writeOutput(value);
    }
  }
  for (const {file} of chooseFiles(values).files)
    if (isSameFile(file, output))
      throw new UsageError(`${toSafePath(file)}: is one of the files to check, so the report cannot be written to it`);
  let found;
  await writeFile(output, (function* () {
    found = yield* makeReport(heapcheck, command, values, true);
  })());
  return found;
}
