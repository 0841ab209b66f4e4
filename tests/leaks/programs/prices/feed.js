'use strict';
const {EventEmitter} = require('events');

class PriceFeed extends EventEmitter {
  constructor(symbols) {
    super();
    this.setMaxListeners(0);
    this.quotes = new Map(symbols.map(symbol => [symbol, {bid: 100, ask: 101, history: new Array(80).fill(100)}]));
  }

  tick(symbol) {
    const quote = this.quotes.get(symbol);
    quote.bid += Math.random() - 0.5;
    quote.history.shift();
    quote.history.push(quote.bid);
    this.emit('tick', symbol, quote.bid);
  }
}

module.exports = {PriceFeed};
