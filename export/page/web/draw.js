'use strict';
// Elements, numbers and names. A name is used only as the text of an element or an attribute.

function put(parent, ...children) {
  for (const child of children) if (child !== null && child !== undefined) parent.append(child);
  return parent;
}

function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  return put(made, ...children);
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  return put(made, ...children);
}

/** A text in a picture. Screen readers use the labels of the marks, and the tables. */
function write(attributes, text) { return svg('text', Object.assign({'aria-hidden': true}, attributes), text); }

/** A name without characters that are invisible or change the order of others. */
function clean(name) {
  if (name === '') return '<anon>';
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    letter => '\\u' + letter.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** A name; a line that is too narrow for it breaks after a separator if possible. */
function nameOf(name) {
  return el('span', {class: 'name'}, ...clean(name).split(/(?<=::|[./_])/u).flatMap((part, index) => index === 0 ? [part] : [el('wbr'), part]));
}

function count(number) { return number === null ? '-' : number.toLocaleString('en-GB'); }  // null: unknown

function bytes(number) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let unit = 0;
  let value = Math.abs(number);
  while (value >= 1024 && unit + 1 < units.length) { value /= 1024; ++unit; }
  const text = (unit === 0 ? value : value.toFixed(1)) + '\u00a0' + units[unit];
  return number < 0 ? '\u2212' + text : text;
}

/** A share without decimals, such as `20 %`. */
function wholePercent(share) {
  return Math.round(100 * share) + '\u00a0%';
}

function percent(part, whole) {
  if (whole === 0) return '0\u00a0%';
  const share = 100 * part / whole;
  if (part !== 0 && share < 0.1) return 'under 0.1\u00a0%';
  return share.toFixed(1) + '\u00a0%';
}

function plural(number, noun) { return count(number) + ' ' + noun + (number === 1 ? '' : 's'); }

const pen = document.createElement('canvas').getContext('2d');
let family = '';

/** The width of a string in pixels. */
function widthOf(text, font = '12px') {
  if (family === '') family = getComputedStyle(document.body).fontFamily;
  pen.font = font + ' ' + family;
  return pen.measureText(text).width;
}

/** The part of a string that fits in that many pixels, followed by all of `tail`; without the tail, or empty, if that leaves fewer than 6 letters, which would say little. */
function fit(text, width, tail = '', font = '12px') {
  if (widthOf(text + tail, font) <= width) return text + tail;
  const letters = Array.from(text);
  let least = 0;
  let most = letters.length;
  while (least + 1 < most) {
    const middle = (least + most) >> 1;
    if (widthOf(letters.slice(0, middle).join('') + '\u2026' + tail, font) <= width) least = middle; else most = middle;
  }
  if (least >= 6) return letters.slice(0, least).join('').trimEnd() + '\u2026' + tail;
  return tail === '' ? '' : fit(text, width, '', font);
}

/** The first of several texts that has room, or the part of the last one that has room. */
function fitOne(texts, width, font) {
  return fit(texts.find(text => widthOf(text, font) <= width) || texts[texts.length - 1], width, '', font);
}

/** A section with a heading and a sentence about what it shows. */
function section(id, title, ...about) {
  const made = el('section', {id: id, 'aria-labelledby': id + '-title'},
    el('h2', {id: id + '-title'}, title), el('p', {class: 'dim'}, ...about));
  document.getElementById('page').append(made);
  return made;
}

/** Buttons, one of which is pressed; `choose` is called with its value. */
function choices(label, options, choose) {
  const group = el('div', {class: 'tools', role: 'group', 'aria-label': label});
  options.forEach(([value, text], index) => {
    const button = el('button', {type: 'button', 'aria-pressed': index === 0, 'data-value': value}, text);
    button.addEventListener('click', () => {
      for (const other of group.querySelectorAll('button')) other.setAttribute('aria-pressed', other === button);
      choose(value);
    });
    group.append(button);
  });
  return group;
}

/** Makes the marks of a picture reachable by keyboard: the tab key reaches the first, and the arrow keys reach the others. */
function addKeys(picture, activate) {
  const marks = () => Array.from(picture.querySelectorAll('.mark'));
  picture.addEventListener('keydown', event => {
    const all = marks();
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    const steps = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -at, End: all.length - 1 - at};
    if (event.key in steps) {
      const next = all[Math.min(all.length - 1, Math.max(0, at + steps[event.key]))];
      all[at].setAttribute('tabindex', -1);
      next.setAttribute('tabindex', 0);
      next.focus();
    } else if (event.key === 'Enter' || event.key === ' ' || event.key === 'Escape') {
      activate(all[at], event.key);
    } else {
      return;
    }
    event.preventDefault();
  });
}

/** A mark that can be focused; a mark with an action has the role of a button. Its title is also its name for screen
 * readers, which would read it twice beside a label. */
function mark(attributes, label) {
  const made = svg('rect', Object.assign({tabindex: -1, role: 'img'}, attributes));
  return put(made, svg('title', {}, label));
}

/** Writes the texts that have room, largest values first; an item is {text, value, x, y, ...}, where x is its middle. */
function writeWithRoom(picture, items, width) {
  const taken = [];
  for (const item of items.slice().sort((left, right) => right.value - left.value)) {
    const half = widthOf(item.text) / 2;
    const x = Math.min(Math.max(item.x, half), width - half);
    if (taken.some(other => Math.abs(other.x - x) < other.half + half + 6 && Math.abs(other.y - item.y) < 14)) continue;
    taken.push({x: x, half: half, y: item.y});
    put(picture, write({x: x, y: item.y, 'text-anchor': 'middle', class: item.class}, item.text));
  }
}

/** Each of the largest types has a colour, which is the same in all pictures. */
const colours = new Map();
function colourOf(name) { return colours.has(name) ? 'c' + colours.get(name) : 'other'; }

/** The names of files, without the folders that they have in common. */
function shorten(files) {
  const folders = files.map(file => file.split('/').slice(0, -1));
  let same = 0;
  while (folders.every(folder => same < folder.length && folder[same] === folders[0][same])) ++same;
  return files.map(file => clean(file.split('/').slice(same).join('/')));
}

/** Draws now, and again if the width of the page changes. On paper, a picture is scaled to the width of the sheet. */
function drawToFit(holder, draw) {
  const sheet = 900;
  let width = 0;
  const redraw = () => {
    const now = Math.max(320, holder.clientWidth);
    if (now !== width) { width = now; draw(width); }
  };
  redraw();
  window.addEventListener('resize', redraw);
  window.addEventListener('beforeprint', () => { width = sheet; draw(width); });
  window.addEventListener('afterprint', redraw);
  return () => draw(width);
}
