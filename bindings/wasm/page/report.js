// The report on one file: its verdict, its findings with their places, and what was not checked.

const verdicts = {
  'valid': ['Valid', 'The file follows all rules of its format.'],
  'not valid': ['Not valid', 'The bytes follow the grammar of the format, but the file violates rules about its content.'],
  'not well-formed': ['Not well-formed', 'The bytes do not follow the grammar of the format, so other programs may fail to read the file.'],
  'undecided': ['Undecided', 'A limit was reached, so not everything was checked. The heapcheck program can use more memory than a browser gives to this page.'],
  'unreadable': ['Unreadable', 'The file could not be read.'],
};

/** `1 error, 0 warnings, 0 notes` */
function countsOf(report) {
  return ['error', 'warning', 'note'].map(severity => plural(report.counts[severity], severity)).join(', ');
}

function makeVerdict(report) {
  const [title, meaning] = verdicts[report.verdict];
  if (report.error) return el('p', {class: 'verdict wrong'}, el('strong', {}, title), ': ', clean(report.error), '.');
  return el('p', {class: 'verdict ' + (report.verdict === 'valid' ? 'good' : 'wrong')},
    el('strong', {}, title), `: ${countsOf(report)}. `, meaning);
}

/** A text of a rule as a sentence, in which names are between backticks. */
function showText(text) {
  const sentence = capitalise(text) + (text.endsWith('.') ? '' : '.');
  return el('span', {}, ...sentence.split('`').map((part, index) => part === '' ? '' : index % 2 === 0 ? clean(part) : nameOf(part)));
}

/** The rule that a finding violates, for people who do not know the format. */
function describeRule(rule) {
  const rows = [['Rule', rule.title], ['Meaning', rule.reason], ['Example', rule.example], ['What to do', rule.advice]];
  return facts(rows.filter(([, text]) => text !== '').map(([label, text]) => [label, showText(text)]));
}

/** Fills an element the first time that its details are opened, and again if that failed.
 * `fileName` is the file that is read for it. */
function fillWhenOpened(details, fileName, fill) {
  const holder = put(details, el('div')).lastChild;
  details.addEventListener('toggle', () => {
    if (!details.open || details.dataset.filled) return;
    details.dataset.filled = 'yes';
    holder.textContent = 'Reading\u2026';
    fill().then(parts => holder.replaceChildren(...parts), failure => {
      holder.textContent = explainFailure(failure, fileName);
      delete details.dataset.filled;
    });
  });
  return details;
}

function makeFinding(entry, finding) {
  const {location} = finding;
  const details = fillWhenOpened(el('details', {}, el('summary', {}, 'The place, and the rule ', nameOf(finding.id))), entry.name, async () => [
    await showPlace(location, entry.isCompressed, (offset, count) => readBytes(entry, offset, count)),
    describeRule(await readRule(entry, finding.id)),
  ]);
  const path = location.path ? el('span', {}, ', at ', nameOf(location.path)) : null;
  const severity = finding.stage === 'limit' ? 'limit' : finding.severity;
  const related = finding.related.map(other => el('p', {class: 'dim'}, `0x${hexNumber(other.location.offset)}: `, clean(other.message)));
  return el('li', {class: 'finding ' + severity}, el('p', {}, el('strong', {class: 'severity'}, severity), ': ',
    el('span', {class: 'message'}, clean(finding.message))), el('p', {class: 'dim'}, `Offset 0x${hexNumber(location.offset)}`, path),
  ...related, details);
}

/** Findings that were only counted, and parts that were not checked. */
function listRest(part, report) {
  const lines = report.more.map(more => el('li', {}, plural(more.count, `more ${more.severity}`), ' of ', nameOf(more.id)))
    .concat(report.skipped.map(skip => el('li', {}, 'Not checked: ', nameOf(skip.path), ', because ', clean(skip.reason))));
  if (lines.length !== 0) put(part, el('ul', {class: 'dim'}, ...lines));
}

const orderOf = {error: 0, warning: 1, note: 2};

/** Errors come first, because they are what a person looks for. */
function listFindings(part, entry, report) {
  const sorted = report.findings.slice().sort((left, right) => orderOf[left.severity] - orderOf[right.severity]);
  const list = el('ol', {class: 'findings', 'aria-label': 'Findings in ' + clean(entry.name)}, ...sorted.map(finding => makeFinding(entry, finding)));
  if (sorted.length !== 0) put(part, list);
  listRest(part, report);
  const first = list.querySelector('details');
  if (first && report.counts.error !== 0) first.open = true;
}

/** The section about a file; it is filled as its results arrive. Returns its heading. */
function makeFilePart(entry) {
  const id = 'file-' + entry.number;
  const heading = el('h2', {id: id}, nameOf(entry.name));
  entry.part = el('section', {class: 'file', 'aria-labelledby': id}, heading);
  document.getElementById('files').append(entry.part);
  return heading;
}

function showReport(entry) {
  const [report] = JSON.parse(entry.report).files;
  const compression = entry.isCompressed ? [['Compressed', 'yes']] : [];
  put(entry.part, makeVerdict(report));
  if (report.error) return report;
  put(entry.part, facts([['Format', `${entry.title} (${report.format})`], ['Size', bytes(entry.file.size)], ...compression]));
  listFindings(entry.part, entry, report);
  return report;
}
