/** Shows the data that is part of the page. */
function start() {
  const data = JSON.parse(document.getElementById('data').textContent);
  const page = document.getElementById('page');
  chooseColoursOf(data);
  const names = shorten(data.files.map(file => file.name));
  const name = shorten([data.snapshot.file])[0];
  document.title = 'Heap report: ' + name;
  put(page, el('h1', {}, 'Heap report: ', nameOf(name)), headline(data), snapshotFacts(data));
  showFiles(data, names);
  showSections(data);
}

start();
