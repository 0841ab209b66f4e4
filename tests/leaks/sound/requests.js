// Each request has its own objects, which die with it.
'use strict';

class Request {
  constructor(id) {
    this.id = id;
    this.headers = { host: 'example.org', cookie: `session=${id}` };
    this.body = 'x'.repeat(100) + id;
  }
}

async function handle(id) {
  const request = new Request(id);
  await null;
  return JSON.parse(JSON.stringify(request)).body.length;
}

exports.step = async (number) => {
  for (let i = 0; i < 300; ++i) await Promise.all(Array.from({ length: 30 }, (_, k) => handle(number * i + k)));
};
