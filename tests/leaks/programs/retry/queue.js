'use strict';

class Delivery {
  constructor(address, body) {
    this.address = address;
    this.body = body;
    this.attempts = 0;
    this.errors = [];
  }
}

class RetryQueue {
  #failed = [];

  async deliver(delivery, send) {
    try {
      delivery.attempts++;
      await send(delivery);
    } catch (error) {
      delivery.errors.push(error.message);
      this.#failed.push(delivery);
    }
  }

  // Takes the deliveries that were not tried often yet; nothing removes the others.
  async retry(send) {
    for (const delivery of this.#failed.filter(({attempts}) => attempts < 2).slice(0, 5)) {
      delivery.attempts++;
      await send(delivery).catch(error => delivery.errors.push(error.message));
    }
  }
}

module.exports = {Delivery, RetryQueue};
