// Tries how the command of an installed package ends: when a signal ends the program that it runs, when it receives a
// signal itself, when the program cannot be started, and when something in it fails that nobody expected.
//
//     node bindings/npm/try_ends.mjs WITH-PROGRAM WITH-MODULE
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const [withProgram, withModule] = process.argv.slice(2).map((folder) => path.resolve(folder));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'heapcheck-'));

/** A copy of an installed package, with another file in one place. Returns the path of its command. */
function copyWith(installed, file, content, mode) {
  const copy = fs.mkdtempSync(path.join(scratch, 'copy-'));
  fs.cpSync(path.join(installed, 'node_modules'), path.join(copy, 'node_modules'), {recursive: true});
  const changed = path.join(copy, 'node_modules', file);
  fs.rmSync(changed);
  fs.writeFileSync(changed, content, {mode});
  return path.join(copy, 'node_modules/heapcheck/bin/heapcheck.mjs');
}

const copyWithProgram = (script, mode = 0o755) =>
    copyWith(withProgram, '@heapcheck/linux-x64/heapcheck', `#!/bin/sh\n${script}\n`, mode);
const run = (command, ...words) => spawnSync(process.execPath, [command, ...words], {encoding: 'utf8'});

// The exit status of the program, or of a shell if a signal ended it.
assert.equal(run(copyWithProgram('exit 3')).status, 3);
for (const signal of ['PIPE', 'USR1', 'KILL']) {
  const {status} = run(copyWithProgram(`kill -${signal} $$`));
  assert.equal(status, 128 + os.constants.signals[`SIG${signal}`], signal);
}
assert.match(run(copyWithProgram('', 0o644), '--version').stdout, /^heapcheck [0-9]/);

// Signals are passed on to the program, so that it does not go on without the command.
const waiting = copyWithProgram(`trap 'exit 10' INT; trap 'exit 11' TERM; trap 'exit 12' HUP; echo ready
for i in 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9; do sleep 1; done`);
for (const [signal, status] of [['SIGINT', 10], ['SIGTERM', 11], ['SIGHUP', 12]]) {
  const child = spawn(process.execPath, [waiting]);
  await once(child.stdout, 'data');
  child.kill(signal);
  assert.deepEqual(await once(child, 'exit'), [status, null]);
}

// The status 1 would mean that there are findings.
for (const file of ['heapcheck.wasm', 'commands.json', 'module.mjs']) {
  const {status, stdout, stderr} =
      run(copyWith(withModule, `heapcheck/${file}`, 'damaged', 0o644), 'validate', process.argv[1]);
  assert.equal(status, 5, file);
  assert.equal(stdout, '');
  assert.match(stderr, /^heapcheck: found an internal error: .+\n$/);
}

fs.rmSync(scratch, {recursive: true});
console.log('the command ends as expected');
