// The command line on top of the WebAssembly module: the words and exit statuses of the program. Commands and options
// that need what the module lacks are refused.
import {start, version} from '../index.mjs';
import {HeapcheckError} from '../module.mjs';
import {runQuestion} from './ask.mjs';
import {describeFailure, printError, status, writeOutput} from './print.mjs';
import {runConvert, runRecover} from './rewrite.mjs';
import {runValidate} from './validate.mjs';
import {readCommandLine, UsageError} from './words.mjs';

const functions = {validate: runValidate, convert: runConvert, recover: runRecover};
// The module is in a sandbox of its own, has one thread, and shows no progress.
const ignored = ['sandbox', 'jobs', 'no-progress'];
const unsupported = {
  validate: ['files-from', 'shard', 'cache', 'baseline', 'write-baseline', 'config', 'timeout'],
  convert: ['timeout'],
  recover: ['timeout'],
};

const onlyProgram = (what) => new UsageError(
    `${what} only in the program, which the package @heapcheck/linux-x64 contains for Linux on x86-64`);

/** Throws if the module cannot do what the words ask for. */
function checkSupport({command, values}) {
  if (!functions[command.name] && !command.is_question) throw onlyProgram(`the command ${command.name} is`);
  for (const name of unsupported[command.name] ?? ['timeout'])
    if (values.has(name) && !ignored.includes(name)) throw onlyProgram(`--${name} is`);
  if (values.get('for') === 'all') throw onlyProgram('--for all is');
}

async function runCommand(line) {
  checkSupport(line);
  const heapcheck = await start();
  const run = functions[line.command.name] ?? runQuestion;
  return run(heapcheck, line.command, line.values);
}

/** Runs a command line, without the name of the program. Returns the exit status. */
export async function run(words) {
  try {
    const line = readCommandLine(words);
    if (line.isVerbose) throw onlyProgram('--verbose is');
    if (line.help !== undefined) writeOutput(line.help);
    else if (line.isVersion) writeOutput(`heapcheck ${version}\n`);
    else return await runCommand(line);
    return status.sound;
  } catch (error) {
    if (error instanceof UsageError) printError(error.message);
    else if (error instanceof HeapcheckError) printError(error.message);
    else if (error.code !== undefined && error.syscall !== undefined)
      printError(`${error.path ?? error.dest ?? 'output'}: ${describeFailure(error)}`);
    else throw error;
    return error instanceof HeapcheckError && error.kind === 'limit' ? status.undecided : status.usage;
  }
}
