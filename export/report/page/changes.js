// Several snapshots: totals are [count, size, retained] in each.

const last = row => row.totals[row.totals.length - 1];

/** Lines over the snapshots, each with its name at its end. */
function showLines(part, title, rows, data) {
  const shown = rows.filter(row => row.totals.some(totals => totals[1] !== 0)).sort((left, right) => Math.max(...right.totals.map(totals => totals[1])) - Math.max(...left.totals.map(totals => totals[1])))
    .slice(0, 9);
  const holder = el('div');
  put(part, el('h3', {}, title), holder);
  const peak = Math.max(1, ...shown.flatMap(row => row.totals.map(totals => totals[1])));
  drawToFit(holder, width => {
    const inner = Math.max(120, width - 330);
    const picture = svg('svg', {viewBox: `0 0 ${width} 270`, role: 'group', 'aria-label': title});
    const xOf = index => 70 + inner * (data.positions.length === 1 ? 0 : index / (data.positions.length - 1));
    const yOf = size => 235 - 215 * size / peak;
    for (const part of [0, 0.5, 1]) put(picture, svg('line', {class: 'grid', x1: 70, x2: 70 + inner, y1: yOf(part * peak), y2: yOf(part * peak)}),
      svg('text', {x: 0, y: yOf(part * peak) + 4, class: 'dim'}, bytes(Math.round(part * peak))));
    const ends = shown.map((row, index) => ({row: row, index: index, y: yOf(last(row)[1])})).sort((left, right) => left.y - right.y);
    ends.forEach((end, index) => { if (index !== 0) end.y = Math.max(end.y, ends[index - 1].y + 15); });
    ends.forEach((end, index) => { end.y = Math.min(end.y, 240 - 15 * (ends.length - 1 - index)); });
    for (const end of ends) {
      const {row, index} = end;
      const text = `${clean(row.name)}: from ${bytes(row.totals[0][1])} to ${bytes(last(row)[1])}`;
      const line = row.totals.map((totals, at) => `${at === 0 ? 'M' : 'L'}${xOf(at).toFixed(1)} ${yOf(totals[1]).toFixed(1)}`).join('');
      put(picture, svg('path', {class: 'line s' + index, d: line}),
        mark({class: 'mark c' + index, x: 76 + inner, y: end.y - 5, width: 10, height: 10}, text),
        svg('text', {x: 92 + inner, y: end.y + 4}, fit(`${bytes(last(row)[1])}  ${clean(row.name)}`, 235)));
    }
    put(picture, svg('text', {x: 70, y: 262, class: 'dim'}, 'first'), svg('text', {x: 40 + inner, y: 262, class: 'dim'}, 'last'));
    const first = picture.querySelector('.mark');
    if (first) first.setAttribute('tabindex', 0);
    addKeys(picture, () => {});
    holder.replaceChildren(picture);
  });
}

/** Bars to the right for growth, and to the left for what shrank; `ends` are the indices of two snapshots. */
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
    put(picture, svg('text', {x: 0, y: index * 22 + 15}, fit(clean(row.name), names - 8)),
      mark({class: 'mark ' + (row.value > 0 ? 'growth' : 'shrink'), x: x, y: index * 22 + 2, width: length, height: 18}, text),
      row.value > 0 ? svg('text', {x: x + length + 5, y: index * 22 + 15}, change)
        : svg('text', {x: x - 5, y: index * 22 + 15, 'text-anchor': 'end'}, change));
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

/** The name whose own size changed most in the direction of `sign`, and by how much. */
function mostChanged(rows, at, sign) {
  const sizeOf = row => sign * (row.totals[at + 1][1] - row.totals[at][1]);
  const most = rows.reduce((best, row) => sizeOf(row) > (best ? sizeOf(best) : 0) ? row : best, null);
  return most ? el('span', {}, nameOf(most.name), ' ' + signed(sign * sizeOf(most))) : 'none';
}

function showSteps(part, data, show) {
  const steps = data.positions.slice(1).map((to, at) => ({from: data.positions[at], to: to, at: at}));
  const table = makeTable('Step by step', [['From', step => show(step.from)], ['To', step => show(step.to)],
    ['Change', step => signed(step.to.size - step.from.size), step => step.to.size - step.from.size],
    ['Grew most', step => mostChanged(data.type_series, step.at, 1)], ['Shrank most', step => mostChanged(data.type_series, step.at, -1)]], steps);
  if (steps.length <= 10) table.setAttribute('open', '');
  put(part, table);
}

/** A list of the whole time and each step; `choose` is called with the indices of two snapshots. */
function chooseStep(data, show, choose) {
  const list = el('select', {'aria-label': 'Snapshots to compare'});
  const ends = [[0, data.positions.length - 1]].concat(data.positions.slice(1).map((_, at) => [at, at + 1]));
  ends.forEach(([from, to], index) => put(list, el('option', {value: index},
    `${index === 0 ? 'All: ' : ''}${show(data.positions[from])} \u2192 ${show(data.positions[to])}`)));
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
  const isOneFile = data.positions.every(position => position.file === data.positions[0].file);
  const show = position => isOneFile ? `snapshot ${position.snapshot}` : `${clean(position.file)}, snapshot ${position.snapshot}`;
  let ends = [0, data.positions.length - 1];
  let field = 1;
  const part = section('changes', 'What changed');
  const about = part.querySelector('p');
  const holder = el('div', {class: 'diff'});
  const table = el('div');
  const fill = () => {
    const [before, after] = ends.map(index => data.positions[index]);
    about.replaceChildren(`From ${show(before)} (${bytes(before.size)}) to ${show(after)} (${bytes(after.size)}): ` +
      `${changeOf(before, after)}. Bars to the right are growth.`);
    table.replaceChildren(makeChangeTable(data.type_series, ends));
  };
  fill();
  if (data.positions.length > 2) part.append(chooseStep(data, show, chosen => { ends = chosen; fill(); redraw(); }));
  part.append(choices('What the bars show', [[1, 'Own size'], [2, isStacks ? 'Cumulative size' : 'Retained size']], value => { field = value; redraw(); }), holder);
  const redraw = drawToFit(holder, width => drawChanges(holder, data.type_series, ends, field, width));
  if (data.series_left_out !== 0) put(part, el('p', {class: 'dim'}, `Left out: ${plural(data.series_left_out, 'name')} that changed less.`));
  put(part, table);
  if (data.positions.length > 2) {
    showSteps(part, data, show);
    if (data.kind_series.length !== 0) showLines(part, isStacks ? 'Allocators over time' : 'Kinds over time', data.kind_series, data);
    showLines(part, isStacks ? 'Functions over time' : 'Types over time', data.type_series, data);
    if (data.positions_left_out !== 0) put(part, el('p', {class: 'dim'},
      `The pictures show ${count(data.positions.length)} evenly spaced snapshots of ${count(data.positions.length + data.positions_left_out)}.`));
  }
}
