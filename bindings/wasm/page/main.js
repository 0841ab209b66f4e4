// The files that are open, and what happens to them: each is checked, and then questions about all of them are
// answered.

let entries = [];
/** The answers as the program writes them: JSON documents by their names. */
const answers = new Map();
let fileNumber = 0;
/** The number of the last run: what a person asked for last. Earlier runs say nothing more. */
let runNumber = 0;
/** The memory for the data of one file, in bytes; undefined if it may use all memory of the module. */
let maxMemory;

const statusLine = document.getElementById('status');
const progressBar = document.getElementById('progress');

/** Tells people what happens, even if they use a screen reader. */
function announce(text) {
  if (statusLine.textContent !== text) statusLine.textContent = text;
}

/** Shows a title, progress and a button to cancel while `act` runs. */
async function work(title, act) {
  announce(title + '\u2026');
  progressBar.removeAttribute('value');
  document.getElementById('running').hidden = false;
  try {
    return await act();
  } finally {
    document.getElementById('running').hidden = true;
  }
}

// When everything has been read, the rest takes an unknown time.
engine.onProgress = share => {
  if (share < 1) progressBar.value = share; else progressBar.removeAttribute('value');
};

/** The number of the dump in the worker that runs now, which opens it if necessary. */
async function openedDump(entry) {
  if (entry.worker === null || entry.worker !== engine.worker) {
    const opened = await engine.ask({call: 'open', file: entry.file, name: entry.name, maxMemory: maxMemory});
    entry.worker = engine.worker;
    Object.assign(entry, {dump: opened.id, title: opened.title, targets: opened.targets, isCompressed: opened.isCompressed});
  }
  return entry.dump;
}

/** Bytes to which findings refer. Those of a file that is not compressed are read without heapcheck. */
async function readBytes(entry, offset, byteCount) {
  if (!entry.isCompressed) return new Uint8Array(await entry.file.slice(offset, offset + byteCount).arrayBuffer());
  return engine.ask({call: 'bytes', dump: await openedDump(entry), offset: offset, byte_count: byteCount});
}

async function readRule(entry, id) { return JSON.parse(await engine.ask({call: 'rule', id: id})); }

/** Checks one file and shows the report. Returns whether questions about it may have answers. */
async function checkFile(entry) {
  makeFilePart(entry);
  try {
    entry.report = await work(`Checking ${clean(entry.name)}`, async () =>
      engine.ask({call: 'validate', dump: await openedDump(entry)}));
    const report = showReport(entry);
    entry.verdict = report.verdict;
    if (!report.error) offerRewriting(entry, report);
    return !report.error;
  } catch (failure) {
    entry.verdict = 'unreadable';
    put(entry.part, el('p', {class: 'verdict wrong'}, explainFailure(failure, entry.name)));
    if (failure.kind === 'cancelled') throw failure;
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

async function answerAbout(title, request) {
  return work(title, async () => {
    const dumps = [];
    for (const entry of entries) dumps.push(String(await openedDump(entry)));
    return engine.ask({...request, dumps: dumps});
  });
}

/** The answer to a question about all files, as the program writes it. It is asked only once. */
async function answerOf(question) {
  if (!answers.has(question))
    answers.set(question, await answerAbout('Answering', {call: 'ask', question: question, options: {}}));
  return answers.get(question);
}

/** A button that saves an answer, which is asked when it is wanted. */
function makeAnswerButton(question) {
  return makeButton(`Save the answer \u201c${question}\u201d as JSON`, async () => {
    try {
      save(question + '.json', await answerOf(question));
      announce('Done.');
    } catch (failure) {
      announce(explainFailure(failure, entries[0].name));
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

async function showSummaries() {
  for (const entry of entries) {
    const dump = String(await openedDump(entry));
    try {
      entry.summary = await work(`Reading ${clean(entry.name)}`, () => engine.ask({call: 'ask', question: 'summary', dumps: [dump], options: {}}));
      showSummary(entry, JSON.parse(entry.summary));
    } catch (failure) {
      if (failure.kind === 'cancelled' || failure.kind === 'broken') throw failure;
    }
  }
}

/** What holds the memory and, for several files, what grew. */
async function showHeap() {
  const page = document.getElementById('page');
  page.replaceChildren();
  answers.clear();
  await showSummaries();
  answers.set('page', await answerAbout('Finding what holds the memory', {call: 'page', json: true}));
  const data = JSON.parse(answers.get('page'));
  chooseColoursOf(data);
  put(page, el('h2', {id: 'memory'}, entries.length === 1 ? 'Memory' : 'Memory, and what changed'), headline(data), snapshotFacts(data));
  showSections(data);
  put(page, el('h2', {}, 'Save'), offerAnswers(data));
}

/** Explains why there is nothing about the memory, below what is already shown. */
function showObstacle(failure) {
  const page = document.getElementById('page');
  const unsound = entries.find(entry => entry.verdict !== 'valid') || entries[0];
  put(page, el('h2', {}, 'Memory'), el('p', {}, 'What holds the memory is not shown: ' + makeSentence(failure, unsound.name)));
  if (failure.kind === 'limit') put(page, el('p', {}, 'The heapcheck program can use more memory than a browser gives to this page.'));
  if (failure.kind === 'damaged') put(page, el('p', {}, 'Recover the intact parts of the file (see above), and open the result.'));
}

function describeVerdicts() {
  return entries.map(entry => `${clean(entry.name)}: ${entry.verdict}`).join('; ');
}

async function tryToShowHeap() {
  const run = ++runNumber;
  let end = '';
  try {
    await showHeap();
    end = `Done. ${describeVerdicts()}.`;
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.kind === 'cancelled') {
      end = `Cancelled. ${describeVerdicts()}.`;
    } else {
      showObstacle(failure);
      end = `Done. ${describeVerdicts()}. What holds the memory is not shown.`;
    }
  }
  if (run === runNumber) announce(end);
}

/** For several files: their order, which a person can change. */
function showOrder() {
  if (entries.length < 2) return;
  const part = el('section', {id: 'order', 'aria-label': 'Order of the files'}, el('p', {}, 'The files are compared in this order, oldest first:'));
  const list = el('ol');
  entries.forEach((entry, index) => {
    const earlier = makeButton('Move up', () => {
      entries.splice(index - 1, 2, entry, entries[index - 1]);
      engine.stop();
      part.remove();
      showOrder();
      tryToShowHeap();
    });
    earlier.setAttribute('aria-label', 'Move up ' + clean(entry.name));
    put(list, el('li', {}, nameOf(entry.name), ' ', index === 0 ? null : earlier));
  });
  put(part, list);
  document.getElementById('files').prepend(part);
}

/** Checks files and answers questions about them. Files whose names have numbers are in the order of the numbers. */
async function openFiles(files) {
  const collator = new Intl.Collator('en', {numeric: true});
  const sorted = Array.from(files).sort((left, right) => collator.compare(left.name, right.name));
  if (sorted.length === 0) return;
  engine.stop();
  answers.clear();
  for (const id of ['files', 'page']) document.getElementById(id).replaceChildren();
  const run = ++runNumber;
  entries = sorted.map(file => ({file: file, name: file.name, number: ++fileNumber, worker: null}));
  document.title = `heapcheck: ${entries.map(entry => clean(entry.name)).join(', ')}`;
  try {
    let canAnswer = true;
    for (const entry of entries) canAnswer = await checkFile(entry) && canAnswer;
    showOrder();
    if (canAnswer) await tryToShowHeap(); else announce(`Done. ${describeVerdicts()}.`);
  } catch (failure) {
    if (failure.kind !== 'cancelled') throw failure;
    if (run === runNumber) announce('Cancelled.');
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
    openFiles(event.dataTransfer.files);
  });
}

listen();
