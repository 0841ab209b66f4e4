// Loads a heap snapshot with heap-snapshot-toolkit, which contains the engine of DevTools:
//   node toolkit.mjs NODE-MODULES FILE
import {createReadStream} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [modules, file] = process.argv.slice(2);
const {parse} = await import(pathToFileURL(join(resolve(modules), 'heap-snapshot-toolkit/index.js')));
const snapshot = await parse(createReadStream(file, 'utf-8'));
const classes = Object.values(snapshot.aggregatesWithFilter({}));
process.exit(Math.max(...classes.map(one => one.maxRet)) > 0 ? 0 : 1);
