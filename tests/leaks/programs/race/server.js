// Renders reports. Every call of Promise.race adds reactions to a promise that is pending as long as the process runs.
'use strict';
const http = require('http');
const {runUntilStopped} = require('./jobs');

const accounts = Array.from({length: 15000}, (_, i) => ({number: i, owner: `owner ${i % 500}`, balance: i * 3}));

async function render(number) {
  const lines = accounts.filter(account => account.number % 1000 === number % 1000);
  await new Promise(resolve => setImmediate(resolve));
  return {title: `report ${number}`, lines: lines.map(line => ({...line, text: `${line.owner}: ${line.balance}`}))};
}

http.createServer(async (request, response) => {
  const report = await runUntilStopped(render(Number(request.url.split('/')[2])));
  response.end(JSON.stringify(report.lines.length));
}).listen(Number(process.env.PORT), '127.0.0.1');
