// A queue of jobs that is emptied in each step.
'use strict';

class Job {
  constructor(id) {
    this.id = id;
    this.input = new Float64Array(16).fill(id);
    this.done = () => this.input.fill(0);
  }
}

const queue = [];
const statistics = { jobs: 0, longest: 0 };

exports.step = async (number) => {
  for (let i = 0; i < 3000; ++i) queue.push(new Job(number * i));
  statistics.longest = Math.max(statistics.longest, queue.length);
  while (queue.length > 0) {
    queue.shift().done();
    statistics.jobs += 1;
    if (queue.length % 500 === 0) await null;
  }
};
