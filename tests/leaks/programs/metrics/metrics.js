'use strict';

class Counter {
  constructor(name, labels) {
    this.name = name;
    this.labels = labels;
    this.value = 0;
  }
}

class Metrics {
  static counter(name, labels) {
    const key = `${name}{${Object.keys(labels).map(label => `${label}="${labels[label]}"`).join(',')}}`;
    const known = Metrics.counters[key];
    if (known) return known;
    return Metrics.counters[key] = new Counter(name, labels);
  }

  static expose() {
    return Object.keys(Metrics.counters).map(key => `${key} ${Metrics.counters[key].value}`).join('\n');
  }
}

Metrics.counters = Object.create(null);

module.exports = {Metrics};
