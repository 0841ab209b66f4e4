'use strict';
const http = require('http');
const audit = require('./audit');
const catalogue = require('./catalogue');

const routes = {
  article(number, user) {
    audit.record(user, 'reads', `article ${number}`);
    return catalogue.find(Number(number));
  },
  search(word) {
    return catalogue.search(word).slice(0, 5);
  },
  reserve(number, user) {
    audit.record(user, 'reserves', `article ${number}`);
    catalogue.find(Number(number)).stock.reserved++;
    return {reserved: true};
  },
};

http.createServer((request, response) => {
  const [, route, argument] = request.url.split('/');
  const user = request.headers['x-user'] || 'anonymous';
  response.end(JSON.stringify(routes[route](argument, user)));
}).listen(Number(process.env.PORT), '127.0.0.1');
