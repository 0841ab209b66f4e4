// Data about objects in a WeakMap, and WeakRefs to objects: neither keeps anything in memory.
'use strict';

class Shape {
  constructor(id) {
    this.id = id;
  }
}

const areas = new WeakMap();
const recent = new Array(200);

exports.step = (number) => {
  for (let i = 0; i < 4000; ++i) {
    const shape = new Shape(number * 4000 + i);
    areas.set(shape, { area: i, label: `shape ${shape.id}`, points: [i, i + 1, i + 2] });
    recent[i % recent.length] = new WeakRef(shape);
  }
};
