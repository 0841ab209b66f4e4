'use strict';
const hooks = [];

function onShutdown(hook) {
  hooks.push(hook);
}

async function shutDown() {
  while (hooks.length > 0) await hooks.pop()();
}

process.once('SIGTERM', () => shutDown().then(() => process.exit(0)));

module.exports = {onShutdown};
