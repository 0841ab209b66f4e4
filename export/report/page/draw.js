'use strict';
// Elements, numbers and names. A name only ever becomes the text of an element or of an attribute.

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

/** A name without characters that are invisible or change the order of others. */
function clean(name) {
  if (name === '') return '<anon>';
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    letter => '\\u' + letter.charCodeAt(0).toString(16).padStart(4, '0'));
}

function nameOf(name) { return el('span', {class: 'name'}, clean(name)); }

function count(number) { return number.toLocaleString('en-GB'); }

function bytes(number) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let unit = 0;
  let value = Math.abs(number);
  while (value >= 1024 && unit + 1 < units.length) { value /= 1024; ++unit; }
  const text = (unit === 0 ? value : value.toFixed(1)) + '\u00a0' + units[unit];
  return number < 0 ? '\u2212' + text : text;
}

function percent(part, whole) {
  if (whole === 0) return '0\u00a0%';
  const share = 100 * part / whole;
  if (part !== 0 && share < 0.1) return 'under 0.1\u00a0%';
  return share.toFixed(1) + '\u00a0%';
}

function plural(number, noun) { return count(number) + ' ' + noun + (number === 1 ? '' : 's'); }

/** As much of a text as fits into that many pixels, or nothing. */
function fit(text, width) {
  const most = Math.floor(width / 6.7);
  if (most < 3) return '';
  return text.length <= most ? text : text.slice(0, most - 1) + '\u2026';
}

/** A section with a heading and a sentence about what it shows. */
function section(id, title, ...about) {
  const made = el('section', {id: id, 'aria-labelledby': id + '-title'},
    el('h2', {id: id + '-title'}, title), el('p', {class: 'dim'}, ...about));
  document.getElementById('page').append(made);
  return made;
}

/** Buttons of which one is pressed; `choose` is called with its value. */
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

/** Lets the keyboard reach the marks of a picture: the tab key the first, and the arrows the others. */
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

/** A mark that can be clicked and focused. */
function mark(attributes, label) {
  const made = svg('rect', Object.assign({tabindex: -1, role: 'img', 'aria-label': label}, attributes));
  return put(made, svg('title', {}, label));
}

/** The largest types have a colour each, which is the same in all pictures. */
const colours = new Map();
function colourOf(name) { return colours.has(name) ? 'c' + colours.get(name) : 'other'; }

/** Draws now, and again if the width of the page changes. */
function drawToFit(holder, draw) {
  let width = 0;
  const redraw = () => {
    const now = Math.max(320, holder.clientWidth);
    if (now !== width) { width = now; draw(width); }
  };
  redraw();
  window.addEventListener('resize', redraw);
  return () => draw(width);
}
