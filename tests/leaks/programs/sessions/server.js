// A shop. Visitors without a cookie, such as crawlers, get a new session with every request.
'use strict';
const crypto = require('crypto');
const http = require('http');
const {SessionStore} = require('./store');

// Prices by postcode, which are loaded once.
const rates = new Map();
for (let code = 10000; code < 22000; code++) rates.set(String(code), {zone: code % 7, price: code % 90 + 0.5});

const store = new SessionStore(30 * 60 * 1000);

function findSession(request) {
  const cookie = /sid=(\w+)/.exec(request.headers.cookie || '');
  const known = cookie && store.find(cookie[1]);
  if (known) return known;
  return store.open(crypto.randomBytes(16).toString('hex'), String(request.headers['user-agent']));
}

function showShop(request, response) {
  const session = findSession(request);
  session.basket.push({article: request.url.length, count: 1});
  response.setHeader('Set-Cookie', `sid=${session.id}`);
  response.end(`<h1>${session.flash.notice}</h1>`);
}

function showRates(request, response) {
  const zone = Number(request.url.split('/')[2]) % 7;
  const rows = [...rates].filter(([, rate]) => rate.zone === zone).map(([code, rate]) => ({code, ...rate}));
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(rows.slice(0, 20)));
}

http.createServer((request, response) => {
  if (request.url.startsWith('/rates/')) return showRates(request, response);
  return showShop(request, response);
}).listen(Number(process.env.PORT), '127.0.0.1');
