/** One sentence that says what holds the memory. */
function headline(data) {
  const total = data.snapshot.retained;
  const made = el('p', {class: 'headline'});
  const suspect = data.suspects[0];
  const rows = data.types.filter(row => row.of !== 'types');
  const top = rows.reduce((best, row) => !best || row.size > best.size ? row : best, null);
  if (suspect) put(made, whoRetains(suspect), ` ${suspect.count === 1 || suspect.chain !== 0 ? 'retains' : 'retain'} ${percent(suspect.share, 1)} of the heap. `);
  if (top) put(made, suspect ? 'The type' : data.snapshot.content === 'stacks' ? 'The function' : 'No single part stands out. The type',
    ' with the most memory of its own is ', nameOf(top.name), `: ${bytes(top.size)}, ${percent(top.size, data.snapshot.size || total)}.`);
  if (!suspect && !top) put(made, 'This snapshot has no memory in it.');
  return made;
}

function start() {
  const data = JSON.parse(document.getElementById('data').textContent);
  const page = document.getElementById('page');
  const isStacks = data.snapshot.content === 'stacks';
  const bySize = data.types.filter(row => row.of !== 'types').sort((left, right) => right.size - left.size);
  for (const row of bySize) if (colours.size < 9 && !colours.has(row.name)) colours.set(row.name, colours.size);
  document.title = 'Heap report: ' + clean(data.snapshot.file);
  put(page, el('h1', {}, 'Heap report: ', nameOf(data.snapshot.file)), headline(data));
  put(page, facts([['snapshot', String(data.snapshot.snapshot)]]
    .concat(data.snapshot.count === 0 ? [] : [[isStacks ? 'objects' : 'nodes', count(data.snapshot.count)]])
    .concat(isStacks ? [] : [['edges', count(data.snapshot.edges)]], [['memory', bytes(data.snapshot.size)]],
      data.snapshot.process === '' ? [] : [['process', clean(data.snapshot.process)]])));
  data.files.forEach(showFile);
  if (data.files_left_out !== 0) put(page, el('p', {class: 'dim'}, plural(data.files_left_out, 'more file') + ' not listed.'));
  if (data.positions.length > 1) showChanges(data);
  if (data.growth) showGrowth(data.growth);
  showTreemap(data);
  showTree(data);
  if (!isStacks) { showSuspects(data); showHistogram(data); }
  if (data.kinds.length !== 0) {
    const part = section('kinds', isStacks ? 'Allocators' : 'Kinds of nodes', 'All memory by kind.');
    const table = makeTable('Kinds as a table', [['Kind', row => nameOf(row.name)], ['Count', row => count(row.count), row => row.count],
      ['Size', row => bytes(row.size), row => row.size]], data.kinds);
    table.setAttribute('open', '');
    put(part, table);
  }
}

start();
