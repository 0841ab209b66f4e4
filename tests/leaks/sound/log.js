// A log that keeps the last 1,000 lines.
'use strict';

class Line {
  constructor(number, text) {
    this.number = number;
    this.text = `${number}: ${text} ${'.'.repeat(number % 80)}`;
    this.time = new Date(number);
  }
}

class Log {
  constructor(most) {
    this.most = most;
    this.lines = [];
  }
  write(text) {
    this.lines.push(new Line((this.count = (this.count ?? 0) + 1), text));
    if (this.lines.length > this.most) this.lines.shift();
  }
}

const log = new Log(1000);

exports.step = (number) => {
  for (let i = 0; i < 5000; ++i) log.write(`step ${number}`);
};
