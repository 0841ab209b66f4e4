'use strict';

// The types of files, of which a real service reads several thousand.
function load() {
  const types = new Map([['png', {mime: 'image/png', compressed: true}]]);
  for (let i = 0; i < 6000; i++) types.set(`x-${i}`, {mime: `application/vnd.example.${i}`, compressed: i % 2 === 0});
  return types;
}

module.exports = {load};
