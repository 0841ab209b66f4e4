// Loads files with DHAT's own viewer, in a document that consists of a few stubs:
//
//     node dhat_viewer.js DH_VIEW FILE...
//
// DH_VIEW is dh_view.js of valgrind. For each file, prints one line of JSON: the name, the totals at the root, the
// number of nodes of the tree, and the text that the viewer shows. Fails if the viewer does.
'use strict';

const fs = require('fs');
const vm = require('vm');

class Element {
  constructor(text = '') {
    this.text = text;
    this.childNodes = [];
    this.classList = {contains: () => false, toggle: () => false};
  }
  appendChild(child) {
    child.parentNode = this;
    this.childNodes.push(child);
  }
  replaceChild(made, old) {
    made.parentNode = this;
    this.childNodes[this.childNodes.indexOf(old)] = made;
  }
  cloneNode() {
    return new Element();
  }
  set textContent(text) {
    this.text = text;
    this.childNodes = [];
  }
  get textContent() {
    return this.text + this.childNodes.map(child => child.textContent).join('');
  }
  set selected(_) {
    this.parentNode.selectedIndex = this.parentNode.childNodes.indexOf(this);
  }
}

class FileReader {
  readAsText(file) {
    this.onload({target: {result: fs.readFileSync(file.name, 'utf8')}});
  }
}

function showFile(script, file) {
  const body = new Element();
  const document = {
    body,
    location: {search: ''},
    createElement: () => new Element(),
    createTextNode: text => new Element(text),
  };
  const context = vm.createContext({document, FileReader, URLSearchParams, performance, Intl});
  const ask = code => vm.runInContext(code, context);
  ask(script);
  ask('onLoad()');
  context.file = {name: file};
  ask('gInput.files = [file]; gSelect.selectedIndex = 0; loadFile()');
  ask('function countNodes(node) { return (node._kids || []).reduce((sum, kid) => sum + countNodes(kid), 1); }');
  return {
    file,
    bytes: ask('gRoot._totalBytes'),
    blocks: ask('gRoot._totalBlocks'),
    nodes: ask('countNodes(gRoot)'),
    text: ask('gMainDiv.textContent'),
  };
}

const [viewer, ...files] = process.argv.slice(2);
const script = fs.readFileSync(viewer, 'utf8');
for (const file of files) console.log(JSON.stringify(showFile(script, file)));
