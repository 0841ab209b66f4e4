// Sends messages to the endpoints of customers. Some endpoints no longer exist.
'use strict';
const http = require('http');
const {Delivery, RetryQueue} = require('./queue');

const customers = new Map();
for (let i = 0; i < 40000; i++)
  customers.set(`c${i}`, {name: `Customer ${i}`, endpoint: `https://hooks.example/${i}`, tags: ['new', i % 7],
    quota: {used: 0}});

const queue = new RetryQueue();

async function send({address, body}) {
  await new Promise(resolve => setImmediate(resolve));
  if (address.endsWith('3')) throw new Error(`no answer from ${address}`);
  return body.length;
}

http.createServer(async (request, response) => {
  const customer = customers.get(request.url.slice(1));
  const delivery = new Delivery(customer.endpoint, {event: 'paid', at: Date.now(), amount: customer.name.length});
  customer.quota.used++;
  await queue.deliver(delivery, send);
  await queue.retry(send);
  response.end('accepted');
}).listen(Number(process.env.PORT), '127.0.0.1');
