// Checks the options of the functions, so that a wrong one is not ignored.

import {joinWords, suggest} from './nearest.mjs';

const show = (value) => (typeof value === 'string' ? JSON.stringify(value) : String(value));

function expectType(name, value, isRight, expected) {
  if (!isRight) throw new TypeError(`${name}: found ${show(value)}, expected ${expected}`);
}

function checkString(name, value) {
  expectType(name, value, typeof value === 'string', 'a string');
}

function checkFlag(name, value) {
  expectType(name, value, typeof value === 'boolean', 'true or false');
}

function checkList(name, value) {
  const isRight = Array.isArray(value) && value.every((item) => typeof item === 'string');
  expectType(name, value, isRight, 'an array of strings');
}

/** A check for a whole number in that range. */
const checkCount = (least, most = Number.MAX_SAFE_INTEGER) => (name, value) => {
  expectType(name, value, typeof value === 'number', 'a number');
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${name}: found ${value}, expected a whole number from ${least} to ${most}`);
};

/** A check for one of these strings. */
const checkChoice = (...choices) => (name, value) => {
  checkString(name, value);
  if (!choices.includes(value))
    throw new RangeError(`${name}: found ${show(value)}, expected ${joinWords(choices, 'or')}`);
};

const checkLevel = checkChoice('error', 'warning', 'note', 'off');

function checkSeverity(name, value) {
  if (Array.isArray(value)) return checkList(name, value);
  expectType(name, value, typeof value === 'object' && value !== null, 'an object or an array of strings');
  for (const [pattern, level] of Object.entries(value)) checkLevel(`${name}: ${pattern}`, level);
}

const checks = {
  name: checkString,
  maxMemory: checkCount(1),
  maxExpanded: checkCount(1),
  reader: checkString,
  select: checkList,
  ignore: checkList,
  severity: checkSeverity,
  hide: checkChoice('note', 'warning'),
  maxPerRule: checkCount(0),
  to: checkString,
  allowLoss: checkFlag,
  level: checkCount(1, 19),
};

// The names of the options of each function.
const opening = ['name', 'maxMemory', 'maxExpanded'];
const checking = ['reader', 'select', 'ignore', 'severity', 'hide', 'maxPerRule'];
const writing = ['allowLoss', 'level'];
export const optionsOf = {
  open: opening,
  validate: [...opening, ...checking],
  validateOpen: checking,
  convert: writing,
  recover: ['to', ...writing],
};

/** Throws a TypeError or a RangeError if an option has a wrong value, or if it is none of these `names`. Options that
 * are undefined are not given. */
export function checkOptions(options = {}, names) {
  expectType('options', options, typeof options === 'object' && options !== null, 'an object');
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name))
      throw new TypeError(`found the option ${name}, expected ${joinWords(names, 'or')}${suggest(name, names)}`);
    if (value !== undefined) checks[name](name, value);
  }
}

/** Throws a TypeError if the target of a conversion is not a string. */
export const checkTarget = (to) => checkString('to', to);
