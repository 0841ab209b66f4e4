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

/** Bars to the right for growth, and to the left for what shrank. */
function drawChanges(holder, rows, field, width) {
  const changes = rows.map(row => ({name: row.name, before: row.totals[0], after: last(row), value: last(row)[field] - row.totals[0][field]}))
    .filter(row => row.value !== 0).sort((left, right) => Math.abs(right.value) - Math.abs(left.value)).slice(0, 25);
  const names = Math.min(340, width * 0.35);
  const most = Math.max(0, ...changes.map(row => row.value));
  const least = Math.max(0, ...changes.map(row => -row.value));
  const scale = (width - names - (least === 0 ? 90 : 180)) / Math.max(1, most + least);
  const zero = names + (least === 0 ? 0 : 90 + least * scale);
  const picture = svg('svg', {viewBox: `0 0 ${width} ${Math.max(1, changes.length) * 22}`, role: 'group', 'aria-label': 'What changed'});
  changes.forEach((row, index) => {
    const length = Math.max(1.5, Math.abs(row.value) * scale);
    const x = row.value > 0 ? zero : zero - length;
    const change = (row.value > 0 ? '+' : '') + bytes(row.value);
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

function showChanges(data) {
  const isStacks = data.snapshot.content === 'stacks';
  const ends = [data.positions[0], data.positions[data.positions.length - 1]];
  const show = position => `${clean(position.file)}, snapshot ${position.snapshot}`;
  const part = section('changes', 'What changed', `From ${show(ends[0])} (${bytes(ends[0].size)}) to ${show(ends[1])} (${bytes(ends[1].size)}): ` +
    `${ends[1].size >= ends[0].size ? 'grew' : 'shrank'} by ${bytes(Math.abs(ends[1].size - ends[0].size))}. Bars to the right are growth.`);
  let field = 1;
  const holder = el('div', {class: 'diff'});
  const draw = width => drawChanges(holder, data.type_series, field, width);
  part.append(choices('What the bars show', [[1, 'Own size'], [2, isStacks ? 'Cumulative size' : 'Retained size']], value => { field = value; redraw(); }), holder);
  const redraw = drawToFit(holder, draw);
  if (data.series_left_out !== 0) put(part, el('p', {class: 'dim'}, `Left out: ${plural(data.series_left_out, 'name')} that changed less.`));
  if (data.positions.length > 2) {
    if (data.kind_series.length !== 0) showLines(part, isStacks ? 'Allocators over time' : 'Kinds over time', data.kind_series, data);
    showLines(part, isStacks ? 'Functions over time' : 'Types over time', data.type_series, data);
    if (data.positions_left_out !== 0) put(part, el('p', {class: 'dim'},
      `The pictures show ${count(data.positions.length)} evenly spaced snapshots of ${count(data.positions.length + data.positions_left_out)}.`));
  }
  put(part, makeTable('Changes as a table', [['Name', row => nameOf(row.name)],
    ['Count before', row => count(row.totals[0][0]), row => row.totals[0][0]], ['Count after', row => count(last(row)[0]), row => last(row)[0]],
    ['Size before', row => bytes(row.totals[0][1]), row => row.totals[0][1]], ['Size after', row => bytes(last(row)[1]), row => last(row)[1]],
    ['Change', row => bytes(last(row)[1] - row.totals[0][1]), row => last(row)[1] - row.totals[0][1]]], data.type_series));
}
