// Several snapshots. For each snapshot, totals are [count, size, retained].

const last = row => row.totals[row.totals.length - 1];

function isOneFile(data) { return data.positions.every(position => position.file === data.positions[0].file); }

/** The names of the snapshots: numbers, files, or both, whichever distinguishes them. */
function namePositions(data) {
  if (isOneFile(data)) return data.positions.map(position => `snapshot\u00a0${position.snapshot}`);
  const files = shorten(data.positions.map(position => position.file));
  return new Set(files).size === files.length ? files : files.map((file, index) => `${file}, snapshot ${data.positions[index].snapshot}`);
}

/** Sizes that start at 0; the last is `peak` or more. Their distance is a power of two, like their units. */
function findTicks(peak) {
  let step = 1;
  while (peak / step > 4) step *= 2;
  return Array.from({length: Math.ceil(peak / step) + 1}, (_, index) => index * step);
}

/** The lines of a picture in order, each with the number of its colour; a type keeps the colour that it has elsewhere. */
function chooseColours(rows) {
  const free = [0, 1, 2, 3, 4, 5, 6, 7, 8].filter(colour => !rows.some(row => colours.get(row.name) === colour));
  return rows.map(row => ({row: row, colour: colours.has(row.name) ? colours.get(row.name) : free.shift()}));
}

/** Sizes on the left, and the numbers or files of the snapshots below. */
function drawAxes(picture, data, ticks, xOf, yOf, inner) {
  for (const tick of ticks) put(picture, svg('line', {class: 'grid', x1: 70, x2: 70 + inner, y1: yOf(tick), y2: yOf(tick)}),
    write({x: 62, y: yOf(tick) + 4, 'text-anchor': 'end', class: 'dim'}, bytes(tick).replace('.0', '')));
  const isNumbers = isOneFile(data);
  if (isNumbers) put(picture, write({x: 0, y: 258, class: 'dim'}, 'snapshot'));
  const names = isNumbers ? data.positions.map(position => String(position.snapshot)) : namePositions(data);
  // The last one and the first one are placed first, then the middle ones of each gap, as long as there is room.
  const end = names.length - 1;
  const room = inner / Math.min(names.length, 4);
  const labels = names.map((name, index) => ({text: fit(name, room), x: xOf(index), y: 258, class: 'dim axis', value: index === end ? 2 : 0}));
  for (let gap = end, value = 1; gap >= 1; gap /= 2, value /= 2)
    for (let at = 0; at < end; at += gap) labels[Math.round(at)].value ||= value;
  for (const label of labels) put(picture, svg('line', {class: 'grid', x1: label.x, x2: label.x, y1: 235, y2: 240}));
  writeWithRoom(picture, labels, 70 + inner + room / 2);
}

/** Lines across the snapshots, each with its name at its end. */
function showLines(part, title, rows, data) {
  const peakOf = row => Math.max(...row.totals.map(totals => totals[1]));
  const shown = chooseColours(rows.filter(row => peakOf(row) !== 0).sort((left, right) => peakOf(right) - peakOf(left)).slice(0, 9));
  const holder = el('div');
  put(part, el('h3', {}, title), holder);
  const ticks = findTicks(Math.max(1, ...shown.map(({row}) => peakOf(row))));
  drawToFit(holder, width => {
    const legend = Math.min(260, 0.4 * width);
    const inner = width - 70 - legend;
    const picture = svg('svg', {viewBox: `0 0 ${width} 270`, role: 'group', 'aria-label': title});
    const xOf = index => 70 + inner * index / (data.positions.length - 1);
    const yOf = size => 235 - 215 * size / ticks[ticks.length - 1];
    drawAxes(picture, data, ticks, xOf, yOf, inner);
    const ends = shown.map(line => Object.assign({y: yOf(last(line.row)[1])}, line)).sort((left, right) => left.y - right.y);
    ends.forEach((end, index) => { if (index !== 0) end.y = Math.max(end.y, ends[index - 1].y + 15); });
    ends.forEach((end, index) => { end.y = Math.min(end.y, 240 - 15 * (ends.length - 1 - index)); });
    for (const {row, colour, y} of ends) {
      const text = `${clean(row.name)}: from ${bytes(row.totals[0][1])} to ${bytes(last(row)[1])}`;
      const line = row.totals.map((totals, at) => `${at === 0 ? 'M' : 'L'}${xOf(at).toFixed(1)} ${yOf(totals[1]).toFixed(1)}`).join('');
      put(picture, svg('path', {class: 'line s' + colour, d: line}),
        mark({class: 'mark c' + colour, x: 76 + inner, y: y - 5, width: 10, height: 10}, text),
        write({x: 92 + inner, y: y + 4}, fit(clean(row.name), legend - 24, '  ' + bytes(last(row)[1]))));
    }
    const first = picture.querySelector('.mark');
    if (first) first.setAttribute('tabindex', 0);
    addKeys(picture, () => {});
    holder.replaceChildren(picture);
  });
}

/** Bars to the right for growth, and to the left for shrinkage; `ends` are the indices of two snapshots. */
function drawChanges(holder, rows, ends, field, width) {
  const changes = rows.map(row => ({name: row.name, before: row.totals[ends[0]], after: row.totals[ends[1]]}))
    .map(row => Object.assign(row, {value: row.after[field] - row.before[field]})).filter(row => row.value !== 0).sort((left, right) => Math.abs(right.value) - Math.abs(left.value)).slice(0, 25);
  const names = Math.min(340, width * 0.35);
  const most = Math.max(0, ...changes.map(row => row.value));
  const least = Math.max(0, ...changes.map(row => -row.value));
  const scale = (width - names - (least === 0 ? 90 : 180)) / Math.max(1, most + least);
  const zero = names + (least === 0 ? 0 : 90 + least * scale);
  const picture = svg('svg', {viewBox: `0 0 ${width} ${Math.max(1, changes.length) * 22}`, role: 'group', 'aria-label': 'What changed'});
  changes.forEach((row, index) => {
    const length = Math.max(1.5, Math.abs(row.value) * scale);
    const x = row.value > 0 ? zero : zero - length;
    const change = signed(row.value);
    const text = `${clean(row.name)}: ${change}, from ${count(row.before[0])} to ${count(row.after[0])}`;
    put(picture, write({x: 0, y: index * 22 + 15}, fit(clean(row.name), names - 8)),
      mark({class: 'mark ' + (row.value > 0 ? 'growth' : 'shrink'), x: x, y: index * 22 + 2, width: length, height: 18}, text),
      row.value > 0 ? write({x: x + length + 5, y: index * 22 + 15}, change)
        : write({x: x - 5, y: index * 22 + 15, 'text-anchor': 'end'}, change));
  });
  const first = picture.querySelector('.mark');
  if (first) first.setAttribute('tabindex', 0);
  addKeys(picture, () => {});
  holder.replaceChildren(changes.length === 0 ? el('p', {}, 'Nothing changed.') : picture);
}

/** A size with its sign. */
function signed(size) { return (size > 0 ? '+' : '') + bytes(size); }

/** `grew by 1.2 KiB` */
function changeOf(before, after) {
  if (before.size === after.size) return 'same size';
  return `${after.size > before.size ? 'grew' : 'shrank'} by ${bytes(Math.abs(after.size - before.size))}`;
}

/** The name whose own size changed most in the direction of `sign` between two snapshots, and the change; null if there is none. */
function mostChanged(rows, from, to, sign) {
  const sizeOf = row => sign * (row.totals[to][1] - row.totals[from][1]);
  const most = rows.reduce((best, row) => sizeOf(row) > (best ? sizeOf(best) : 0) ? row : best, null);
  return most ? el('span', {}, nameOf(most.name), ' ' + signed(sign * sizeOf(most))) : null;
}

function showSteps(part, data, names) {
  const steps = data.positions.slice(1).map((to, at) => ({at: at, change: to.size - data.positions[at].size}));
  const most = sign => step => mostChanged(data.type_series, step.at, step.at + 1, sign) || 'none';
  const table = makeTable('Step by step', [['From', step => names[step.at]], ['To', step => names[step.at + 1]],
    ['Change', step => signed(step.change), step => step.change], ['Grew most', most(1)], ['Shrank most', most(-1)]], steps);
  if (steps.length <= 10) table.setAttribute('open', '');
  put(part, table);
}

/** A list of the whole period and each step; `choose` is called with the indices of two snapshots. */
function chooseStep(data, names, choose) {
  const list = el('select', {'aria-label': 'Snapshots to compare'});
  const ends = [[0, data.positions.length - 1]].concat(data.positions.slice(1).map((_, at) => [at, at + 1]));
  ends.forEach(([from, to], index) => put(list, el('option', {value: index},
    `${index === 0 ? 'All: ' : ''}${names[from]} \u2192 ${names[to]}`)));
  list.addEventListener('change', () => choose(ends[list.value]));
  return el('div', {class: 'tools'}, list);
}

function makeChangeTable(rows, [from, to]) {
  const before = row => row.totals[from];
  const after = row => row.totals[to];
  return makeTable('Changes as a table', [['Name', row => nameOf(row.name)],
    ['Count before', row => count(before(row)[0]), row => before(row)[0]], ['Count after', row => count(after(row)[0]), row => after(row)[0]],
    ['Size before', row => bytes(before(row)[1]), row => before(row)[1]], ['Size after', row => bytes(after(row)[1]), row => after(row)[1]],
    ['Change', row => signed(after(row)[1] - before(row)[1]), row => after(row)[1] - before(row)[1]]], rows);
}

function showChanges(data) {
  const isStacks = data.snapshot.content === 'stacks';
  const names = namePositions(data);
  let ends = [0, data.positions.length - 1];
  let field = 1;
  const part = section('changes', 'What changed');
  const about = part.querySelector('p');
  const holder = el('div', {class: 'diff'});
  const table = el('div');
  const fill = () => {
    const [before, after] = ends.map(index => data.positions[index]);
    about.replaceChildren(`From ${names[ends[0]]} (${bytes(before.size)}) to ${names[ends[1]]} (${bytes(after.size)}): ` +
      `${changeOf(before, after)}. Bars to the right show growth.`);
    table.replaceChildren(makeChangeTable(data.type_series, ends));
  };
  fill();
  if (data.positions.length > 2) part.append(chooseStep(data, names, chosen => { ends = chosen; fill(); redraw(); }));
  part.append(choices('What the bars show', [[1, 'Own size'], [2, isStacks ? 'Cumulative size' : 'Retained size']], value => { field = value; redraw(); }), holder);
  const redraw = drawToFit(holder, width => drawChanges(holder, data.type_series, ends, field, width));
  if (data.series_left_out !== 0) put(part, el('p', {class: 'dim'}, `Left out: ${plural(data.series_left_out, 'name')} that changed less.`));
  put(part, table);
  if (data.positions.length > 2) {
    showSteps(part, data, names);
    if (data.kind_series.length !== 0) showLines(part, isStacks ? 'Allocators over time' : 'Kinds over time', data.kind_series, data);
    showLines(part, isStacks ? 'Functions over time' : 'Types over time', data.type_series, data);
    if (data.positions_left_out !== 0) put(part, el('p', {class: 'dim'},
      `The pictures show ${count(data.positions.length)} evenly spaced snapshots out of ${count(data.positions.length + data.positions_left_out)}.`));
  }
}
