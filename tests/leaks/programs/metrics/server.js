// Finds places near a user. The label `user` makes a new counter for each of them.
'use strict';
const http = require('http');
const {Metrics} = require('./metrics');

class Place {
  constructor(number) {
    this.name = `place ${number}`;
    this.position = {latitude: number % 180 - 90 + 0.5, longitude: number % 360 - 180 + 0.5};
    this.reviews = [{stars: number % 5, text: `review of ${number}`}, {stars: 3, text: 'nice'}];
  }
}

const places = Array.from({length: 30000}, (_, number) => new Place(number));

function findNear(latitude) {
  return places.filter(place => Math.abs(place.position.latitude - latitude) < 1).map(place => ({...place}));
}

http.createServer((request, response) => {
  const [, user, latitude] = request.url.split('/');
  if (user === 'metrics') return response.end(Metrics.expose());
  Metrics.counter('requests', {route: 'near', user}).value++;
  return response.end(JSON.stringify(findNear(Number(latitude)).slice(0, 3)));
}).listen(Number(process.env.PORT), '127.0.0.1');
