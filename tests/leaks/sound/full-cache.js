// A cache of 500 pages. Once it is full, each new page replaces the oldest one.
'use strict';

class Page {
  constructor(path) {
    this.path = path;
    this.html = `<h1>${path}</h1>`.repeat(20);
    this.links = [path, path + '/next'];
  }
}

const cache = new Map();

function open(path) {
  if (!cache.has(path)) cache.set(path, new Page(path));
  if (cache.size > 500) cache.delete(cache.keys().next().value);
  return cache.get(path);
}

exports.step = (number) => {
  for (let i = 0; i < 3000; ++i) open(`/${number}/${i}`);
};
