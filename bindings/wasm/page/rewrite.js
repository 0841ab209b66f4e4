// Recovers and converts dumps, and saves what comes out of it.

const extensions = {mvmheap: '.mvmheap', chrome: '.json', heapsnapshot: '.heapsnapshot', heapprofile: '.heapprofile'};

/** A name for the output: that of the input, with what was done to it and the extension of the format. */
function nameOutput(name, what, target) {
  const known = Object.keys(extensions).find(start => target.startsWith(start) || target.endsWith(start));
  const stem = name.replace(/\.(gz|zst|zip)$/i, '').replace(/\.[^.]*$/, '');
  return `${stem}.${what}${extensions[known] || ''}`;
}

/** Offers a file for download. */
function save(name, content) {
  const address = URL.createObjectURL(new Blob([content]));
  el('a', {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

function makeButton(text, act) {
  const button = el('button', {type: 'button'}, text);
  button.addEventListener('click', act);
  return button;
}

/** A number of items whose name is in the plural, such as `1 snapshot`. */
function amountOf(number, what) {
  return count(number) + ' ' + (number === 1 ? what.replace(/ies$/, 'y').replace(/(?<!s)s$/, '') : what);
}

/** `3 snapshots, at least 20 references` */
function listAmounts(amounts) {
  return amounts.map(({what, count: number, is_least}) => (is_least ? 'at least ' : '') + amountOf(number, what)).join(', ');
}

/** A reason without the option of the program that would help. */
function withoutOption(reason) { return clean(reason.replace(/; --.*$/, '')); }

function listLosses(losses) {
  return el('ul', {}, ...losses.map(loss => el('li', {}, `${amountOf(loss.count, clean(loss.what))}: ${withoutOption(loss.reason)}`)));
}

function capitalise(text) { return text.charAt(0).toUpperCase() + text.slice(1); }

/** What a recovery kept, dropped and changed. */
function describeRecovery(done) {
  const parts = done.dropped_parts.slice(0, 10);
  const more = done.dropped_parts.length - parts.length + done.more_dropped_parts;
  const rows = [['Kept', done.kept], ['Dropped', done.dropped]].concat(done.changes.map(change => [capitalise(change.what), change.amounts]));
  return [
    facts(rows.filter(([, amounts]) => amounts.length !== 0).map(([what, amounts]) => [clean(what), clean(listAmounts(amounts))])),
    parts.length === 0 ? null : el('ul', {}, ...parts.map(part => el('li', {}, `${clean(part.name)}: ${withoutOption(part.reason)}`)),
      more === 0 ? null : el('li', {}, `and ${count(more)} more`)),
  ];
}

/** Offers the bytes of a new dump. */
function offerOutput(holder, name, content) {
  put(holder, el('p', {}, nameOf(name), `, ${bytes(content.length)}, has been written and checked.`),
    put(el('div', {class: 'tools'}), makeButton('Save', () => save(name, content)),
      makeButton('Open here', () => openFiles([new File([content], name)]))));
}

/** Moves the focus to a part that is not a control, because the control that had it is gone. */
function moveFocus(part) {
  part.tabIndex = -1;
  part.focus();
}

/** Runs a request about a file, and shows what `show` makes of the result. */
async function rewrite(entry, holder, title, request, show) {
  const job = new Job();
  const hadFocus = holder.contains(document.activeElement);
  holder.replaceChildren();
  try {
    const done = await job.step(title, async () => engine.ask({...request, dump: await openedDump(entry)}));
    show(done);
    if (hadFocus && document.activeElement === document.body) moveFocus(holder);
    job.end('Done.');
  } catch (failure) {
    holder.replaceChildren(el('p', {}, explainFailure(failure, entry.name)));
    job.end(explainFailure(failure, entry.name));
  }
}

function recoverFile(entry, holder) {
  return rewrite(entry, holder, `Recovering ${clean(entry.name)}`, {call: 'recover'}, done => {
    put(holder, ...describeRecovery(done));
    if (done.bytes) offerOutput(holder, nameOutput(entry.name, 'recovered', done.format), done.bytes);
    else put(holder, el('p', {}, 'No part of the file can be kept, so nothing was written.'));
  });
}

function convertFile(entry, holder, target, allowLoss) {
  const request = {call: 'convert', to: target, allow_loss: allowLoss};
  return rewrite(entry, holder, `Converting ${clean(entry.name)}`, request, done => {
    if (done.losses.length !== 0) put(holder, el('p', {}, `${target} cannot represent:`), listLosses(done.losses));
    if (done.bytes) return offerOutput(holder, nameOutput(entry.name, target.replace(/[^a-z0-9]+/g, '-'), target), done.bytes);
    return put(holder, makeButton('Convert and lose this', () => convertFile(entry, holder, target, true)));
  });
}

/** Buttons for the dump: recover it if it is damaged, and otherwise convert it. */
function offerRewriting(entry, report) {
  // With several files, there are several buttons with the same words.
  const tools = el('div', {class: 'tools', role: 'group', 'aria-label': 'What to do with ' + clean(entry.name)});
  const holder = el('div', {class: 'outcome'});
  if (report.counts.error + report.counts.warning !== 0)
    put(tools, makeButton('Recover the intact parts', () => recoverFile(entry, holder)));
  const targets = entry.targets.filter(target => target !== report.format);
  if (report.counts.error === 0 && targets.length !== 0) {
    const list = el('select', {'aria-label': 'Format to convert to'}, ...targets.map(target => el('option', {value: target}, target)));
    put(tools, el('span', {}, list, ' '), makeButton('Convert', () => convertFile(entry, holder, list.value, false)));
  }
  put(tools, makeButton('Save the report as JSON', () => save(entry.name + '.report.json', entry.report)));
  put(entry.part, tools, holder);
}
