// Worker threads that end with their jobs, and ports that are closed.
'use strict';
const { MessageChannel, Worker, isMainThread, parentPort } = require('node:worker_threads');

function run(job) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(__filename);
    worker.once('error', reject);
    worker.once('message', (answer) => worker.terminate().then(() => resolve(answer)));
    worker.postMessage(job);
  });
}

function exchange(text) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.once('message', (message) => {
      port1.close();
      resolve(message.text.length);
    });
    port1.postMessage({ text, lines: text.split(' ') });
  });
}

exports.step = async (number) => {
  for (let i = 0; i < 4; ++i) await Promise.all([0, 1].map((k) => run({ id: number * 10 + i + k, rows: 500 })));
  for (let i = 0; i < 300; ++i) await exchange(`message ${i} of step ${number}`);
};

if (!isMainThread) {
  parentPort?.on('message', ({ id, rows }) => {
    const table = Array.from({ length: rows }, (_, i) => ({ id, row: i, text: `row ${i}` }));
    parentPort.postMessage({ id, size: JSON.stringify(table).length });
  });
}
