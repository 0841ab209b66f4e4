'use strict';

// Keeps each page by its address, of which the query is a part, so that the back button is fast.
const router = (() => {
  const pages = new Map();
  return {
    open(address, load) {
      if (!pages.has(address)) pages.set(address, load(address));
      return pages.get(address);
    },
  };
})();
