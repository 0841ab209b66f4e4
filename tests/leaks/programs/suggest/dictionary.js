'use strict';
const syllables = ['ba', 'ke', 'li', 'mo', 'nu', 'ra', 'se', 'ti', 'vo', 'zu'];
const words = [];
for (let i = 0; i < 12000; i++) words.push([...String(i)].map(digit => syllables[digit]).join(''));

// Forms of the words, which are made once.
const plurals = new Map(words.map(word => [word, `${word}s`]));
const verbs = new Map(words.slice(0, 7000).map(word => [word, {past: `${word}ed`, isRegular: word.length > 4}]));
const sounds = new Map(words.slice(0, 6000).map(word => [word, [...word].map(letter => letter.charCodeAt(0))]));

module.exports = {words, plurals, verbs, sounds};
