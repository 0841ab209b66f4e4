// Starts heapcheck in a worker, and sends it requests. A worker that is cancelled ends with everything that it has
// read, so each new set of files gets a new worker, and its memory is free again.

/** The words for failures that heapcheck does not report itself. */
const failureWords = {
  cancelled: 'Cancelled.',
  gone: 'the file could not be read; it may have changed or been removed since you chose it',
};

/** A failure that a person can read. `kind` is one of heapcheck's kinds, `broken`, `cancelled` or `gone`. */
class Failure extends Error {
  constructor(kind, message) {
    super(failureWords[kind] || message);
    this.kind = kind;
  }
}

// The smallest modules with SIMD (i8x16.popcnt) and with exceptions (try, catch_all).
const modernModules = [
  [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
  [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11],
];

/** Whether the browser has everything that the page needs. */
function isModern() {
  return typeof DecompressionStream === 'function' && typeof WebAssembly === 'object' &&
    modernModules.every(code => WebAssembly.validate(Uint8Array.from(code)));
}

/** The WebAssembly module, which is compiled once. */
let compiled = null;

async function compileModule() {
  const text = atob(document.getElementById('module').textContent);
  const compressed = new Blob([Uint8Array.from(text, letter => letter.charCodeAt(0))]);
  const code = new Response(compressed.stream().pipeThrough(new DecompressionStream('gzip')));
  return WebAssembly.compile(await code.arrayBuffer());
}

class Engine {
  #worker = null;
  #pending = new Map();
  #next = 1;
  #stops = 0;
  /** Called with the share of the file that has been read. */
  onProgress = () => {};

  /** Ends the worker and all its requests. */
  stop(failure = new Failure('cancelled')) {
    if (this.#worker) this.#worker.terminate();
    this.#worker = null;
    ++this.#stops;
    for (const {reject} of this.#pending.values()) reject(failure);
    this.#pending.clear();
  }

  /** How often everything was stopped. A dump is open only until the next time. */
  get stops() { return this.#stops; }

  get isRunning() { return this.#worker !== null; }

  async ask(request) {
    const stops = this.#stops;
    compiled ||= compileModule();
    const module = await compiled;
    if (stops !== this.#stops) throw new Failure('cancelled');
    if (!this.#worker) {
      this.#start();
      this.#send({call: 'start', module: module}).catch(() => {});
    }
    return this.#send(request);
  }

  /** The result of other work, or a failure as soon as everything is stopped. The work itself may go on. */
  untilStopped(promise) {
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(number, {resolve: resolve, reject: reject});
      promise.then(resolve, reject).finally(() => this.#pending.delete(number));
    });
  }

  #send(request) {
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(number, {resolve: resolve, reject: reject});
      this.#worker.postMessage({number: number, ...request});
    });
  }

  #start() {
    const text = document.getElementById('worker').textContent;
    const address = URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
    const worker = new Worker(address);
    worker.onmessage = ({data}) => {
      URL.revokeObjectURL(address);
      if (worker !== this.#worker) return undefined;  // sent before the worker was stopped
      if ('progress' in data) return this.onProgress(data.progress);
      const {resolve, reject} = this.#pending.get(data.number);
      this.#pending.delete(data.number);
      if (!data.error) return resolve(data.result);
      const failure = new Failure(data.error.kind, data.error.message);
      reject(failure);
      // After an error that heapcheck does not report itself, its memory may be in any state.
      if (failure.kind === 'broken') this.stop(failure);
      return undefined;
    };
    worker.onerror = event => worker === this.#worker && this.stop(new Failure('broken', event.message || 'the worker ended'));
    this.#worker = worker;
  }
}

const engine = new Engine();

/** A message of heapcheck as a sentence; many have the file as their subject, as in `is empty`. */
function makeSentence(failure, name) {
  const hasSubject = !/^(is|has|needs|cannot|could|does|contains|changed|ends) /.test(failure.message);
  return `${clean(name)}${hasSubject ? ': ' : ' '}${clean(failure.message)}. `;
}

/** What to do about a failure, as sentences. `name` is that of the file. */
function explainFailure(failure, name) {
  if (failure.kind === 'cancelled') return 'Cancelled.';
  const start = makeSentence(failure, name);
  if (failure.kind === 'limit') return start + 'A browser gives this page at most 4 GB of memory. ' +
    'The heapcheck program, which can use more, reads such files.';
  if (failure.kind === 'unknown_format') return start + 'This page reads heap dumps of MoarVM, Chrome traces with ' +
    'memory dumps, and V8 heap snapshots, timelines and sampling profiles.';
  if (failure.kind === 'broken') return start + 'heapcheck stopped unexpectedly, possibly because the browser ran out of memory.';
  return start;
}
