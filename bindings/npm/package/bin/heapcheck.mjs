#!/usr/bin/env node
// The command line. Runs the program for this platform if its package is installed, and otherwise the WebAssembly
// module.
import {spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import process from 'node:process';

/** The path of the program for this platform; null if its package is not installed. */
function findProgram() {
  try {
    return createRequire(import.meta.url).resolve(`@heapcheck/${process.platform}-${process.arch}/heapcheck`);
  } catch {
    return null;
  }
}

const program = findProgram();
const ended = program && spawnSync(program, process.argv.slice(2), {stdio: 'inherit'});
if (!ended || ended.error) {
  const {run} = await import('../command/main.mjs');
  process.exitCode = await run(process.argv.slice(2));
} else if (ended.signal) {
  process.kill(process.pid, ended.signal);
} else {
  process.exitCode = ended.status;
}
