// heapcheck: checks heap dumps, answers questions about them, converts and recovers them. The functions use the
// WebAssembly module, which runs in this process; index.d.mts describes them.
import fs from 'node:fs';
import {fileURLToPath} from 'node:url';

import {makeSource} from './inputs.mjs';
import {HeapcheckError, startHeapcheck} from './module.mjs';
import {checkOptions, checkTarget, optionsOf} from './options.mjs';

export {HeapcheckError};

let compiled;
let running;  // the module, as long as dumps are open in it
let openCount = 0;

function compile() {
  const promise = WebAssembly.compile(fs.readFileSync(new URL('./heapcheck.wasm', import.meta.url)));
  promise.catch(() => { compiled = undefined; });  // so that the next call tries again
  return promise;
}

function run(code) {
  const promise = startHeapcheck(code);
  promise.catch(() => {
    if (running === promise) running = undefined;
  });
  return promise;
}

/** Starts the module, unless it is running. The memory of a module is released only when all its dumps are closed. */
export async function start() {
  compiled ??= compile();
  const code = await compiled;
  running ??= run(code);
  return running;
}

/** Notes that a dump was closed. */
function release() {
  if (--openCount === 0) running = undefined;
}

const nameOf = (input) =>
    (typeof input === 'string' ? input : input instanceof URL ? fileURLToPath(input) : 'dump');

const reasons = {ENOENT: 'No such file or directory', EACCES: 'Permission denied', EISDIR: 'Is a directory'};

async function makeReadable(input) {
  try {
    return await makeSource(input);
  } catch (error) {
    if (error instanceof TypeError || error.code === undefined) throw error;
    throw new HeapcheckError('unreadable', `cannot be opened: ${reasons[error.code] ?? error.message}`);
  }
}

const toSeverity = (severity = {}) =>
    (Array.isArray(severity) ? severity : Object.entries(severity).map(([glob, level]) => `${glob}=${level}`));

/** The options of validate(), with the names that the module uses. */
function toRequest({reader, select = [], ignore = [], severity, hide, maxPerRule = 20} = {}) {
  const request = {select, ignore, severity: toSeverity(severity), max_per_rule: maxPerRule};
  if (reader !== undefined) request.for = reader;
  if (hide !== undefined) request.hide = hide;
  return request;
}

/** A stream of parts, each of which is taken from the module when it is read. */
function toStream(parts) {
  return new ReadableStream({
    pull(controller) {
      const {done, value} = parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      parts.next();  // a generator that has not begun has nothing to clean up
      parts.return();
    },
  });
}

function toWritten({parts, ...details}) {
  return {...details, stream: parts && toStream(parts)};
}

class Dump {
  #dump;
  #heapcheck;
  #source;

  constructor(heapcheck, dump, source) {
    this.#heapcheck = heapcheck;
    this.#dump = dump;
    this.#source = source;
    this.format = dump.format;
    this.title = dump.title;
  }

  validate(options) {
    checkOptions(options, optionsOf.validateOpen);
    const dump = this.#open();
    const request = toRequest(options);
    this.#heapcheck.checkOptions(request);
    return dump.validate(request).files[0];
  }

  ask(question, options) {
    return this.#heapcheck.ask([this.#open()], question, options);
  }

  convert(to, options) {
    checkTarget(to);
    checkOptions(options, optionsOf.convert);
    return toWritten(this.#open().convertInParts(to, options));
  }

  recover(options) {
    checkOptions(options, optionsOf.recover);
    const {json, isRefused, ...recovered} = this.#open().recoverInParts(options);
    return toWritten(recovered);
  }

  makePage() {
    return this.#heapcheck.makePage([this.#open()]);
  }

  close() {
    if (!this.#dump) return;
    this.#dump.close();
    this.#dump = undefined;
    this.#source.close?.();
    release();
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.close();
  }

  #open() {
    if (!this.#dump) throw new HeapcheckError('unsupported', 'the dump is closed');
    return this.#dump;
  }

  static askSeveral(dumps, question, options, isLastUse) {
    return dumps[0].#heapcheck.ask(dumps.map((dump) => dump.#open()), question, options, isLastUse);
  }

  static makePageOfSeveral(dumps) {
    return dumps[0].#heapcheck.makePage(dumps.map((dump) => dump.#open()));
  }
}

export async function open(input, {name = nameOf(input), ...options} = {}) {
  checkOptions({name, ...options}, optionsOf.open);
  const source = await makeReadable(input);
  ++openCount;
  try {
    const heapcheck = await start();
    return new Dump(heapcheck, heapcheck.open(source, {name, ...options}), source);
  } catch (error) {
    source.close?.();
    release();
    throw error;
  }
}

/** The report on an input that cannot be opened. */
async function reportUnread(error, name) {
  const heapcheck = await start();
  let json = heapcheck.beginReport({form: 'json'});
  json += heapcheck.addToReport({name, error: error.message, kind: error.kind}).piece;
  json += heapcheck.endReport();
  if (openCount === 0) running = undefined;
  return JSON.parse(json).files[0];
}

export async function validate(input, {name = nameOf(input), maxMemory, maxExpanded, ...options} = {}) {
  checkOptions({name, maxMemory, maxExpanded, ...options}, optionsOf.validate);
  await withModule((heapcheck) => heapcheck.checkOptions(toRequest(options)));
  let dump;
  try {
    dump = await open(input, {name, maxMemory, maxExpanded});
  } catch (error) {
    if (error instanceof HeapcheckError) return reportUnread(error, name);
    throw error;
  }
  try {
    return dump.validate(options);
  } finally {
    dump.close();
  }
}

/** Calls `use` with open dumps, and with whether it opened all of them itself, so that nobody else needs them. Inputs
 * may be open dumps already. Closes those that it opened. */
async function withDumps(inputs, use) {
  const opened = [];
  const dumps = [];
  try {
    for (const input of inputs) {
      if (!(input instanceof Dump)) opened.push(await open(input));
      dumps.push(input instanceof Dump ? input : opened.at(-1));
    }
    if (dumps.length === 0) throw new TypeError('found no input, expected at least one');
    return use(dumps, opened.length === dumps.length);
  } finally {
    for (const dump of opened) dump.close();
  }
}

const isInput = (value) => !Array.isArray(value);

export function ask(inputs, question, options = {}) {
  return withDumps(isInput(inputs) ? [inputs] : inputs,
                   (dumps, isLastUse) => Dump.askSeveral(dumps, question, options, isLastUse));
}

export function makePage(inputs) {
  return withDumps(isInput(inputs) ? [inputs] : inputs, (dumps) => Dump.makePageOfSeveral(dumps));
}

/** Calls the function with the module, without leaving it running. */
async function withModule(use) {
  const heapcheck = await start();
  try {
    return use(heapcheck);
  } finally {
    if (openCount === 0) running = undefined;
  }
}

export const questions = () => withModule((heapcheck) => heapcheck.questions());
export const {version} = JSON.parse(fs.readFileSync(new URL('./package.json', import.meta.url), 'utf8'));
