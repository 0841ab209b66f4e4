// A pool of connections, each with a buffer, that are used again.
'use strict';

class Connection {
  constructor(id) {
    this.id = id;
    this.buffer = Buffer.alloc(16384);
    this.history = [];
  }
  send(text) {
    this.buffer.write(text);
    this.history.push(text);
    if (this.history.length > 10) this.history.shift();
  }
}

const free = [];

function acquire() {
  return free.pop() ?? new Connection(free.length);
}

exports.step = (number) => {
  for (let i = 0; i < 200; ++i) {
    const used = Array.from({ length: 50 }, acquire);
    used.forEach((connection, index) => connection.send(`step ${number}, message ${i}, ${index}`));
    free.push(...used);
  }
};
