'use strict';

// Remembers the result of each call.
module.exports = function memoize(compute) {
  const results = {};
  return function memoized(key) {
    if (!(key in results)) results[key] = compute(key);
    return results[key];
  };
};
