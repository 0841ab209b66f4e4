// Timers that end or are cleared.
'use strict';

class Poll {
  constructor(name) {
    this.name = name;
    this.rows = Array.from({ length: 20 }, (_, i) => `${name}, row ${i}`);
  }
  start() {
    this.timer = setInterval(() => this.rows.reverse(), 1000);
  }
  stop() {
    clearInterval(this.timer);
  }
}

exports.step = async (number) => {
  const polls = Array.from({ length: 1000 }, (_, i) => new Poll(`poll ${number}.${i}`));
  for (const poll of polls) poll.start();
  await new Promise((resolve) => setTimeout(resolve, 10));
  for (const poll of polls) poll.stop();
};
