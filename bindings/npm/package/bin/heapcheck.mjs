#!/usr/bin/env node
// The command line. Runs the program for this platform if its package is installed, and otherwise the WebAssembly
// module.
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import os from 'node:os';
import process from 'node:process';

import {printError, status} from '../command/print.mjs';

/** The path of the program for this platform; null if its package is not installed. */
function findProgram() {
  try {
    return createRequire(import.meta.url).resolve(`@heapcheck/${process.platform}-${process.arch}/heapcheck`);
  } catch {
    return null;
  }
}

/** Runs the program, and passes on the signals that would end it. Returns its exit status, as a shell would; null if it
 * cannot be started. */
function runProgram(program, words) {
  return new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const pass = (signal) => child.kill(signal);
    for (const signal of signals) process.on(signal, pass);  // before the program runs, so that none is lost
    const child = spawn(program, words, {stdio: 'inherit'});
    child.on('error', () => {
      if (child.pid !== undefined) return;  // a signal could not be passed on
      for (const signal of signals) process.removeListener(signal, pass);
      resolve(null);
    });
    child.on('exit', (code, signal) => resolve(code ?? 128 + os.constants.signals[signal]));
  });
}

/** Runs the command line on top of the module. An error that nobody expected leaves the result undecided: the status 1,
 * which Node.js would use, means that there are findings. */
async function runModule(words) {
  try {
    const {run} = await import('../command/main.mjs');
    return await run(words);
  } catch (error) {
    printError(`found an internal error: ${error?.message ?? error}`);
    return status.undecided;
  }
}

const words = process.argv.slice(2);
const program = findProgram();
process.exitCode = (program && await runProgram(program, words)) ?? await runModule(words);
