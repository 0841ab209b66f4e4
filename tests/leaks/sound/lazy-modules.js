// Loads modules of Node.js, and one of its own, when they are first needed: some in each of the first two steps.
'use strict';

const needed = { 1: ['node:zlib', 'node:url'], 2: ['node:http', 'node:https', 'node:dns', './full-cache.js'] };

exports.step = (number) => {
  for (const name of needed[number] ?? []) require(name);
  for (let i = 0; i < 2000; ++i) new (require('node:url').URL)(`http://example.org/${i}`).searchParams.get('a');
};
