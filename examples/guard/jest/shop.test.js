// Run it with `jest`.
'use strict';
const { assertNoLeak } = require('../heap_guard.js');
const { shop } = require('../shop.js');

let visitor = 0;

test('a visitor who leaves leaves nothing behind', async () => {
  await assertNoLeak(() => {
    for (let i = 0; i < 1000; ++i) {
      shop.visit(++visitor);
      shop.leave(visitor);
    }
  });
}, 60_000);
