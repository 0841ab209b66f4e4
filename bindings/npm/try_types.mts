// Compiled with the types of the installed package, but never run.
import {ask, type Dump, HeapcheckError, open, type Report, validate} from 'heapcheck';
import {startHeapcheck} from 'heapcheck/module';

const report: Report = await validate('file', {reader: 'devtools', severity: {'json.*': 'off'}});
if (report.verdict === 'valid' && report.findings.length === 0) throw new HeapcheckError('damaged', 'no');
const dump: Dump = await open(new Uint8Array(3), {maxMemory: 1e9});
const stream: ReadableStream<Uint8Array> | null = dump.recover({allowLoss: true}).stream;
const answer = await ask([dump, new Blob()], 'diff', {by: 'size'});
const kind: string = new HeapcheckError('limit', 'too large').kind;
// @ts-expect-error there is no such verdict
report.verdict = 'fine';
// @ts-expect-error there is no such option
dump.recover({leve: 3});
// @ts-expect-error a number is no input
await open(3);
export const used = [stream, answer, kind, (await startHeapcheck(new Uint8Array())).version];
