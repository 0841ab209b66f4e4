// Writes a timeline of its own process, with the stacks of allocations: node track.js FILE
const fs = require('fs');
const inspector = require('inspector');

class Kept {
  constructor(number) {
    this.number = number;
    this.text = `kept ${number}`;
  }
}

const kept = [];
const file = fs.openSync(process.argv[2], 'w');
const session = new inspector.Session();
const call = (method, parameters = {}) =>
  session.post(method, parameters, error => {
    if (error) throw new Error(error.message);
  });

session.connect();
session.on('HeapProfiler.addHeapSnapshotChunk', message => fs.writeSync(file, message.params.chunk));
call('HeapProfiler.startTrackingHeapObjects', {trackAllocations: true});
for (let number = 0; number < 2000; number++) kept.push(new Kept(number));
call('HeapProfiler.stopTrackingHeapObjects');
fs.closeSync(file);
