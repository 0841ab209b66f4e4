// Functions that become hot one after the other, so that the engine keeps compiling.
'use strict';

const operations = Array.from({ length: 60 }, (_, i) => new Function('a', 'b', `
  let total = ${i};
  for (let k = 0; k < 50; ++k) total += (a.x * k + b.y) % ${i + 7};
  return total;`));

exports.step = (number) => {
  let sum = 0;
  for (const operation of operations.slice(0, 20 * number)) {
    for (let i = 0; i < 20000; ++i) sum += operation({ x: i, n: number }, { y: i, m: number });
  }
  return sum;
};
