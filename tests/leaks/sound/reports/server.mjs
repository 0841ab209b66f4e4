// Writes reports. The module for each form is loaded when it is first needed, jobs have a time limit whose timer is
// stopped, and the context of a request ends with it.
import {AsyncLocalStorage} from 'node:async_hooks';
import http from 'node:http';

const context = new AsyncLocalStorage();
const rows = Array.from({length: 4000}, (_, i) => ({article: i, sold: i * 7 % 50, shop: `Shop ${i % 40}`}));

async function withLimit(milliseconds, job) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await job(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function makeReport(form, signal) {
  const {write} = await import(`./${form}.mjs`);
  signal.throwIfAborted();
  signal.addEventListener('abort', () => context.getStore().problems.push('too late'), {once: true});
  const {number} = context.getStore();
  return write(rows.filter(row => row.article % 100 === number % 100));
}

http.createServer((request, response) => {
  const [, form, number] = request.url.split('/');
  context.run({number: Number(number), problems: [], started: new Date()}, async () => {
    response.end(await withLimit(60000, signal => makeReport(form, signal)));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
