// Run it with `playwright test`.
'use strict';
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { test } = require('@playwright/test');
const { assertNoLeak, takeOfPage } = require('../heap_guard.js');

test('a visitor who leaves leaves nothing behind', async ({ page }) => {
  await page.goto(pathToFileURL(path.join(__dirname, '..', 'shop.html')).href);
  const session = await page.context().newCDPSession(page);
  await assertNoLeak(() => page.getByRole('button', { name: 'Visit' }).click(), {
    take: (file) => takeOfPage(session, file),
  });
});
