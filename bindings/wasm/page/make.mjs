// Writes the page that checks heap dumps: one HTML file that contains the module, the scripts and the styles.
//
//     node bindings/wasm/page/make.mjs MODULE OUTPUT
import {createHash} from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

import {listLicences} from '../licences.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../../..');
const read = (folder, ...names) => names.map((name) => fs.readFileSync(path.join(folder, name), 'utf8')).join('');
const report = path.join(root, 'export/page/web');

const checksum = (text) => createHash('sha256').update(text).digest('base64');

// The pictures are those of `heapcheck report`, without the script that draws the data of a report.
const script = read(report, 'draw.js', 'tables.js', 'treemap.js', 'bars.js', 'tree.js', 'changes.js', 'main.js') +
    read(here, 'engine.js', 'hex.js', 'report.js', 'rewrite.js', 'folders.js', 'main.js');
const style = read(report, 'style.css') + read(here, 'style.css');
// A worker made from a text cannot import other files, so that the module's functions are not exported.
const worker = read(path.join(here, '..'), 'module.mjs').replace(/^export /gm, '') + read(here, 'worker.js');

const [module, output] = process.argv.slice(2);
const version = /^project\(heapcheck VERSION ([0-9.]+)/m.exec(read(root, 'CMakeLists.txt'))[1];
const escapes = {'&': '&amp;', '<': '&lt;', '>': '&gt;'};
const parts = {
  script, style, worker, version,
  script_checksum: checksum(script),
  style_checksum: checksum(style),
  licence: read(root, 'LICENSE').replace(/[&<>]/g, (letter) => escapes[letter]),
  licences: listLicences().replace(/[&<>]/g, (letter) => escapes[letter]),
  module: gzipSync(fs.readFileSync(module), {level: 9}).toString('base64'),
};
for (const [name, text] of Object.entries(parts))
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`found the end of an element in the ${name}`);
const page = read(here, 'page.html').replace(/\{\{(\w+)\}\}/g, (mark, name) => parts[name]);
fs.mkdirSync(path.dirname(output), {recursive: true});
fs.writeFileSync(output, page);
console.log(`${output}: ${page.length} bytes`);
