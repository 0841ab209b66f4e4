// Suggests words. Every query, however rare, stays in the table of memoized results.
'use strict';
const http = require('http');
const memoize = require('./memoize');

const {words, plurals, verbs, sounds} = require('./dictionary');

function distance(a, b) {
  let same = 0;
  for (let i = 0; i < Math.min(a.length, b.length); i++) same += a[i] === b[i] ? 1 : 0;
  return Math.max(a.length, b.length) - same;
}

const suggest = memoize(query => {
  const start = query.length * 97 % 9000;
  return words.slice(start, start + 40)
    .map(word => ({word, score: distance(word, query) + query.length / 100, query}))
    .sort((one, other) => one.score - other.score)
    .slice(0, 15);
});

http.createServer((request, response) => {
  if (request.url === '/size') return response.end(String(plurals.size + verbs.size + sounds.size));
  const query = decodeURIComponent(request.url.split('?q=')[1] || '');
  return response.end(JSON.stringify(suggest(query).map(({word}) => word)));
}).listen(Number(process.env.PORT), '127.0.0.1');
