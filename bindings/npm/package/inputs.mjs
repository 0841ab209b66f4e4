// Inputs that can be opened: files, bytes, streams, and objects that read themselves.
import fs from 'node:fs';

/** A source that reads a file piece by piece. `close` closes it. */
export function openFile(file) {
  const descriptor = fs.openSync(file, 'r');
  const status = fs.fstatSync(descriptor);
  // A file of the system, such as /proc/version, has content, although its size is 0.
  if (!status.isFile() || status.size === 0) {
    try {
      return fromChunks(readToEnd(descriptor));
    } finally {
      fs.closeSync(descriptor);
    }
  }
  return {
    size: status.size,
    read: (offset, buffer) => fs.readSync(descriptor, buffer, 0, buffer.length, offset),
    close: () => fs.closeSync(descriptor),
  };
}

/** The bytes of a file whose size is not known, such as a pipe or standard input. */
export function readToEnd(descriptor) {
  const chunks = [];
  for (;;) {
    const chunk = new Uint8Array(1 << 20);
    try {
      const count = fs.readSync(descriptor, chunk);
      if (count === 0) return chunks;
      chunks.push(count < chunk.length / 2 ? chunk.slice(0, count) : chunk.subarray(0, count));
    } catch (error) {
      if (error.code === 'EOF') return chunks;
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);  // nothing has arrived yet
    }
  }
}

/** A source that consists of several pieces, which are not copied. */
export function fromChunks(chunks) {
  const starts = [];
  let size = 0;
  for (const chunk of chunks) {
    starts.push(size);
    size += chunk.length;
  }
  const find = (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low;
  };
  return {
    size,
    read(offset, buffer) {
      let filled = 0;
      for (let i = find(offset); i < chunks.length && filled < buffer.length; ++i) {
        const start = offset + filled - starts[i];
        const part = chunks[i].subarray(start, start + buffer.length - filled);
        buffer.set(part, filled);
        filled += part.length;
      }
      return filled;
    },
  };
}

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('found a stream of other values, expected bytes');
    if (chunk.length !== 0) chunks.push(chunk);
  }
  return fromChunks(chunks);
}

/** The parts of a stream, also where streams cannot be iterated yet. */
async function* readParts(stream) {
  const reader = stream.getReader();
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    yield value;
  }
}

/** A source for anything that open() accepts. Throws what reading it throws. */
export async function makeSource(input) {
  if (typeof input === 'string' || input instanceof URL) return openFile(input);
  if (input instanceof Uint8Array) return fromChunks([input]);
  if (input instanceof ArrayBuffer) return fromChunks([new Uint8Array(input)]);
  if (ArrayBuffer.isView(input))
    return fromChunks([new Uint8Array(input.buffer, input.byteOffset, input.byteLength)]);
  if (typeof input?.read === 'function' && typeof input.size === 'number') return input;
  if (typeof input?.stream === 'function') return collect(readParts(input.stream()));
  if (typeof input?.getReader === 'function') return collect(readParts(input));
  if (typeof input?.[Symbol.asyncIterator] === 'function') return collect(input);
  throw new TypeError('found no input, expected a path, bytes, a stream, a blob or a source');
}
