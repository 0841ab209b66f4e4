// Listeners that are removed with their widgets.
'use strict';
const { EventEmitter } = require('node:events');

const bus = new EventEmitter();
bus.setMaxListeners(0);

class Widget {
  constructor(id) {
    this.id = id;
    this.cells = new Array(50).fill(id);
    this.onResize = () => this.cells.fill(0);
    bus.on('resize', this.onResize);
  }
  close() {
    bus.off('resize', this.onResize);
  }
}

exports.step = (number) => {
  for (let round = 0; round < 20; ++round) {
    const widgets = Array.from({ length: 100 }, (_, i) => new Widget(number * 1000 + i));
    bus.emit('resize');
    for (const widget of widgets) widget.close();
  }
};
