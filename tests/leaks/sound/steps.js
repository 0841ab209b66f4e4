// Runs a program that does not leak, and writes three snapshots: after a warm-up and after each of two loads.
// usage: node steps.js PROGRAM FOLDER
'use strict';
const path = require('node:path');
const v8 = require('node:v8');

async function main(program, folder) {
  const { step } = require(path.resolve(program));
  for (let number = 1; number <= 3; ++number) {
    await step(number);
    await new Promise((resolve) => setTimeout(resolve, 50)); // short timers run
    v8.writeHeapSnapshot(path.join(folder, `${number}.heapsnapshot`));
  }
}

main(process.argv[2], process.argv[3]);
