/** Whether a place is shown in the bar of the one above it: it holds nearly the same amount of memory, or is the next place in a chain of one type. */
function continues(bar, before, place, mark) {
  if (bar.places.at(-1) !== before || mark || place.retained === 0) return false;
  if (place.name === before.name) return place.retained >= 0.9 * before.retained;
  return bar.above && !bar.mark && place.retained >= 0.99 * bar.places[0].retained;
}

/** The places of a tree as bars, each of which has one or more places. */
function buildTree(places, marks) {
  const bars = [];
  const line = [];
  places.forEach((place, index) => {
    const before = place.depth === 0 ? null : line[place.depth - 1];
    const isSame = before && continues(before.bar, before.place, place, marks.get(index));
    const bar = isSame ? before.bar : {places: [], above: before && before.bar, below: [], mark: marks.get(index)};
    bar.places.push(place);
    line[place.depth] = {place: place, bar: bar};
    if (isSame) return;
    bars.push(bar);
    if (before) before.bar.below.push(bar);
  });
  for (const bar of bars) bar.below.sort((left, right) => right.places[0].retained - left.places[0].retained);
  return bars;
}

/** The names of the places of a bar; consecutive equal names are merged. */
function namesOf(bar) {
  const names = [];
  for (const place of bar.places) {
    const name = bar.above ? clean(place.name) : place.name === '' ? '(root)' : clean(place.name);
    const before = names.at(-1);
    if (before && before.name === name) ++before.count; else names.push({name: name, count: 1});
  }
  return names.map(({name, count}) => count === 1 ? name : `${name} (${count} levels)`);
}

function nameOfBar(bar) { return namesOf(bar).join(' \u203a '); }

/** The names of all places of a bar, of the first and the last place, or of the last place, whichever has room. */
function fitNames(bar, width) {
  const names = namesOf(bar);
  const ends = names.length > 2 ? [`${names[0]} \u203a \u2026 \u203a ${names.at(-1)}`] : [];
  return fitOne([names.join(' \u203a '), ...ends, names.at(-1)], width);
}

/** The lines of a bar's label: its name and its share on one line if there is room for the name, otherwise on two. */
function labelBar(bar, width, share) {
  const line = nameOfBar(bar) + ' \u00b7 ' + share;
  if (widthOf(line) <= width) return [line];
  const name = fitNames(bar, width);
  return [name, widthOf(share) <= width ? share : ''].filter(text => text !== '');
}

/** The bars above and below `focus`: bars above it are as wide as the picture, bars below it are as wide as their share. */
function layOut(focus, width) {
  const bars = [];
  const above = [];
  for (let bar = focus.above; bar; bar = bar.above) above.unshift(bar);
  if (above.length > 4) above.splice(1, above.length - 4);
  above.forEach((bar, row) => bars.push({bar: bar, x: 0, width: width, row: row, isAbove: true}));
  const pending = [{bar: focus, x: 0, width: width, row: above.length}];
  while (pending.length !== 0) {
    const drawn = pending.pop();
    bars.push(drawn);
    const whole = drawn.bar.places[0].retained;
    let x = drawn.x;
    for (const child of drawn.bar.below) {
      const part = whole === 0 ? 0 : drawn.width * child.places[0].retained / whole;
      if (part >= 1.5 && drawn.row < above.length + 32) pending.push({bar: child, x: x, width: part, row: drawn.row + 1});
      x += part;
    }
  }
  // Rows at the bottom that have only thin bars would show nothing useful.
  const rows = Math.max(above.length, ...bars.filter(drawn => drawn.width >= 24).map(drawn => drawn.row));
  return bars.filter(drawn => drawn.row <= rows).sort((left, right) => left.row - right.row || left.x - right.x);
}

/** Where each row of bars begins, and where the last one ends. */
function placeRows(bars) {
  const heights = [];
  for (const drawn of bars) heights[drawn.row] = Math.max(heights[drawn.row] || 0, drawn.bar.mark ? 44 : drawn.lines.length === 2 ? 38 : 24);
  const starts = [0];
  for (const height of heights) starts.push(starts.at(-1) + height);
  return starts;
}

/** The bars that a search finds, and the bytes in them; nested bars count once. */
function findBars(bars, text) {
  const wanted = text.toLowerCase();
  const found = new Map();
  let size = 0;
  for (const bar of bars) {
    const places = bar.places.filter(place => clean(place.name).toLowerCase().includes(wanted));
    if (places.length === 0) continue;
    let outer = bar.above;
    while (outer && !found.has(outer)) outer = outer.above;
    found.set(bar, places.length);
    if (!outer) size += places[0].retained;
  }
  return {found: found, count: Array.from(found.values()).reduce((sum, places) => sum + places, 0), size: size};
}

/** The marks in a tree, by place: the suspects, or the functions that allocated 20 % or more at one place. The longest texts come first. */
function findMarks(data, tree) {
  const marks = new Map();
  if (tree.of === 'dominators') data.suspects.forEach((suspect, index) => {
    const what = suspect.chain !== 0 ? `a chain of ${count(suspect.chain)} ` : suspect.count === 1 ? '' : count(suspect.count) + ' ';
    const name = what + clean(suspect.name);
    const holder = suspect.holder ? ', held by ' + clean(suspect.holder.name) : '';
    const share = percent(suspect.share, 1);
    const numbers = `${share} of the heap, ${bytes(suspect.retained)}`;
    const marked = {titles: [`Suspect ${index + 1}: ${name}`, name], notes: [numbers + holder, numbers, share]};
    for (const place of suspect.places) if (!marks.has(place)) marks.set(place, marked);
  });
  else tree.places.forEach((place, index) => {
    if (place.depth === 0 || place.size === 0 || place.size < 0.2 * tree.places[0].retained) return;
    const whole = percent(place.retained, tree.places[0].retained);
    const share = percent(place.size, tree.places[0].retained);
    const own = place.size === place.retained ? `allocated ${share} here` : `${whole} with callees; allocated ${share} here`;
    marks.set(index, {titles: [clean(place.name)], notes: [`${own}, ${bytes(place.size)}`, own, whole]});
  });
  return marks;
}
