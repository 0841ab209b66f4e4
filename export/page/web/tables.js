/** A table that can be sorted; a column is [label, cell of a row, number to sort by]. */
function makeTable(caption, columns, rows) {
  const body = el('tbody');
  const fill = () => body.replaceChildren(...rows.map(row => el('tr', {},
    ...columns.map(([, show, number]) => el('td', number ? {class: 'number'} : {}, show(row))))));
  const head = el('tr');
  for (const [label, , number] of columns) {
    const cell = el('th', number ? {class: 'number', scope: 'col'} : {scope: 'col'}, number ? null : label);
    if (number) {
      const button = el('button', {type: 'button'}, label);
      button.addEventListener('click', () => {
        rows = rows.slice().sort((left, right) => number(right) - number(left));
        for (const other of head.children) other.removeAttribute('aria-sort');
        cell.setAttribute('aria-sort', 'descending');
        fill();
      });
      cell.append(button);
    }
    head.append(cell);
  }
  fill();
  return el('details', {}, el('summary', {}, caption),
    el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
      el('table', {}, el('thead', {}, head), body)));
}

function facts(pairs) {
  return el('dl', {class: 'facts'}, ...pairs.map(([key, value]) => el('div', {}, el('dt', {}, key), el('dd', {}, value))));
}

function showFindings(file, caption) {
  if (file.findings.length === 0) return;
  put(document.getElementById('page'), makeTable(caption, [
    ['Place', row => '0x' + row.offset.toString(16)],
    ['Severity', row => row.severity],
    ['Finding', row => clean(row.message)],
    ['Rule', row => nameOf(row.id)]], file.findings));
}

/** The facts about the files, under their short names. */
function showFiles(data, names) {
  const page = document.getElementById('page');
  const verdict = file => el('span', file.verdict === 'valid' ? {} : {class: 'bad'}, file.verdict);
  const findings = file => el('span', {class: 'whole'}, `${plural(file.errors, 'error')}, ${plural(file.warnings, 'warning')}, ${plural(file.notes, 'note')}`);
  if (data.files.length === 1) {
    const [file] = data.files;
    put(page, facts([['file', clean(file.name)], ['format', file.title], ['size', bytes(file.byte_count)], ['verdict', verdict(file)], ['findings', findings(file)]]));
    return showFindings(file, 'Findings in this file');
  }
  const valid = data.files.filter(file => file.verdict === 'valid').length;
  const table = makeTable(`${plural(data.files.length, 'file')}, ${valid === data.files.length ? 'all valid' : valid + ' valid'}`, [
    ['File', file => nameOf(names[data.files.indexOf(file)])], ['Format', file => file.title], ['Size', file => bytes(file.byte_count), file => file.byte_count],
    ['Verdict', verdict], ['Findings', findings]], data.files);
  if (data.files.length <= 3) table.setAttribute('open', '');
  put(page, table);
  data.files.forEach((file, index) => showFindings(file, 'Findings in ' + names[index]));
  if (data.files_left_out !== 0) put(page, el('p', {class: 'dim'}, plural(data.files_left_out, 'more file') + ' not listed.'));
}

/** `2,400 Foo in load's variable all (app.js:66), held by Array @5,` */
function whoRetains(suspect) {
  // A part of the way that was cut would not be readable.
  const one = el('span', {}), way = suspect.way === '' ? '' : ' in ' + clean(suspect.way.replace(/, [^,]*\u2026$/, ''));
  if (suspect.chain !== 0)
    return put(one, 'A chain of ' + count(suspect.chain) + ' ', nameOf(suspect.name), way + ' that begins at @' + suspect.id);
  if (suspect.count === 1) return put(one, nameOf(suspect.name), ' @' + suspect.id + way + (way === '' ? '' : ','));
  put(one, count(suspect.count) + ' ', nameOf(suspect.name), way);
  if (!suspect.holder) return put(one, ', held by no single node,');
  return put(one, ', held by ', nameOf(suspect.holder.name), ' @' + suspect.holder.id + ',');
}

function verbOf(suspect) { return suspect.count === 1 || suspect.chain !== 0 ? ' retains ' : ' retain '; }

function showPath(suspect) {
  const list = el('ol', {class: 'path', 'aria-label': 'Path from the root'});
  const middle = Math.ceil(suspect.path.length / 2);
  suspect.path.forEach((step, index) => {
    if (index === middle && suspect.left_out !== 0) put(list, el('li', {class: 'dim'}, plural(suspect.left_out, 'step') + ' left out'));
    put(list, el('li', {}, step.edge === '' ? null : el('span', {class: 'dim'}, clean(step.edge) + ' '), nameOf(step.name)));
  });
  return list;
}

/** Each suspect with its path. `isNew`: its numbers are about new memory only. */
function listSuspects(part, suspects, isNew) {
  suspects.forEach((suspect, index) => {
    const inside = suspect.contents.length === 0 ? null : el('span', {}, ', mostly in ');
    if (inside) suspect.contents.forEach((name, index) => put(inside, index === 0 ? null : ' \u203a ', nameOf(name)));
    put(part, el('p', {}, isNew ? null : el('strong', {}, `Suspect ${index + 1}: `), whoRetains(suspect), verbOf(suspect), isNew ? 'new nodes of ' : null,
      el('strong', {}, bytes(suspect.retained) + ', ' + percent(suspect.share, 1) + (isNew ? ' of what is new' : ' of the heap')), inside, el('span', {class: 'dim'}, `, fingerprint ${suspect.fingerprint}`)),
    showPath(suspect));
  });
}

function showSuspects(data) {
  const part = section('suspects', 'Suspects',
    `Parts of the heap that retain ${wholePercent(data.least_share)} or more of it, with the path from the root to each.`);
  if (data.suspects.length === 0) put(part, el('p', {}, `Nothing retains ${wholePercent(data.least_share)} of the heap.`));
  listSuspects(part, data.suspects, false);
}

const doubts = {
  'same heap': 'Both snapshots contain the same nodes, so nothing can be new. ',
  'out of order': 'The last snapshot was made before the first one, as the ids of their nodes show. ',
  'other process': 'The snapshots are from different processes, as the ids of their nodes show. ',
};

function showGrowth(growth, leastShare) {
  const part = section('growth', 'What is new',
    `${bytes(growth.size)} in the last snapshot are new since the first. Parts of the heap that retain ${wholePercent(leastShare)} or more of that, with the path from the root to each. ` +
    (doubts[growth.doubt] ?? '') +
    (growth.by === 'type' ? 'This is estimated by type, because the dump does not show which nodes are the same.' : ''));
  if (growth.suspects.length === 0) put(part, el('p', {}, growth.size === 0 ? 'Nothing is new.' : `Nothing retains ${wholePercent(leastShare)} of what is new.`));
  listSuspects(part, growth.suspects, true);
}

/** The buckets, and empty ones between them, except after the bucket of nodes without a size. */
function fillBuckets(histogram) {
  const made = [];
  for (const bucket of histogram) {
    const before = made[made.length - 1];
    for (let least = before && before.least !== 0 ? 2 * before.least : bucket.least; least < bucket.least; least *= 2) made.push({least: least, count: 0, size: 0});
    made.push(bucket);
  }
  return made;
}

function showHistogram(data) {
  const part = section('histogram', 'Sizes of nodes', 'The total bytes in nodes of each size. Each column begins at twice the size of the previous one.');
  const holder = put(part, el('div')).lastChild;
  const buckets = fillBuckets(data.histogram);
  const peak = Math.max(1, ...buckets.map(bucket => bucket.size));
  const label = bucket => bytes(bucket.least).replace('.0', '');
  drawToFit(holder, width => {
    const step = width / Math.max(8, buckets.length);
    const every = Math.ceil(Math.max(...buckets.map(bucket => widthOf(label(bucket)) + 8)) / step);
    const picture = svg('svg', {viewBox: `0 0 ${width} 190`, role: 'group', 'aria-label': 'Histogram of sizes'});
    const texts = [];
    buckets.forEach((bucket, index) => {
      const height = 140 * bucket.size / peak;
      const middle = (index + 0.5) * step;
      if (bucket.count !== 0) put(picture, mark({class: 'mark c0', x: index * step + 2, y: 160 - height, width: step - 4, height: Math.max(1, height)},
        `${bucket.least === 0 ? 'nodes without a size' : 'nodes from ' + bytes(bucket.least)}: ${count(bucket.count)}, ${bytes(bucket.size)} in total`));
      if (index % every === 0) texts.push({text: label(bucket), value: 0, x: middle, y: 176, class: 'dim axis'});
      if (bucket.size !== 0) texts.push({text: bytes(bucket.size), value: bucket.size, x: middle, y: 154 - height, class: 'value'});
    });
    writeWithRoom(picture, texts, width);
    const first = picture.querySelector('.mark');
    if (first) first.setAttribute('tabindex', 0);
    addKeys(picture, () => {});
    holder.replaceChildren(picture);
  });
  put(part, makeTable('Sizes as a table', [['From', row => bytes(row.least)], ['Nodes', row => count(row.count), row => row.count],
    ['Size', row => bytes(row.size), row => row.size]], data.histogram));
}
