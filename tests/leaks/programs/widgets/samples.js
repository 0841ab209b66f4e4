'use strict';

// What the server sent: a year of samples.
const samples = Array.from({length: 30000}, (_, i) => ({day: i % 365, shop: `shop ${i % 33}`, value: i * 0.7 + 0.1}));
