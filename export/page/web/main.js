/** One sentence that states what is new, if there are several snapshots, and one that states what holds the memory. */
function headline(data) {
  const total = data.snapshot.retained;
  const made = el('p', {class: 'headline'});
  if (data.positions.length > 1) put(made, newestOf(data), growthOf(data), ' ');
  const suspect = data.suspects[0];
  const rows = data.types.filter(row => row.of !== 'types');
  const top = rows.reduce((best, row) => !best || row.size > best.size ? row : best, null);
  const isNewest = suspect && data.growth && isSame(suspect, data.growth.suspects[0]);
  if (isNewest) put(made, suspect.count === 1 ? 'It' : `All ${count(suspect.count)}`, verbOf(suspect) + `${percent(suspect.share, 1)} of the heap. `);
  else if (suspect) put(made, whoRetains(suspect), verbOf(suspect) + `${percent(suspect.share, 1)} of the heap. `);
  if (top) put(made, suspect ? 'The type' : data.snapshot.content === 'stacks' ? 'The function' : 'No single part stands out. The type',
    ' with the most memory of its own is ', nameOf(top.name), `: ${bytes(top.size)}, ${percent(top.size, data.snapshot.size || total)}.`);
  if (!suspect && !top) put(made, 'This snapshot contains no memory.');
  return made;
}

/** Whether both suspects are at the same place. */
function isSame(one, other) {
  return other && one.name === other.name && one.way === other.way && one.chain === other.chain && (one.holder || one).id === (other.holder || other).id;
}

/** A sentence about the part that retains most of what is new; null if no part stands out. */
function newestOf(data) {
  const newest = data.growth && data.growth.suspects[0];
  return newest ? el('span', {}, whoRetains(newest), verbOf(newest), el('strong', {}, percent(newest.share, 1) + ' of what is new'),
    `: ${bytes(newest.retained)}. `) : null;
}

/** A sentence about what changed since the first snapshot. */
function growthOf(data) {
  const to = data.positions.length - 1;
  const [before, after] = [data.positions[0].size, data.positions[to].size];
  const since = `Since the first ${isOneFile(data) ? 'snapshot' : 'file'}, the heap `;
  if (before === after) return since + 'has not changed in size.';
  const most = mostChanged(data.type_series, 0, to, after > before ? 1 : -1);
  const which = `; the ${data.snapshot.content === 'stacks' ? 'function' : 'type'} that ${after > before ? 'grew' : 'shrank'} most is `;
  return el('span', {}, since + changeOf(data.positions[0], data.positions[to]), most ? which : null, most, '.');
}

/** Chooses the colours of the largest types; they are the same in all pictures. */
function chooseColoursOf(data) {
  colours.clear();
  const bySize = data.types.filter(row => row.of !== 'types').sort((left, right) => right.size - left.size);
  for (const row of bySize) if (colours.size < 9 && !colours.has(row.name)) colours.set(row.name, colours.size);
}

/** Which snapshot is shown in detail, and how large it is. */
function snapshotFacts(data) {
  const isStacks = data.snapshot.content === 'stacks';
  return facts([['snapshot', String(data.snapshot.snapshot)]]
    .concat(!data.snapshot.count ? [] : [[isStacks ? 'objects' : 'nodes', count(data.snapshot.count)]])
    .concat(isStacks ? [] : [['edges', count(data.snapshot.edges)]], [['memory', bytes(data.snapshot.size)]],
      data.snapshot.process === '' ? [] : [['process', clean(data.snapshot.process)], ['dump', clean(data.snapshot.dump)]]));
}

/** All sections about the heap. */
function showSections(data) {
  const isStacks = data.snapshot.content === 'stacks';
  if (data.growth) showGrowth(data.growth, data.least_share);
  if (data.positions.length > 1) showChanges(data);
  showTrees(data);
  if (!isStacks) showSuspects(data);
  showTreemap(data);
  if (!isStacks) showHistogram(data);
  if (data.kinds.length !== 0) {
    const part = section('kinds', isStacks ? 'Allocators' : 'Kinds of nodes', 'All memory by kind.');
    const table = makeTable('Kinds as a table', [['Kind', row => nameOf(row.name)], ['Count', row => count(row.count), row => row.count],
      ['Size', row => bytes(row.size), row => row.size]], data.kinds);
    table.setAttribute('open', '');
    put(part, table);
  }
}
