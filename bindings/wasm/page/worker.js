// Runs heapcheck, so that the page stays responsive. It follows the text of module.mjs. The page sends
// {number, call, ...} and gets {number, result} or {number, error}; while a file is read, it also gets {progress}.

const blockSize = 4 << 20;
let heapcheck = null;
/** Whether the browser failed to read a file during this call. heapcheck only learns that it got no bytes. */
let isFileGone = false;

function readBlock(file, offset) {
  try {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(offset, offset + blockSize)));
  } catch (error) {
    isFileGone = true;
    throw error;
  }
}

/** Reads a file piece by piece. The blocks are larger than what is asked for, because each read takes time. */
function openFile(file) {
  let block = new Uint8Array(0);
  let start = 0;
  let shown = 0;
  const report = offset => {
    const now = performance.now();
    if (now - shown < 100) return;
    shown = now;
    postMessage({progress: offset / file.size});
  };
  return {
    size: file.size,
    read(offset, buffer) {
      if (offset < start || offset >= start + block.length) {
        block = readBlock(file, offset);
        start = offset;
        report(offset + block.length);
      }
      const part = block.subarray(offset - start, offset - start + buffer.length);
      buffer.set(part);
      return part.length;
    },
  };
}

/** The result of a call, and the buffers that move to the page with it. */
async function answer({call, ...request}) {
  if (call === 'start') {
    heapcheck = await startHeapcheck(request.module);
    return [null, []];
  }
  if (call === 'open') {
    const dump = heapcheck.open(openFile(request.file), {name: request.name, maxMemory: request.maxMemory});
    return [{id: dump.id, title: dump.title, targets: dump.targets(), isCompressed: dump.isCompressed}, []];
  }
  if (call === 'recover' || call === 'convert') {
    const output = `output ${request.dump}`;
    const details = JSON.parse(heapcheck.call({call: call, output: output, ...request}));
    const done = call === 'recover' ? JSON.parse(details.json) : details;
    const written = done.is_written ? heapcheck.callForBytes({call: 'output', output: output}) : null;
    return [{bytes: written, ...done}, written ? [written.buffer] : []];
  }
  if (call === 'bytes') return [heapcheck.callForBytes({call: call, ...request}), []];
  return [heapcheck.call({call: call, ...request}), []];
}

async function respond({number, ...request}) {
  isFileGone = false;
  try {
    const [result, moved] = await answer(request);
    if (!isFileGone) return postMessage({number: number, result: result}, moved);
    return postMessage({number: number, error: {kind: 'gone'}});
  } catch (error) {
    return postMessage({number: number, error: {kind: isFileGone ? 'gone' : error.kind || 'broken', message: error.message}});
  }
}

// Requests wait for those before them, because starting takes time.
let queue = Promise.resolve();
onmessage = ({data}) => { queue = queue.then(() => respond(data)); };
