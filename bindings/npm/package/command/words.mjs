// Reads the words of a command line, as the program does. The commands and their options are in commands.json, which
// the program's own table generates.
import fs from 'node:fs';

import {joinWords, suggest} from '../nearest.mjs';

export const {commands, help} = JSON.parse(fs.readFileSync(new URL('../commands.json', import.meta.url), 'utf8'));

/** A command line that cannot be run. `message` is for humans. */
export class UsageError extends Error {}

const refuse = (command, why) =>
    new UsageError(`${why}; see \`heapcheck ${command ? `${command.name} ` : ''}--help\``);

/** Numbers as C writes them: decimal, octal or hexadecimal. Null for any other text. */
function parseInteger(text) {
  if (!/^\s*\+?(0[xX][0-9a-fA-F]+|[0-9]+)$/.test(text)) return null;
  const digits = text.trim().replace('+', '');
  if (/^0[0-9]/.test(digits)) return /^[0-7]+$/.test(digits) ? parseInt(digits, 8) : null;
  return Number(digits);
}

function parseSize(text) {
  const [, digits, unit] = /^\s*([^a-zA-Z]*?0[xX][0-9a-fA-F]+|.*?)\s*([a-zA-Z]*)\s*$/.exec(text) ?? [];
  const known = /^(?:b|([kmgtpe])(?:b|i|ib)?)?$/i.exec(unit ?? '?');
  const number = parseInteger(digits ?? '');
  if (!known || number === null) return null;
  return number * 1024 ** (known[1] ? 'kmgtpe'.indexOf(known[1].toLowerCase()) + 1 : 0);
}

function parsePercent(text) {
  const number = /^\+?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/i.test(text) ? Number(text) : NaN;
  return number >= 0 && number <= 100 ? number : null;
}

/** The value of an option, or null if the text is wrong. */
function parseValue(option, text) {
  switch (option.kind) {
    case 'choice':
      return option.choices.includes(text) ? text : null;
    case 'count': {
      const number = parseInteger(text);
      return number !== null && number >= option.least && number <= option.most ? number : null;
    }
    case 'limit':
      return parseSize(text) || null;
    case 'size':
      return parseSize(text);
    case 'percent':
      return parsePercent(text);
    case 'file':
      return text || null;
    default:
      return text;
  }
}

function readValue(command, option, text) {
  const value = parseValue(option, text);
  if (value !== null) return value;
  const similar = option.kind === 'choice' ? suggest(text, option.choices) : '';
  throw refuse(command, `--${option.name}: found ${text || 'no value'}, expected ${option.expected}${similar}`);
}

/** The words split into options, as pairs of name and value, and arguments. */
function splitWords(words) {
  const split = {options: [], arguments: [], unknown: []};
  const end = words.indexOf('--');
  const last = end < 0 ? words.length : end;
  return {split, rest: end < 0 ? [] : words.slice(end + 1), words: words.slice(0, last)};
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

const isOption = (word) => word.startsWith('-') && word !== '-';

function readWords(command, all) {
  const {split, rest, words} = splitWords(all);
  for (let i = 0; i < words.length; ++i) {
    const word = words[i];
    if (!isOption(word)) {
      split.arguments.push(word);
      continue;
    }
    const option = findOption(command, word);
    if (!option) {
      split.unknown.push(word);
    } else if (option.kind === 'none') {
      split.options.push([option, true]);
    } else {
      const value = findOwnValue(word) ?? words[++i];
      if (value === undefined) throw refuse(command, `--${option.name}: found no value, expected ${option.expected}`);
      split.options.push([option, value]);
    }
  }
  split.arguments.push(...rest);
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

function checkUsage(command, values, split) {
  const missing = command.arguments.find((argument) => !argument.is_optional && !values.has(argument.name));
  const required = command.options.find((option) => option.is_required && !values.has(option.name));
  if (split.unknown.length) {
    const [word] = split.unknown;
    const name = word.replace(/^--/, '').split('=')[0];
    const names = command.options.map((option) => option.name);
    const near = word.startsWith('--') ? suggest(name, names, '--') : '';
    const owners = commands.filter((other) => other.options.some((option) => option.name === name));
    const elsewhere = word.startsWith('--') && owners.length ?
      `; --${name} is an option of ${joinWords(owners.map((owner) => owner.name), 'and')}` : '';
    throw refuse(command, `unknown option ${word}${near || elsewhere}`);
  }
  if (missing && missing.kind === 'file') throw refuse(command, `${missing.name} is missing`);
  if (missing) throw refuse(command, `found no ${missing.name}, expected ${missing.expected}`);
  if (required) throw refuse(command, `--${required.name} is missing`);
  for (const option of command.options) {
    if (option.excludes && values.has(option.name) && values.has(option.excludes))
      throw refuse(command, `--${option.name} cannot be combined with --${option.excludes}`);
  }
  if (split.arguments.length)
    throw refuse(command,
                 `unexpected argument${split.arguments.length === 1 ? '' : 's'} ${split.arguments.join(' ')}`);
}

/** The values that were given to a command, by the names of its arguments and options. */
function readValues(command, split) {
  const values = assignArguments(command, split.arguments);
  for (const [option, text] of split.options) {
    const value = option.kind === 'none' ? true : readValue(command, option, text);
    if (option.is_repeated) {
      values.set(option.name, [...(values.get(option.name) ?? []), value]);
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
  if (words.length === 0)
    throw refuse(null, `no command given; the commands are ${joinWords(names, 'and')}`);
  if (!command && !words[0].startsWith('-'))
    throw new UsageError(`unknown command ${words[0]}${suggest(words[0], names)}; the commands are ` +
        joinWords(names, 'and'));
  const empty = words.find((word) => /^--[^=]+=$/.test(word));
  if (empty) throw new UsageError(`${empty} has no value after it`);
  if (!command) return readProgramOptions(words);
  const isHelp = (word) => word === '--help' || word === '-h';
  const split = readWords(command, words.slice(1).filter((word) => !isHelp(word)));
  const values = readValues(command, split);
  if (words.some(isHelp)) return {help: help[command.name]};
  checkUsage(command, values, split);
  return {command, values};
}

function readProgramOptions(words) {
  if (words.includes('--help') || words.includes('-h')) return {help: help['']};
  if (words.includes('--version')) return {isVersion: true};
  if (words[0] === '--verbose') throw refuse(null, '--verbose needs --version');
  throw refuse(null, `unknown option ${words[0]}${suggest(words[0].slice(2), ['help', 'version'], '--')}`);
}
