// Reads the words of a command line, as the program does. The commands and their options are in commands.json, which
// the program's own table generates.
import fs from 'node:fs';

import {findNearest, joinWords, suggest} from '../nearest.mjs';

export const {commands, help} = JSON.parse(fs.readFileSync(new URL('../commands.json', import.meta.url), 'utf8'));

/** A command line that cannot be run. `message` is for humans. */
export class UsageError extends Error {}

const refuse = (command, why) =>
    new UsageError(`${why}; see \`heapcheck ${command ? `${command.name} ` : ''}--help\``);

/** Numbers as C writes them: decimal, octal or hexadecimal. Null for any other text. */
function parseInteger(text) {
  if (!/^\s*\+?(0[xX][0-9a-fA-F]+|[0-9]+)$/.test(text)) return null;
  const digits = text.trim().replace('+', '');
  if (/^0[0-9]/.test(digits)) return /^[0-7]+$/.test(digits) ? BigInt(`0o${digits}`) : null;
  return BigInt(digits);
}

/** A size, or a text that says which sizes are expected; null if the text is no size. */
function parseSize(text, kind) {
  const [, digits, unit] = /^\s*([^a-zA-Z]*?0[xX][0-9a-fA-F]+|.*?)\s*([a-zA-Z]*)\s*$/.exec(text) ?? [];
  const known = /^(?:b|([kmgtpe])(?:b|i|ib)?)?$/i.exec(unit ?? '?');
  const isNegative = unit === '' && digits.startsWith('-');
  const number = parseInteger((isNegative ? digits.slice(1) : digits) ?? '');
  if (!known || number === null) return null;
  if (kind === 'limit' && (number === 0n || isNegative)) return '1 byte or more';
  if (isNegative) return '0 bytes or more';
  const most = kind === 'limit' ? 2n ** 64n - 1n : 10n ** 18n - 1n;
  const size = number * 1024n ** BigInt(known[1] ? 'kmgtpe'.indexOf(known[1].toLowerCase()) + 1 : 0);
  return size > most ? `at most ${most} bytes` : Math.min(Number(size), Number.MAX_SAFE_INTEGER);
}

function parsePercent(text) {
  const number = /^([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text) ? Number(text) : NaN;
  return number <= 100 ? number : null;
}

/** Flags can have values such as `--quiet=false`; null if the text is none. */
function parseFlag(text) {
  if (/^([1-9ty+]|true|on|yes|enable)$/i.test(text)) return true;
  if (/^([0fn-]|false|off|no|disable)$/i.test(text)) return false;
  const [number] = /^\s*[-+]?[0-9]+/.exec(text.length > 1 ? text : '') ?? [];
  return number === undefined ? null : Number(number) > 0;
}

/** The value of an option, or null if the text is wrong. */
function parseValue(option, text) {
  switch (option.kind) {
    case 'choice':
      return option.choices.includes(text) ? text : null;
    case 'count': {
      const number = parseInteger(text);
      return number !== null && number >= option.least && number <= option.most ? Number(number) : null;
    }
    case 'none':
      return text === undefined || parseFlag(text);
    case 'percent':
      return parsePercent(text);
    case 'file':
      return text || null;
    default:
      return text;
  }
}

function refuseValue(command, option, text, expected) {
  return refuse(command, `--${option.name}: found ${text || 'no value'}, expected ${expected}`);
}

function readValue(command, option, text) {
  const isSize = option.kind === 'limit' || option.kind === 'size';
  const value = isSize ? parseSize(text, option.kind) : parseValue(option, text);
  if (isSize && typeof value === 'string') throw refuseValue(command, option, text.trim(), value);
  if (value !== null) return value;
  const similar = option.kind === 'choice' ? suggest(text, option.choices) : '';
  throw refuseValue(command, option, text, `${option.expected}${similar}`);
}

function findOption(command, word) {
  if (word.startsWith('--')) return command.options.find((option) => option.name === word.slice(2).split('=')[0]);
  return command.options.find((option) => option.short_name && option.short_name === word[1]);
}

/** The value that is part of the word: `--limit=3`, `-oFILE`; undefined if there is none. */
function findOwnValue(word) {
  if (!word.startsWith('--')) return word.length > 2 ? word.slice(2) : undefined;
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : undefined;
}

/** Whether the word is an option, and not an argument such as `-`, `-1` or `---x`. */
const isOption = (word) => /^--?[^-! \n]/.test(word) && !/^-[0-9]/.test(word);
const isHelp = (word) => /^(--help(=|$)|-h)/.test(word);

/** The words split into options, as pairs of name and value, and arguments. */
function splitWords(command, words) {
  const split = {options: [], arguments: [], unknown: [], wantsHelp: false};
  for (let i = 0; i < words.length; ++i) {
    const word = words[i];
    if (word === '--') {
      split.arguments.push(...words.slice(i + 1));
      break;
    }
    if (!isOption(word)) {
      split.arguments.push(word);
      continue;
    }
    const option = findOption(command, word);
    if (isHelp(word)) {
      split.wantsHelp = true;
    } else if (!option) {
      split.unknown.push(word);
    } else if (option.kind === 'none') {
      split.options.push([option, findOwnValue(word)]);
    } else {
      const value = findOwnValue(word) ?? words[++i];
      if (value === undefined) throw refuse(command, `--${option.name}: found no value, expected ${option.expected}`);
      split.options.push([option, value]);
    }
  }
  return split;
}

/** Gives each argument its words: one, or for the last that is repeated, all that are left. */
function assignArguments(command, words) {
  const values = new Map();
  for (const argument of command.arguments) {
    if (words.length === 0) break;
    const given = argument.is_repeated ? words.splice(0) : words.splice(0, 1);
    for (const word of given) {
      if (argument.choices && !argument.choices.includes(word))
        throw refuse(command, `${argument.name}: found ${word}, expected ${joinWords(argument.choices, 'or')}` +
            suggest(word, argument.choices));
    }
    values.set(argument.name, argument.is_repeated ? given : given[0]);
  }
  return values;
}

const programOptions = [{name: 'help', short_name: 'h'}, {name: 'version'}, {name: 'verbose'}];

/** The option whose short name is that letter in either case or, failing that, the option whose name begins with it. */
function findByLetter(letter, options) {
  const isSame = (other) => other?.toLowerCase() === letter.toLowerCase();
  const short = options.find((option) => isSame(option.short_name));
  const long = options.find((option) => isSame(option.name[0]));
  return short ? `-${short.short_name}` : long ? `--${long.name}` : '';
}

const longName = (word) => (word.startsWith('--') ? word.slice(2).split('=')[0] : '');

function findNearOption(word, options) {
  const name = longName(word);
  if (name === '') return word.length === 2 ? findByLetter(word[1], options) : '';
  const nearest = findNearest(name, options.map((option) => option.name));
  return nearest && `--${nearest}`;
}

/** The suggestion for an option that other commands have: `; did you mean --output of validate, info and rules`. */
function suggestElsewhere(word) {
  const nearest = findNearest(longName(word), commands.flatMap(({options}) => options.map((option) => option.name)));
  if (nearest === '') return '';
  const owners = commands.filter(({options}) => options.some((option) => option.name === nearest));
  const list = joinWords(owners.map((owner) => owner.name), 'and');
  return nearest === longName(word) ? `; --${nearest} is an option of ${list}` :
                                      `; did you mean --${nearest} of ${list}`;
}

/** The suggestion for an unknown option; empty if no option is similar. */
function suggestOption(command, word) {
  let near = findNearOption(word, command?.options ?? []) || findNearOption(word, programOptions);
  if (command && near === '--version') near = '`heapcheck --version`';
  if (near === '--verbose') near = '`heapcheck --version --verbose`';
  return near ? `; did you mean ${near}` : suggestElsewhere(word);
}

/** The error about a missing argument or option; undefined if none is missing. */
function findMissing(command, values) {
  const missing = command.arguments.find((argument) => !argument.is_optional && !values.has(argument.name));
  const required = command.options.find((option) => option.is_required && !values.has(option.name));
  if (missing && missing.kind === 'file') return `${missing.name} is missing`;
  if (missing) return `found no ${missing.name}, expected ${missing.expected}`;
  return required && `--${required.name} is missing`;
}

/** The error about two options that cannot be combined; undefined if there are none. */
function findConflict(command, values) {
  const given = command.options.filter(({name}) => values.has(name));
  for (const option of given) {
    const other = given.find(({name, excludes}) => option.excludes === name || excludes === option.name);
    if (other) return `--${option.name} cannot be combined with --${other.name}`;
  }
  return undefined;
}

function checkUsage(command, values, split) {
  const missing = findMissing(command, values);
  const conflict = missing ? undefined : findConflict(command, values);
  if (conflict) throw refuse(command, conflict);
  const left = split.arguments;
  const unknown = [...split.unknown, ...left.filter((word) => /^-./s.test(word))][0];
  if (unknown) throw refuse(command, `unknown option ${unknown}${suggestOption(command, unknown)}`);
  if (missing) throw refuse(command, missing);
  if (left.length) throw refuse(command, `unexpected argument${left.length === 1 ? '' : 's'} ${left.join(' ')}`);
}

/** The values that were given to a command, by the names of its arguments and options. */
function readValues(command, split) {
  const values = assignArguments(command, split.arguments);
  for (const [option, text] of split.options) {
    const value = readValue(command, option, text);
    if (option.is_repeated) {
      values.set(option.name, [...(values.get(option.name) ?? []), value]);
    } else if (option.kind === 'none' && !value) {
      values.delete(option.name);
    } else if (values.has(option.name) && option.kind !== 'none') {
      throw refuse(command, `--${option.name} is given more than once`);
    } else {
      values.set(option.name, value);
    }
  }
  return values;
}

/** The default of an option that takes a choice or a count. */
export function defaultOf(command, name) {
  const option = command.options.find((known) => known.name === name);
  if (!option || (option.kind !== 'choice' && option.kind !== 'count')) return undefined;
  return parseValue(option, option.default) ?? undefined;
}

/** Reads a command line: `{command, values}`, `{help: TEXT}` or `{isVersion: true}`. Throws a UsageError. */
export function readCommandLine(words) {
  const names = commands.map((command) => command.name);
  const command = commands.find(({name}) => name === words[0]);
  if (['-', '--', undefined].includes(words[0]))
    throw refuse(null, `no command given; the commands are ${joinWords(names, 'and')}`);
  if (!command && !words[0].startsWith('-'))
    throw new UsageError(`unknown command ${words[0]}${suggest(words[0], names)}; the commands are ` +
        joinWords(names, 'and'));
  const empty = words.find((word) => word === '--' || /^--[^=]*=$/.test(word)) ?? '--';
  if (empty !== '--') throw new UsageError(`${empty} has no value after it`);
  if (!command) return readProgramOptions(words);
  const split = splitWords(command, words.slice(1));
  const values = readValues(command, split);
  if (split.wantsHelp) return {help: help[command.name]};
  checkUsage(command, values, split);
  return {command, values};
}

function readProgramOptions(words) {
  if (words.some(isHelp)) return {help: help['']};
  if (words.includes('--version')) return {isVersion: true, isVerbose: words.includes('--verbose')};
  if (words[0] === '--verbose') throw refuse(null, '--verbose needs --version');
  throw refuse(null, `unknown option ${words[0]}${suggestOption(null, words[0])}`);
}
