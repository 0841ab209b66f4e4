// Runs the pieces of a program in its own process and dumps its heap: node.js MODE FILE PIECE...
// Node.js 8 and later, and Bun. Prints the versions of the process and the pieces that it cannot run. Exits with status
// 3 if it does not have the mode. In the mode `flag`, an option of the engine writes the file.
'use strict';
const fs = require('fs');
const path = require('path');
const v8 = require('v8');
const [mode, file, ...pieces] = process.argv.slice(2);

global.keep = {};

// Calls of the inspector, whose results are there at once. Chunks of snapshots are appended to the file.
function connect() {
  const session = new (require('inspector').Session)();
  session.connect();
  session.on('HeapProfiler.addHeapSnapshotChunk', message => fs.appendFileSync(file, message.params.chunk));
  return (method, parameters = {}) => {
    let answer;
    session.post(method, parameters, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  };
}

// What each mode does before the pieces run; returns what to do afterwards.
const modes = {
  flag: () => () => {},
  snapshot() {
    if (v8.writeHeapSnapshot) return () => v8.writeHeapSnapshot(file);
    const call = connect();
    return () => call('HeapProfiler.takeHeapSnapshot');
  },
  timeline() {
    const call = connect();
    call('HeapProfiler.startTrackingHeapObjects', {trackAllocations: true});
    return () => call('HeapProfiler.stopTrackingHeapObjects');
  },
  profile() {
    const call = connect();
    call('HeapProfiler.startSampling', {samplingInterval: 512});
    return () => fs.writeFileSync(file, JSON.stringify(call('HeapProfiler.stopSampling').profile));
  },
  api() {
    const profile = v8.startHeapProfile({sampleInterval: 512});
    return () => fs.writeFileSync(file, profile.stop());
  },
};

function run() {
  const skipped = [];
  for (const piece of pieces) {
    try {
      require(path.resolve(piece));
    } catch (error) {
      skipped.push(path.basename(piece));
    }
  }
  return skipped;
}

let finish;
try {
  finish = modes[mode]();
} catch (error) {
  console.log(JSON.stringify({unsupported: error.message}));
  process.exit(3);
}
const skipped = run();
// Timers and promises run before the dump.
setTimeout(() => {
  finish();
  console.log(JSON.stringify({versions: process.versions, skipped}));
  process.exit(0);
}, 50);
