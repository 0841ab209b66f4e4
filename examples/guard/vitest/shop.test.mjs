// Run it with `vitest run`.
import { test } from 'vitest';
import guard from '../heap_guard.js';
import shops from '../shop.js';

let visitor = 0;

test('a visitor who leaves leaves nothing behind', { timeout: 60_000 }, async () => {
  await guard.assertNoLeak(() => {
    for (let i = 0; i < 1000; ++i) {
      shops.shop.visit(++visitor);
      shops.shop.leave(visitor);
    }
  });
});
