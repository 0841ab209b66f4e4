/** Rectangles whose areas are proportional to the values, as square as possible (Bruls, Huizing, van Wijk). */
function squarify(items, x, y, width, height) {
  const rectangles = [];
  let rest = items.reduce((sum, item) => sum + item.value, 0);
  let from = 0;
  while (from < items.length && rest > 0 && width > 0 && height > 0) {
    const side = Math.min(width, height);
    const scale = width * height / rest;
    let sum = 0;
    let worst = Infinity;
    let to = from;
    for (; to < items.length; ++to) {
      const next = sum + items[to].value;
      const depth = next * scale / side;
      const ratio = value => { const length = value * scale / depth; return Math.max(length / depth, depth / length); };
      const now = Math.max(ratio(items[from].value), ratio(items[to].value));
      if (now > worst) break;
      worst = now;
      sum = next;
    }
    const depth = sum * scale / side;
    let at = 0;
    for (; from < to; ++from) {
      const length = items[from].value * scale / depth;
      rectangles.push(width >= height ? {item: items[from], x: x, y: y + at, width: depth, height: length}
        : {item: items[from], x: x + at, y: y, width: length, height: depth});
      at += length;
    }
    if (width >= height) { x += depth; width -= depth; } else { y += depth; height -= depth; }
    rest -= sum;
  }
  return rectangles;
}

/** The rows that are large enough to be seen, and the others combined into one. */
function shareOut(rows, field, rest) {
  const sorted = rows.filter(row => row[field] > 0).sort((left, right) => right[field] - left[field]);
  const total = sorted.reduce((sum, row) => sum + row[field], rest);
  const shown = sorted.filter((row, index) => index < 120 && row[field] >= total / 1000);
  const others = total - shown.reduce((sum, row) => sum + row[field], 0);
  const items = shown.map(row => ({name: row.name, of: row.of, count: row.count, value: row[field]}));
  if (others > 0) items.push({name: 'all others', of: null, count: 0, value: others});
  return {items: items, total: total};
}

/** The bytes and their share, or only the share, or an empty text, depending on the room. */
function fitNumbers(value, whole, width, font) {
  const share = percent(value, whole);
  return [bytes(value) + ' \u00b7 ' + share, share].find(text => widthOf(text, font) <= width) || '';
}

/** The texts of an area, in larger letters for a larger area. */
function labelCell(picture, cell, whole) {
  const letter = ['height', 'width'].reduce((size, side) => Math.min(size, Math.max(12, Math.round(cell[side] / 9))), 20);
  if (cell.height < letter + 6) return;
  const font = letter + 'px';
  const small = Math.max(12, letter - 3);
  put(picture, write({x: cell.x + 6, y: cell.y + letter + 3, 'font-size': letter}, fit(clean(cell.item.name), cell.width - 10, '', font)));
  if (cell.height >= letter + small + 10) put(picture, write({x: cell.x + 6, y: cell.y + letter + small + 7, 'font-size': small, class: 'dim'},
    fitNumbers(cell.item.value, whole, cell.width - 10, small + 'px')));
}

function showTreemap(data) {
  const isStacks = data.snapshot.content === 'stacks';
  const part = section('types', isStacks ? 'Memory by function' : 'Memory by type',
    isStacks ? 'Each area is a function. Its size shows the memory that the function itself allocated.'
      : 'Each area is a type. Its size shows the size of its nodes, or the memory that they retain, which would be freed with them. Retained sizes overlap, so they add up to more than the heap.');
  let field = 'size';
  const rows = isStacks ? data.types.filter(row => row.of === 'frames') : data.types;
  const holder = el('div');
  const detail = el('p', {class: 'detail', 'aria-live': 'polite'}, 'Select an area to see its numbers.');
  const describe = item => `${clean(item.name)}${item.of && item.of !== 'objects' && item.of !== 'frames' && item.of !== 'kinds' ? ' (' + item.of + ')' : ''}: ${bytes(item.value)}, ` +
    `${percent(item.value, field === 'size' ? data.snapshot.size : data.snapshot.retained)} of the heap${item.count ? ', ' + count(item.count) + (isStacks ? ' allocations' : ' nodes') : ''}`;
  const draw = width => {
    const height = 420;
    const shared = shareOut(rows, field, field === 'size' && !isStacks ? data.types_left_out.size : 0);
    const picture = svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': 'Treemap by ' + field});
    for (const cell of squarify(shared.items, 0, 0, width, height)) {
      const made = mark({role: 'button', class: 'mark ' + colourOf(cell.item.name), x: cell.x, y: cell.y, width: cell.width, height: cell.height}, describe(cell.item));
      made.addEventListener('click', () => { detail.textContent = describe(cell.item); });
      put(picture, made);
      labelCell(picture, cell, field === 'size' ? data.snapshot.size : data.snapshot.retained);
    }
    const first = picture.querySelector('.mark');
    if (first) first.setAttribute('tabindex', 0);
    addKeys(picture, made => made.dispatchEvent(new MouseEvent('click')));
    holder.replaceChildren(picture);
  };
  if (!isStacks) part.append(choices('What the areas show', [['size', 'Own size'], ['retained', 'Retained size']], value => { field = value; redraw(); }));
  put(part, holder, detail);
  const redraw = drawToFit(holder, draw);
  if (data.types_left_out.count !== 0) put(part, el('p', {class: 'dim'},
    `Left out: ${plural(data.types_left_out.count, 'name')} with ${bytes(data.types_left_out.size)} in total, which the picture shows under \u201call others\u201d.`));
  put(part, makeTable(isStacks ? 'Functions and types as a table' : 'Types as a table', [
    ['Name', row => nameOf(row.name)], ['Of', row => row.of],
    ['Count', row => count(row.count), row => row.count], ['Size', row => bytes(row.size), row => row.size],
    [isStacks ? 'Cumulative' : 'Retained', row => bytes(row.retained), row => row.retained]], data.types));
}
