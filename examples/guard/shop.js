// A shop that keeps a session for each visitor.
'use strict';

class Session {
  constructor(visitor) {
    this.visitor = visitor;
    this.basket = ['book'];
  }
}

class Shop {
  sessions = new Map();

  visit(visitor) {
    this.sessions.set(visitor, new Session(visitor));
  }
  leave(visitor) {
    this.sessions.delete(visitor);
  }
}

exports.shop = new Shop();
