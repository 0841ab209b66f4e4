// heapcheck as a WebAssembly module: reads, checks and writes heap dumps, and answers questions about them.
//
// A dump is opened from a source: an object with `size`, in bytes, and `read(offset, buffer)`, which fills the front of
// the Uint8Array `buffer` and returns how many bytes it filled. It is called while a function of the module runs, so it
// cannot wait for a promise.

const errorKinds = ['unreadable', 'unknown_format', 'unsupported', 'damaged', 'limit', 'timeout', 'unwritable'];

/** An error of heapcheck. `kind` is for programs, and `message` for humans. */
export class HeapcheckError extends Error {
  constructor(kind, message) {
    super(message);
    this.name = 'HeapcheckError';
    this.kind = kind;
  }
}

/** What wasi-libc needs of the system: the time, random numbers for hashing, and nothing else. */
function makeSystem(memory, random) {
  const view = () => new DataView(memory().buffer);
  const badDescriptor = 8;
  return {
    clock_time_get(clock, precision, result) {
      view().setBigUint64(result >>> 0, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    random_get(place, size) {
      const bytes = new Uint8Array(memory().buffer, place >>> 0, size);
      for (let i = 0; i < size; i += 65536) random.getRandomValues(bytes.subarray(i, Math.min(size, i + 65536)));
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count >>> 0, 0, true);
      view().setUint32(size >>> 0, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_close: () => badDescriptor,
    fd_fdstat_get: () => badDescriptor,
    fd_prestat_get: () => badDescriptor,
    fd_prestat_dir_name: () => badDescriptor,
    fd_read: () => badDescriptor,
    fd_seek: () => badDescriptor,
    fd_write: () => badDescriptor,
    proc_exit(status) {
      throw new Error(`the module ended with status ${status}`);
    },
  };
}

/** An open dump. */
class Dump {
  #heapcheck;
  #sources;
  #source;

  constructor(heapcheck, sources, source, opened) {
    this.#heapcheck = heapcheck;
    this.#sources = sources;
    this.#source = source;
    this.id = opened.dump;
    this.format = opened.format;
    this.title = opened.title;
    this.isCompressed = opened.is_compressed;
  }

  /** The report on the dump (spec/report.schema.json), as an object. `options.for` names a reader; the others are
   * `select`, `ignore`, `severity`, `hide` and `max_per_rule`. */
  validate(options = {}) {
    return JSON.parse(this.#heapcheck.call({call: 'validate', dump: this.id, ...options}));
  }

  /** Some bytes of the dump without the compression around it; the offsets of findings refer to these bytes. */
  bytes(offset, byteCount) {
    return this.#heapcheck.callForBytes({call: 'bytes', dump: this.id, offset, byte_count: byteCount});
  }

  /** The formats to which the dump can be converted. */
  targets() {
    return JSON.parse(this.#heapcheck.call({call: 'targets', dump: this.id})).targets;
  }

  /** The answer to a question (spec/answers/), as an object. Options have the names of the command's options. */
  ask(question, options = {}) {
    return this.#heapcheck.ask([this], question, options);
  }

  /** The dump in another format: `{bytes, losses, amounts}`. `bytes` is null if something would be lost. */
  convert(to, {allowLoss = false, level = 9} = {}) {
    return this.#write({call: 'convert', to, allow_loss: allowLoss, level});
  }

  /** The intact parts of a damaged dump: `{bytes, hasLost, losses}`, and what was kept, dropped and changed. */
  recover({to = '', allowLoss = false, level = 9} = {}) {
    return this.#write({call: 'recover', to, allow_loss: allowLoss, level});
  }

  /** Like convert() and recover(), but with `parts` in place of `bytes`: an iterator of pieces of 1 MiB. The summaries
   * that the program prints, `text` and `json`, call the result `targetName`. */
  convertInParts(to, {allowLoss = false, level = 9, ...options} = {}) {
    return this.#start({call: 'convert', to, allow_loss: allowLoss, level, ...options});
  }
  recoverInParts({to = '', allowLoss = false, level = 9, targetName = 'output', ...options} = {}) {
    return this.#start({call: 'recover', to, allow_loss: allowLoss, level, target_name: targetName, ...options});
  }

  /** Releases the memory of the dump. */
  close() {
    this.#heapcheck.call({call: 'close', dump: this.id});
    this.#sources.delete(this.#source);
  }

  #write(request) {
    const output = `output ${this.id}`;
    const {isWritten, ...details} = this.#call(request, output);
    const bytes = isWritten ? this.#heapcheck.callForBytes({call: 'output', output}) : null;
    return {bytes, ...details};
  }

  #start(request) {
    const output = `output ${this.id}.${nextOutput++}`;
    const {isWritten, ...details} = this.#call(request, output);
    return {parts: isWritten ? takeParts(this.#heapcheck, output) : null, ...details};
  }

  /** The details of the output, which for a recovery are in a document of their own. */
  #call(request, output) {
    const details = JSON.parse(this.#heapcheck.call({...request, dump: this.id, output}));
    if (!details.json) return toCamelCase(details);
    const {heapcheck, input, output: target, ...summary} = JSON.parse(details.json);
    return toCamelCase({...summary, ...details});
  }
}

let nextOutput = 1;

/** Takes the output piece by piece. Whatever was not taken is dropped at the end. */
function* takeParts(heapcheck, output) {
  const size = 1 << 20;
  try {
    for (let offset = 0;; offset += size) {
      const part = heapcheck.callForBytes({call: 'output', output, offset, byte_count: size});
      if (part.length > 0) yield part;
      if (part.length < size) return;
    }
  } finally {
    heapcheck.callForBytes({call: 'output', output});
  }
}

/** The object with keys such as `hasLost` in place of `has_lost`. */
function toCamelCase(object) {
  const rename = (key) => key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), value]));
}

class Heapcheck {
  #exports;
  #sources;
  #nextSource = 1;

  constructor(exports, sources) {
    this.#exports = exports;
    this.#sources = sources;
  }

  /** Opens a dump of any format. `source` is described above; a Uint8Array is one, too. */
  open(source, {name = 'dump', maxMemory, maxExpanded} = {}) {
    const given = source instanceof Uint8Array ? fromBytes(source) : source;
    const number = this.#nextSource++;
    this.#sources.set(number, given);
    const request = {call: 'open', source: number, byte_count: given.size, name};
    if (maxMemory !== undefined) request.max_memory = maxMemory;
    if (maxExpanded !== undefined) request.max_expanded = maxExpanded;
    try {
      return new Dump(this, this.#sources, number, JSON.parse(this.call(request)));
    } catch (error) {
      this.#sources.delete(number);
      throw error;
    }
  }

  /** Throws if validate() cannot use these options, whatever the dump contains. */
  checkOptions(options) {
    const dump = this.open(new TextEncoder().encode('MoarHeapDumpv003'));
    try {
      const {error} = dump.validate(options).files[0];
      if (error !== undefined) throw new HeapcheckError('unsupported', error);
    } finally {
      dump.close();
    }
  }

  /** The answer to a question about several dumps, oldest first. If `isLastUse`, what was read from the dumps is freed
   * as early as possible, so that less memory is needed; they can then only be closed. */
  ask(dumps, question, options = {}, isLastUse = false) {
    const request = {call: 'ask', question, dumps: dumps.map((dump) => String(dump.id)), options,
                     is_last_use: isLastUse};
    return JSON.parse(this.call(request));
  }

  /** The same answer as text, in the form `text`, `json`, `ndjson` or `csv`, and what the program prints beside it:
   * `{text, remarks, outcomes}`. An error has the name of the `dump` that is its reason. */
  answer(dumps, question, options = {}, form = 'text', isLastUse = false) {
    const request = {call: 'ask', question, dumps: dumps.map((dump) => String(dump.id)), options, form,
                     is_last_use: isLastUse};
    const list = () => JSON.parse(this.call({call: 'remarks'}));
    try {
      const text = this.callForBytes(request);
      const {remarks, outcomes} = list();
      return {text, remarks, outcomes};
    } catch (error) {
      if (error instanceof HeapcheckError) error.dump = list().dump;
      throw error;
    }
  }

  /** Throws if the question cannot be asked about so many dumps, whatever they contain. */
  checkQuestion(question, options, dumpCount) {
    this.call({call: 'check_question', question, options, dump_count: dumpCount});
  }

  /** Whether questions about a dump can be answered: `obstacle` says why not, and `error` is the first error. */
  state(dump) {
    return JSON.parse(this.call({call: 'state', dump: dump.id}));
  }

  /** A report on several dumps in any form of the program's: pieces of text, of which each is made by one call.
   * addToReport() returns its `piece` with the verdict. */
  beginReport(options) {
    return this.call({call: 'begin_report', ...options});
  }
  addToReport(options) {
    return JSON.parse(this.call({call: 'add_to_report', ...options}));
  }
  endReport() {
    return this.call({call: 'end_report'});
  }

  /** The page of `heapcheck report` about one or more dumps, oldest first: one HTML document. */
  makePage(dumps) {
    return this.call({call: 'page', dumps: dumps.map((dump) => String(dump.id))});
  }

  /** The rule with that id, for people: `{id, title, reason, example, advice}`. */
  rule(id) {
    return JSON.parse(this.call({call: 'rule', id}));
  }

  /** The names of all questions, each with the names of its options. */
  questions() {
    const {heapcheck, ...questions} = JSON.parse(this.call({call: 'questions'}));
    return questions;
  }

  /** The version of heapcheck. */
  get version() {
    return JSON.parse(this.call({call: 'questions'})).heapcheck;
  }

  /** The size of the module's memory, which never shrinks. */
  get byteCount() {
    return this.#exports.memory.buffer.byteLength;
  }

  /** The response to a request, as text. */
  call(request) {
    return new TextDecoder().decode(this.callForBytes(request));
  }

  callForBytes(request) {
    const {memory, reserve, call, response_data, response_size, drop_response} = this.#exports;
    const text = new TextEncoder().encode(JSON.stringify(request));
    const place = reserve(text.length) >>> 0;
    if (place === 0) throw new HeapcheckError('limit', 'needs more memory than WebAssembly has');
    new Uint8Array(memory.buffer, place, text.length).set(text);
    const status = call();
    const response = new Uint8Array(memory.buffer, response_data() >>> 0, response_size() >>> 0).slice();
    drop_response();
    if (status !== 0) throw new HeapcheckError(errorKinds[status - 1], new TextDecoder().decode(response));
    return response;
  }
}

function fromBytes(bytes) {
  return {
    size: bytes.length,
    read(offset, buffer) {
      const part = bytes.subarray(offset, offset + buffer.length);
      buffer.set(part);
      return part.length;
    },
  };
}

/** Starts heapcheck. `code` is a WebAssembly.Module or its bytes. */
export async function startHeapcheck(code) {
  const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
  const random = globalThis.crypto ?? (await import('node:crypto')).webcrypto;  // Node.js 18 has no global one
  const sources = new Map();
  let instance;
  const memory = () => instance.exports.memory;
  const read = (number, offset, place, size) => {
    try {
      return sources.get(number).read(offset, new Uint8Array(memory().buffer, place >>> 0, size));
    } catch {
      return -1;
    }
  };
  const system = makeSystem(memory, random);
  instance = await WebAssembly.instantiate(module, {heapcheck: {read}, wasi_snapshot_preview1: system});
  instance.exports._initialize();
  return new Heapcheck(instance.exports, sources);
}
