// Measures the module and the program with one file: the time of a single thread and the largest memory.
//
//     node bindings/wasm/measure.mjs PROGRAM MODULE FILE
//
// Prints the processor time, in seconds, that the program takes with one thread, and that the module takes for the
// first call and for the third, and each share of the program's speed. The memory is that of the process for the
// program, and that of the instance for the module. Like the program, the module frees what it has read when it is no
// longer needed for the question.
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import process from 'node:process';

import {startHeapcheck} from './module.mjs';

const [program, module, file] = process.argv.slice(2);

/** The time that the main thread has spent running, without the threads that compile. */
function threadSeconds() {
  return Number(fs.readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
}

/** Runs the program: its processor time in seconds and its memory in MiB. */
function runProgram(words) {
  const script = 'import os, sys; pid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:]); ' +
      'usage = os.wait4(pid, 0)[2]; print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, file=sys.stderr)';
  const {stderr} = spawnSync('python3', ['-c', script, program, ...words], {encoding: 'utf8', maxBuffer: 1 << 30});
  const [seconds, memory] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return {seconds, memory};
}

/** Runs `use` with the dump, opened for each call in a new instance of the compiled module. */
async function runModule(code, calls, use) {
  const times = [];
  let memory = 0;
  for (let call = 0; call < calls; ++call) {
    const heapcheck = await startHeapcheck(code);
    const descriptor = fs.openSync(file);
    const dump = heapcheck.open({
      size: fs.fstatSync(descriptor).size,
      read: (offset, buffer) => fs.readSync(descriptor, buffer, 0, buffer.length, offset),
    });
    const start = threadSeconds();
    use(dump, heapcheck);
    times.push(threadSeconds() - start);
    memory = heapcheck.byteCount / (1 << 20);
    fs.closeSync(descriptor);
  }
  return {times, memory};
}

const code = await WebAssembly.compile(fs.readFileSync(module));
const tasks = [
  ['validate', ['validate', '--jobs', '1', '--no-progress', '--quiet', file], (dump) => dump.validate()],
  ['retained', ['retained', '--no-progress', '--limit', '30', file], 
   (dump, heapcheck) => heapcheck.ask([dump], 'retained', {limit: 30}, true)],
];
for (const [name, words, use] of tasks) {
  const expected = runProgram(words);
  const {times, memory} = await runModule(code, 3, use);
  const [first, warm] = [times[0], times.at(-1)];
  const share = (time) => `${time.toFixed(2)} s (${(expected.seconds / time).toFixed(2)} of the program's speed)`;
  console.log(`${name}: program ${expected.seconds.toFixed(2)} s, ${expected.memory.toFixed(0)} MiB; module first ` +
      `${share(first)}, third ${share(warm)}, ${memory.toFixed(0)} MiB (${(memory / expected.memory).toFixed(2)})`);
}
