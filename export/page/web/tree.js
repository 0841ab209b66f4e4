class TreePicture {
  constructor(part, trees, words) {
    this.words = words;
    this.trees = new Map(trees.map(tree => [tree.of, buildTree(tree.places, tree.marks)]));
    this.isFlame = false;
    this.text = '';
    this.holder = el('div', {class: 'tree'});
    this.detail = el('div', {class: 'detail'}, el('p', {'aria-live': 'polite'}, 'Select a bar to zoom in. Escape or the bar at the root zooms out.'));
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
    out.addEventListener('click', () => this.zoom(this.bars[0]));
    return put(tools, search, out);
  }

  choose(key) {
    this.bars = this.trees.get(key);
    this.focus = this.bars[0];
  }

  share(bar) { return percent(bar.places[0].retained, this.bars[0].places[0].retained); }

  label(bar) {
    const sum = field => bar.places.reduce((all, place) => all + place[field], 0);
    return `${nameOfBar(bar)}: ${this.words.holds} ${bytes(bar.places[0].retained)}, ${this.share(bar)}; ` +
      `${bytes(sum('size'))} of its own${sum('count') ? '; ' + plural(sum('count'), this.words.item) : ''}` + this.allocatedBy(bar, sum) + (bar.mark ? `. ${bar.mark.titles[0]}: ${bar.mark.notes[0]}` : '');
  }

  /** The total that the functions of a bar allocated, if it is known: `; allocated 2.1 MiB in total, 300 objects`. */
  allocatedBy(bar, sum) {
    return bar.places[0].allocated_size === undefined ? '' : ` still alive; allocated ${bytes(sum('allocated_size'))} in total, ${plural(sum('allocated_count'), this.words.item)}`;
  }

  /** Describes a bar, and the path to it, on which each bar can be selected. */
  describe(bar) {
    const way = el('ol', {class: 'path', 'aria-label': 'Path from the root'});
    const above = [];
    for (let next = bar.above; next; next = next.above) above.unshift(next);
    const leftOut = above.length > 16 ? above.splice(4, above.length - 16).length : 0;
    above.forEach((next, index) => {
      if (leftOut !== 0 && index === 4) put(way, el('li', {class: 'dim'}, plural(leftOut, 'bar') + ' left out'));
      const button = el('button', {type: 'button', class: 'name'}, nameOfBar(next));
      button.addEventListener('click', () => this.zoom(next));
      put(way, el('li', {}, button));
    });
    this.detail.firstChild.textContent = this.label(bar);
    this.detail.replaceChildren(this.detail.firstChild, ...(above.length === 0 ? [] : [put(way, el('li', {class: 'name'}, nameOfBar(bar)))]));
  }

  zoom(bar) {
    this.focus = bar;
    const hadFocus = this.holder.contains(document.activeElement) || this.detail.contains(document.activeElement);
    this.redraw();
    this.describe(bar);
    const mark = this.holder.querySelector('[tabindex="0"]');
    if (mark && hadFocus) mark.focus();
  }

  draw(width) {
    const bars = layOut(this.focus, width);
    for (const drawn of bars) drawn.lines = labelBar(drawn.bar, drawn.width - 10, this.share(drawn.bar));
    const starts = placeRows(bars);
    const height = starts.at(-1);
    const search = this.text === '' ? null : findBars(this.bars, this.text);
    const picture = svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': this.words.title, class: search ? 'searching' : ''});
    for (const drawn of bars) {
      const end = starts[drawn.row + 1];
      this.drawBar(picture, drawn, search, this.isFlame ? height - end : starts[drawn.row], end - starts[drawn.row] - 1);
    }
    this.holder.replaceChildren(picture);
    addKeys(picture, (made, key) => key === 'Escape' ? this.zoom(this.focus.above || this.focus) : made.dispatchEvent(new MouseEvent('click')));
    if (search) this.detail.firstChild.textContent = `${plural(search.count, 'place')} found; together they hold ${bytes(search.size)}, ` +
      `${percent(search.size, this.bars[0].places[0].retained)}. A place inside another is counted once.`;
  }

  drawBar(picture, drawn, search, y, height) {
    const bar = drawn.bar;
    const kind = ['mark', colourOf(bar.places.at(-1).name), drawn.isAbove ? 'above' : '', search && search.found.has(bar) ? 'found' : '', bar.mark ? 'suspect' : ''];
    const inset = bar.mark ? 1.5 : 0;  // so that no other bar covers the outline
    const made = mark({class: kind.join(' '), x: drawn.x + inset, y: y + inset, width: Math.max(1, drawn.width - 2 * inset), height: height - 2 * inset,
      role: 'button', tabindex: bar === this.focus ? 0 : -1}, this.label(bar));
    made.addEventListener('click', () => this.zoom(bar));
    const room = drawn.width - 10;
    put(picture, made);
    if (bar.mark) {
      put(picture, write({x: drawn.x + 6, y: y + 18, class: 'title'}, fitOne(bar.mark.titles, room, 'bold 14px')),
        write({x: drawn.x + 6, y: y + 35}, fitOne(bar.mark.notes, room)));
    } else {
      const middle = y + (height + 9) / 2;
      drawn.lines.forEach((line, index) => put(picture, write({x: drawn.x + 5, y: middle + 15 * (index - (drawn.lines.length - 1) / 2)}, line)));
    }
  }
}

/** The largest number of bytes that any place holds in places that are left out. */
function findLeftOut(places) {
  const rest = places.map(place => place.retained - place.size);
  const line = [];
  places.forEach((place, index) => {
    line[place.depth] = index;
    if (place.depth !== 0) rest[line[place.depth - 1]] -= place.retained;
  });
  return Math.max(0, ...rest);
}

/** Shows what holds the memory, if there is a graph, and who allocated it, if there are stacks. */
function showTrees(data) {
  const [dominators, stacks] = [true, false].map(wanted => data.trees.filter(tree => (tree.of === 'dominators') === wanted));
  if (dominators.length !== 0) showTree(data, dominators, false);
  if (stacks.length !== 0) showTree(data, stacks, true);
}

function showTree(data, trees, isStacks) {
  const isLive = trees[0].places[0].allocated_size !== undefined;
  const part = section(isStacks && data.snapshot.content !== 'stacks' ? 'stacks' : 'tree', isStacks ? 'Who allocated the memory' : 'What holds the memory', isStacks
    ? `Each bar is a function. Its width shows the memory ${isLive ? 'that is still alive and was ' : ''}allocated by the function and by its callees, which are below it. Functions that themselves allocated 20\u00a0% or more at one place are outlined.` +
      (isLive ? ' The total that a function allocated, alive or not, is in its description and in the table.' : '')
    : 'Each bar is a type. Its width shows the memory that it retains; it is below the type that keeps it alive (the dominator tree).' + (data.suspects.length === 0 ? ` No part retains ${wholePercent(data.least_share)} or more by itself, so none is outlined.` : ' Suspects are outlined.') +
      ' Types that hold nearly the same amount of memory share a bar, outermost first: A \u203a B. The free space below a bar shows its own size and parts that are too small to show.');
  for (const tree of trees) tree.marks = findMarks(data, tree);
  new TreePicture(part, trees, isStacks ? {title: 'Call stacks', holds: 'with callees', item: 'object'}
    : {title: 'Dominator tree by type', holds: 'retains', item: 'node'});
  const main = trees[0];
  const leftOut = findLeftOut(main.places);
  if (main.is_cut) put(part, el('p', {class: 'dim'}, `Left out: all but ${count(main.places.length)} places` + (isStacks ? '' : '; the deeper a place is, the larger it must be to be shown') +
    `. The places left out below any one place hold at most ${bytes(leftOut)}, ${percent(leftOut, main.places[0].retained)} of the total.`));
  put(part, makeTable('The tree as a table', [['Depth', row => count(row.depth)], ['Name', row => nameOf(row.name)],
    ['Count', row => count(row.count), row => row.count], ['Own size', row => bytes(row.size), row => row.size],
    [isStacks ? 'Cumulative' : 'Retained', row => bytes(row.retained), row => row.retained]]
    .concat(isLive ? [['Allocated', row => count(row.allocated_count), row => row.allocated_count], ['Allocated size', row => bytes(row.allocated_size), row => row.allocated_size]] : []), main.places));
}
