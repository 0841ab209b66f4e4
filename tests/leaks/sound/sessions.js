// Sessions that end: the same number of visitors is there at each time, but they are others.
'use strict';

class Session {
  constructor(id) {
    this.id = id;
    this.basket = [];
    this.agent = `browser ${id % 7}`;
  }
}

class SessionStore {
  constructor() {
    this.sessions = new Map();
  }
  open(id) {
    this.sessions.set(id, new Session(id));
  }
  close(id) {
    this.sessions.delete(id);
  }
}

const store = new SessionStore();
let next = 0;

exports.step = () => {
  for (let i = 0; i < 3000; ++i) {
    store.open(next);
    store.close(next - 400);
    ++next;
  }
};
