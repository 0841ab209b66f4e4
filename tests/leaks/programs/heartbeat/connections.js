'use strict';

class Connection {
  constructor(id, topics) {
    this.id = id;
    this.topics = topics;
    this.queue = Array.from({length: 12}, (_, n) => ({sequence: n, body: `message ${n} of ${id}`}));
    this.lastSeen = Date.now();
  }

  startHeartbeat(interval) {
    this.timer = setInterval(() => this.beat(), interval);
  }

  beat() {
    if (Date.now() - this.lastSeen > 60000) this.queue.length = 0;
  }

  close() {
    this.isClosed = true;
  }
}

module.exports = {Connection};
