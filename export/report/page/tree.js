/** The places of a tree as objects that know the place above them and those below. */
function buildTree(places) {
  const made = [];
  const line = [];
  for (const place of places) {
    const node = {place: place, above: place.depth === 0 ? null : line[place.depth - 1], below: []};
    if (node.above) node.above.below.push(node);
    line[place.depth] = node;
    made.push(node);
  }
  return made;
}

/** The bars from `focus` on: those above it as wide as the picture, those below it by their share. */
function layOut(focus, width) {
  const bars = [];
  const above = [];
  for (let node = focus.above; node; node = node.above) above.unshift(node);
  above.forEach((node, row) => bars.push({node: node, x: 0, width: width, row: row, isAbove: true}));
  const pending = [{node: focus, x: 0, width: width, row: above.length}];
  while (pending.length !== 0) {
    const bar = pending.pop();
    bars.push(bar);
    let x = bar.x;
    for (const child of bar.node.below) {
      const part = bar.node.place.retained === 0 ? 0 : bar.width * child.place.retained / bar.node.place.retained;
      if (part >= 1.5 && bar.row < above.length + 32) pending.push({node: child, x: x, width: part, row: bar.row + 1});
      x += part;
    }
  }
  return bars.sort((left, right) => left.row - right.row || left.x - right.x);
}

/** The places that a search finds, and the bytes in them; those inside others count once. */
function findPlaces(nodes, text) {
  const wanted = text.toLowerCase();
  const found = new Set();
  let size = 0;
  for (const node of nodes) {
    if (!clean(node.place.name).toLowerCase().includes(wanted)) continue;
    let outer = node.above;
    while (outer && !found.has(outer)) outer = outer.above;
    found.add(node);
    if (!outer) size += node.place.retained;
  }
  return {found: found, size: size};
}

class TreePicture {
  constructor(part, trees, words) {
    this.words = words;
    this.trees = new Map(trees.map(tree => [tree.of, buildTree(tree.places)]));
    this.isFlame = false;
    this.text = '';
    this.holder = el('div', {class: 'tree'});
    this.detail = el('p', {class: 'detail', 'aria-live': 'polite'}, 'Select a bar to zoom in. Escape or the bar at the root zooms out.');
    this.choose(trees[0].of);
    part.append(this.makeTools(trees), this.holder, this.detail);
    this.redraw = drawToFit(this.holder, width => this.draw(width));
  }

  makeTools(trees) {
    const tools = el('div', {class: 'tools'});
    const again = change => value => { change(value); this.redraw(); };
    tools.append(choices('Direction', [['icicle', 'Icicle'], ['flame', 'Flame']], again(value => { this.isFlame = value === 'flame'; })));
    if (trees.length > 1) tools.append(choices('Order', [['stacks', 'From the root'], ['inverted', 'Inverted']], again(value => this.choose(value))));
    const search = el('input', {type: 'search', placeholder: 'Search names', 'aria-label': 'Search names in the tree'});
    search.addEventListener('input', () => { this.text = search.value; this.redraw(); if (this.text === '') this.describe(this.focus); });
    const out = el('button', {type: 'button'}, 'Zoom out');
    out.addEventListener('click', () => this.zoom(this.nodes[0]));
    return put(tools, search, out);
  }

  choose(key) {
    this.nodes = this.trees.get(key);
    this.focus = this.nodes[0];
  }

  label(node) {
    const place = node.place;
    const total = this.nodes[0].place.retained;
    return `${clean(place.name)}: ${this.words.holds} ${bytes(place.retained)}, ${percent(place.retained, total)}; ` +
      `${bytes(place.size)} of its own${place.count ? '; ' + plural(place.count, this.words.item) : ''}`;
  }

  describe(node) { this.detail.textContent = this.label(node); }

  zoom(node) {
    this.focus = node;
    this.redraw();
    this.describe(node);
    const mark = this.holder.querySelector('[tabindex="0"]');
    if (mark && this.holder.contains(document.activeElement)) mark.focus();
  }

  draw(width) {
    const bars = layOut(this.focus, width);
    const height = 20;
    const rows = Math.max(...bars.map(bar => bar.row)) + 1;
    const search = this.text === '' ? null : findPlaces(this.nodes, this.text);
    const picture = svg('svg', {viewBox: `0 0 ${width} ${rows * height}`, role: 'group', 'aria-label': this.words.title, class: search ? 'searching' : ''});
    for (const bar of bars) this.drawBar(picture, bar, search, this.isFlame ? (rows - 1 - bar.row) * height : bar.row * height);
    this.holder.replaceChildren(picture);
    addKeys(picture, (made, key) => key === 'Escape' ? this.zoom(this.focus.above || this.focus) : made.dispatchEvent(new MouseEvent('click')));
    if (search) this.detail.textContent = `${plural(search.found.size, 'place')} found; together they hold ${bytes(search.size)}, ` +
      `${percent(search.size, this.nodes[0].place.retained)}. A place inside another counts once.`;
  }

  drawBar(picture, bar, search, y) {
    const node = bar.node;
    const kind = ['mark', colourOf(node.place.name), bar.isAbove ? 'above' : '', search && search.found.has(node) ? 'found' : ''];
    const made = mark({class: kind.join(' '), x: bar.x, y: y, width: bar.width, height: 19, tabindex: node === this.focus ? 0 : -1}, this.label(node));
    made.addEventListener('click', () => this.zoom(node));
    const share = percent(node.place.retained, this.nodes[0].place.retained);
    put(picture, made, svg('text', {x: bar.x + 4, y: y + 14}, fit(clean(node.place.name) + ' \u00b7 ' + share, bar.width - 6)));
  }
}

function showTree(data) {
  const isStacks = data.snapshot.content === 'stacks';
  const part = isStacks
    ? section('tree', 'Call stacks', 'Each bar is a function, as wide as the memory allocated in it and in what it calls. Inverted, the functions that allocated come first, with their callers below.')
    : section('tree', 'What holds the memory', 'Each bar is a type, as wide as what it retains; it lies below the type that keeps it alive (the dominator tree). The space below a bar that no other bar covers is its own size, and what is too small or too deep to show: select a bar to see more.');
  new TreePicture(part, data.trees, isStacks ? {title: 'Call stacks', holds: 'with callees', item: 'object'}
    : {title: 'Dominator tree by type', holds: 'retains', item: 'node'});
  const main = data.trees[0];
  if (main.is_cut) put(part, el('p', {class: 'dim'},
    `Left out: all but the ${count(main.places.length)} largest places; each of those left out holds at most ${bytes(Math.min(...main.places.map(place => place.retained)))}, ` +
    `${percent(Math.min(...main.places.map(place => place.retained)), main.places[0].retained)} of the total.`));
  put(part, makeTable('The tree as a table', [['Depth', row => count(row.depth)], ['Name', row => nameOf(row.name)],
    ['Count', row => count(row.count), row => row.count], ['Own size', row => bytes(row.size), row => row.size],
    [isStacks ? 'Cumulative' : 'Retained', row => bytes(row.retained), row => row.retained]], main.places));
}
