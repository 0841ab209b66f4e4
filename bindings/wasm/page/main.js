// The files that are open, and what happens to them: each is checked, and then questions about all of them are
// answered.

let entries = [];
/** The answers as the program writes them: JSON documents by their names. */
const answers = new Map();
let fileNumber = 0;
/** The memory for the data of one file, in bytes; undefined if it may use all memory of the module. */
let maxMemory;

const statusLine = document.getElementById('status');
const progressBar = document.getElementById('progress');
const controls = document.getElementById('running');

const tooOld = 'This browser is too old for the page, which needs Chrome 97, Firefox 113, Safari 16.4, or a later version.';

/** Tells people what happens, even if they use a screen reader. */
function announce(text) {
  if (statusLine.textContent !== text) statusLine.textContent = text;
}

/** What a person asked for. Several jobs can run at once: the status line shows what the latest one does. */
class Job {
  static #running = new Set();
  #title = '';

  constructor() {
    Job.#running.add(this);
    controls.hidden = false;
  }

  static get #latest() { return Array.from(Job.#running).pop(); }

  /** Shows a title and progress while `act` runs. */
  step(title, act) {
    this.#title = title + '\u2026';
    if (Job.#latest === this) announce(this.#title);
    progressBar.removeAttribute('value');
    return act();
  }

  /** Ends the job. Only the last of several that run at once says how it ended. */
  end(text) {
    Job.#running.delete(this);
    const left = Job.#latest;
    if (!left && controls.contains(document.activeElement)) document.getElementById('choose').focus();
    controls.hidden = !left;
    announce(left ? left.#title : text);
  }
}

// When everything has been read, the rest takes an unknown time.
engine.onProgress = share => {
  if (share < 1) progressBar.value = share; else progressBar.removeAttribute('value');
};

async function openDump(entry) {
  const {id, ...properties} = await engine.ask({call: 'open', file: entry.file, name: entry.name, maxMemory: maxMemory});
  Object.assign(entry, properties);
  return id;
}

/** The number of the dump in the worker that runs now, which opens it if necessary, but only once. */
function openedDump(entry) {
  if (entry.stops !== engine.stops) Object.assign(entry, {stops: engine.stops, opening: openDump(entry)});
  return entry.opening;
}

/** Bytes to which findings refer. Those of a file that is not compressed are read without heapcheck. */
async function readBytes(entry, offset, byteCount) {
  if (!entry.isCompressed) {
    const content = await entry.file.slice(offset, offset + byteCount).arrayBuffer().catch(() => { throw new Failure('gone'); });
    return new Uint8Array(content);
  }
  return engine.ask({call: 'bytes', dump: await openedDump(entry), offset: offset, byte_count: byteCount});
}

async function readRule(entry, id) { return JSON.parse(await engine.ask({call: 'rule', id: id})); }

/** Checks one file and shows the report. Returns whether questions about it may have answers. */
async function checkFile(entry, job) {
  try {
    entry.report = await job.step(`Checking ${clean(entry.name)}`, async () =>
      engine.ask({call: 'validate', dump: await openedDump(entry)}));
    const report = showReport(entry);
    entry.verdict = report.verdict;
    if (!report.error) offerRewriting(entry, report);
    return !report.error;
  } catch (failure) {
    const isCancelled = failure.kind === 'cancelled';
    entry.isOther = !isCancelled && entry.mayBeOther && (failure.kind === 'unknown_format' || entry.file.size === 0);
    if (entry.isOther) return true;
    entry.verdict = 'unreadable';
    put(entry.part, el('p', {class: 'verdict wrong'}, explainFailure(failure, entry.name)));
    if (isCancelled) throw failure;
    return false;
  }
}

/** The snapshots of a file with several, which the sections below do not list. */
function showSummary(entry, summary) {
  if (summary.snapshots.length < 2) return;
  const columns = [['Snapshot', row => String(row.index)], ['Size', row => bytes(row.size), row => row.size]];
  for (const [field, label] of [['edges', 'Edges'], ['nodes', 'Nodes']])
    if (summary.snapshots.every(row => typeof row[field] === 'number')) columns.splice(1, 0, [label, row => count(row[field]), row => row[field]]);
  put(entry.part, makeTable(plural(summary.snapshots.length, 'snapshot'), columns, summary.snapshots));
}

function answerAbout(title, request, job) {
  return job.step(title, async () => {
    const dumps = [];
    for (const entry of entries) dumps.push(String(await openedDump(entry)));
    return engine.ask({...request, dumps: dumps});
  });
}

/** The answer to a question about all files, as the program writes it. It is asked only once. */
async function answerOf(question, job) {
  if (!answers.has(question))
    answers.set(question, await answerAbout('Answering', {call: 'ask', question: question, options: {}}, job));
  return answers.get(question);
}

/** A button that saves an answer, which is asked when it is wanted. */
function makeAnswerButton(question) {
  return makeButton(`Save the answer \u201c${question}\u201d as JSON`, async () => {
    const job = new Job();
    try {
      save(question + '.json', await answerOf(question, job));
      job.end('Done.');
    } catch (failure) {
      job.end(explainFailure(failure, entries[0].name));
    }
  });
}

/** Buttons that save what the sections show. Traces have no suspects. */
function offerAnswers(data) {
  const hasSuspects = data.snapshot.content !== 'stacks' || data.files[0].format === 'heapprofile';
  const questions = hasSuspects ? ['suspects'] : [];
  if (entries.length > 1) questions.push('growth');
  return put(el('div', {class: 'tools'}), makeButton('Save the data of the charts as JSON', () => save('page.json', answers.get('page'))),
    ...questions.map(makeAnswerButton));
}

async function showSummaries(job) {
  for (const entry of entries) {
    try {
      entry.summary = await job.step(`Reading ${clean(entry.name)}`, async () =>
        engine.ask({call: 'ask', question: 'summary', dumps: [String(await openedDump(entry))], options: {}}));
      showSummary(entry, JSON.parse(entry.summary));
    } catch (failure) {
      if (failure.kind === 'cancelled' || failure.kind === 'broken') throw failure;
    }
  }
}

/** What holds the memory and, for several files, what grew. */
async function showHeap(job) {
  const page = document.getElementById('page');
  page.replaceChildren();
  answers.clear();
  await showSummaries(job);
  answers.set('page', await answerAbout('Finding what holds the memory', {call: 'page', json: true}, job));
  const data = JSON.parse(answers.get('page'));
  chooseColoursOf(data);
  put(page, el('h2', {id: 'memory'}, entries.length === 1 ? 'Memory' : 'Memory, and what changed'), headline(data), snapshotFacts(data));
  showSections(data);
  put(page, el('h2', {}, 'Save'), offerAnswers(data));
}

/** For several files that cannot be compared: buttons that open one of those that can be read. */
function offerAlone() {
  const usable = entries.filter(entry => entry.verdict !== 'unreadable');
  if (entries.length < 2 || usable.length === 0) return null;
  const open = entry => openFiles([{file: entry.file, name: entry.name}]);
  return put(el('div', {class: 'tools'}), ...usable.map(entry => makeButton(`Open only ${clean(entry.name)}`, () => open(entry))));
}

/** Says that some files cannot be read, so that not even the others can be compared. */
function showUnread() {
  if (entries.length < 2) return;
  const unread = entries.filter(entry => entry.verdict === 'unreadable').map(entry => clean(entry.name));
  put(document.getElementById('page'), el('h2', {}, 'Memory'), el('p', {}, `What holds the memory is not shown, because all files are compared, and this cannot be read: ${
    unread.join(', ')}.`), offerAlone());
}

/** Explains why there is nothing about the memory, below what is already shown. */
function showObstacle(failure) {
  const page = document.getElementById('page');
  const unsound = entries.find(entry => entry.verdict !== 'valid') || entries[0];
  put(page, el('h2', {}, 'Memory'), el('p', {}, 'What holds the memory is not shown: ' + makeSentence(failure, unsound.name)));
  if (failure.kind === 'limit') put(page, el('p', {}, 'The heapcheck program can use more memory than a browser gives to this page.'));
  if (failure.kind === 'damaged') put(page, el('p', {}, 'Recover the intact parts of the file (see above), and open the result.'));
  put(page, offerAlone());
}

function describeVerdicts() {
  return entries.map(entry => `${clean(entry.name)}: ${entry.verdict}`).join('; ');
}

/** Shows what holds the memory, or why that is not shown. Returns a sentence about the end. */
async function tryToShowHeap(job) {
  try {
    await showHeap(job);
    return `Done. ${describeVerdicts()}.`;
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.kind === 'cancelled') return `Cancelled. ${describeVerdicts()}.`;
    showObstacle(failure);
    return `Done. ${describeVerdicts()}. What holds the memory is not shown.`;
  }
}

/** For several files: their order, which a person can change. */
function showOrder() {
  if (entries.length < 2) return;
  const part = el('section', {id: 'order', 'aria-label': 'Order of the files'}, el('p', {}, 'The files are compared in this order, oldest first:'));
  const list = el('ol');
  entries.forEach((entry, index) => {
    const earlier = makeButton('Move up', async () => {
      entries.splice(index - 1, 2, entry, entries[index - 1]);
      engine.stop();
      part.remove();
      showOrder();
      moveFocus(document.querySelectorAll('#order li')[index - 1]);
      const job = new Job();
      job.end(await tryToShowHeap(job));
    });
    earlier.setAttribute('aria-label', 'Move up ' + clean(entry.name));
    put(list, el('li', {}, nameOf(entry.name), ' ', index === 0 ? null : earlier));
  });
  put(part, list);
  document.getElementById('files').prepend(part);
}

/** Checks all files, and leaves out those of unknown format that were found in folders. Returns whether questions about
 * the others may have answers. */
async function checkFiles(job, hadFocus) {
  let canAnswer = true;
  for (const entry of entries) {
    const heading = makeFilePart(entry);
    if (hadFocus && entry === entries[0]) moveFocus(heading);
    canAnswer = await checkFile(entry, job) && canAnswer;
    if (entry.isOther) entry.part.remove();
  }
  entries = entries.filter(entry => !entry.isOther);
  return canAnswer && entries.length !== 0;
}

function showTitle() {
  document.title = ['heapcheck'].concat(entries.length === 0 ? [] : entries.map(entry => clean(entry.name)).join(', ')).join(': ');
}

/** A sentence about the files that were left out; empty if there are none. */
function describeOthers(otherCount) {
  if (otherCount === 0) return '';
  const others = `${plural(otherCount, 'file')} of unknown format`;
  return entries.length === 0 ? `No heap dumps were found, only ${others}.` : ` Skipped ${others}.`;
}

/** Checks files and answers questions about them. Files whose names have numbers are in the order of the numbers. Each is
 * a File, or one that was found in a folder: {file, name, mayBeOther}. `listing` is the job that found them. */
async function openFiles(files, listing = null) {
  const collator = new Intl.Collator('en', {numeric: true});
  const found = Array.from(files, file => (file instanceof File ? {file: file, name: file.name} : file));
  if (found.length === 0) return;
  if (!isModern()) return announce(tooOld);
  engine.stop();
  answers.clear();
  const parts = ['files', 'page'].map(id => document.getElementById(id));
  const hadFocus = parts.some(part => part.contains(document.activeElement));
  for (const part of parts) part.replaceChildren();
  const job = listing || new Job();
  entries = found.sort((left, right) => collator.compare(left.name, right.name)).map(one => ({...one, number: ++fileNumber}));
  showTitle();
  try {
    const canAnswer = await checkFiles(job, hadFocus);
    const others = describeOthers(found.length - entries.length);
    showTitle();
    if (entries.length === 0) return job.end(others);
    showOrder();
    if (!canAnswer) showUnread();
    job.end((canAnswer ? await tryToShowHeap(job) : `Done. ${describeVerdicts()}.`) + others);
  } catch (failure) {
    if (failure.kind !== 'cancelled') throw failure;
    job.end('Cancelled.');
  }
}

function listen() {
  const choose = document.getElementById('choose');
  choose.addEventListener('click', () => { choose.value = ''; });  // so that the same file can be chosen again
  choose.addEventListener('change', () => openFiles(choose.files));
  document.getElementById('cancel').addEventListener('click', () => {
    engine.stop();
    choose.focus();
  });
  window.addEventListener('dragover', event => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  for (const end of ['dragleave', 'drop']) window.addEventListener(end, () => document.body.classList.remove('dropping'));
  window.addEventListener('drop', event => {
    event.preventDefault();
    openDropped(event.dataTransfer);
  });
}

listen();
if (!isModern()) announce(tooOld);
