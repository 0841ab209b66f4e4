// Results for 300 keys, all of which occur in the warm-up.
'use strict';

const results = Object.create(null);

function render(key) {
  return (results[key] ??= { key, html: `<p>${key}</p>`.repeat(30), parts: key.split('-') });
}

exports.step = () => {
  for (let i = 0; i < 20000; ++i) render(`key-${i % 300}`);
};
