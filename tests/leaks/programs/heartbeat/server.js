// Long polling. `close` forgets to stop the timer.
'use strict';
const http = require('http');
const {Connection} = require('./connections');

const INTERVAL = 15000;
const topics = Array.from({length: 9000}, (_, i) => ({id: i, title: `topic number ${i}`, readers: 0}));

async function poll(id) {
  const connection = new Connection(id, topics.filter(topic => topic.id % 2000 === Number(id) % 2000));
  connection.startHeartbeat(INTERVAL);
  await new Promise(resolve => setImmediate(resolve));
  const answer = JSON.stringify(connection.queue);
  connection.close();
  return answer;
}

http.createServer(async (request, response) => {
  response.end(await poll(request.url.slice(6)));
}).listen(Number(process.env.PORT), '127.0.0.1');
