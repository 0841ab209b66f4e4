// Handles of files that are closed when nobody needs them: a FinalizationRegistry, a cache of WeakRefs, and
// WeakSets.
'use strict';

class File {
  constructor(path) {
    this.path = path;
    this.lines = Array.from({ length: 10 }, (_, i) => `${path}, line ${i}`);
  }
}

const opened = new Map();
const checked = new WeakSet();
const closing = new FinalizationRegistry((path) => {
  if (!opened.get(path)?.deref()) opened.delete(path);
});

function open(path) {
  const known = opened.get(path)?.deref();
  if (known) return known;
  const file = new File(path);
  opened.set(path, new WeakRef(file));
  closing.register(file, path);
  checked.add(file);
  return file;
}

exports.step = async (number) => {
  for (let i = 0; i < 3000; ++i) {
    open(`/${number}/${i}`);
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
};
