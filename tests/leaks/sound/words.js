// Interns the words of texts. Each text has new words, but there are only 3,000, so that the table is complete soon
// after the first snapshot.
'use strict';

const interned = new Map();

class Word {
  constructor(text) {
    this.text = text;
    this.length = text.length;
    this.stem = text.slice(0, -2);
  }
}

function intern(text) {
  let word = interned.get(text);
  if (!word) interned.set(text, (word = new Word(text)));
  return word;
}

const texts = { 1: [0, 2500], 2: [2000, 3000], 3: [0, 3000] };

exports.step = (number) => {
  const [first, end] = texts[number];
  let letters = 0;
  for (let round = 0; round < 5; ++round) {
    for (let i = first; i < end; ++i) letters += intern(['word', i, 'ing'].join('')).length;
  }
  return letters;
};
