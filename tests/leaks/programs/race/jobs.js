'use strict';

// Resolved when the process is asked to stop.
let stop;
const stopped = new Promise(resolve => {
  stop = resolve;
});

class Interrupted extends Error {}

// Runs a job, which a stop interrupts.
function runUntilStopped(job) {
  return Promise.race([job, stopped.then(() => {
    throw new Interrupted();
  })]);
}

process.once('SIGTERM', () => stop());

module.exports = {runUntilStopped};
