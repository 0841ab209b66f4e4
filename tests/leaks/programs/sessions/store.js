'use strict';

class Session {
  constructor(id, agent) {
    this.id = id;
    this.agent = agent;
    this.basket = [];
    this.flash = {notice: `Welcome, visitor ${id}`, level: 'info'};
    this.openedAt = new Date();
  }
}

class SessionStore {
  constructor(lifetime) {
    this.lifetime = lifetime;
    this.sessions = new Map();
  }

  find(id) {
    return this.sessions.get(id);
  }

  open(id, agent) {
    const session = new Session(id, agent);
    this.sessions.set(id, session);
    return session;
  }

  close(id) {
    this.sessions.delete(id);
  }
}

module.exports = {SessionStore};
