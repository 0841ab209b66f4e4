'use strict';

const customers = Array.from({length: 20000}, (_, i) => ({number: i, name: `Customer ${i}`, city: `City ${i % 300}`}));
