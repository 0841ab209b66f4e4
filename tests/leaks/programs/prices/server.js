// Sends prices. The listener of a client stays when the client leaves, because `off` gets another function.
'use strict';
const http = require('http');
const {PriceFeed} = require('./feed');

const symbols = Array.from({length: 3000}, (_, i) => `SYM${i}`);
const feed = new PriceFeed(symbols);

function watch(symbol, response) {
  const client = {symbol, sent: 0, filters: [{above: 90}, {below: 110}], label: `client of ${symbol}`};
  feed.on('tick', function onTick(changed, bid) {
    if (changed === client.symbol && bid > client.filters[0].above) client.sent++;
  });
  response.on('close', () => feed.off('tick', function onTick() {}));
  response.end(JSON.stringify(feed.quotes.get(symbol).bid));
}

http.createServer((request, response) => {
  const [, action, symbol] = request.url.split('/');
  if (action === 'tick') {
    feed.tick(symbol);
    return response.end('ok');
  }
  return watch(symbol, response);
}).listen(Number(process.env.PORT), '127.0.0.1');
