// Loads a heap snapshot with VS Code's parser, and finds the classes that retain most:
//   node vscode.mjs NODE-MODULES FILE
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';

const require = createRequire(join(resolve(process.argv[2]), 'x.js'));
const graph = require('@vscode/v8-heap-parser').decode_bytes(readFileSync(process.argv[3]));
const [first] = graph.get_class_groups(0, 20, false);
process.exit(first.retained_size > 0n ? 0 : 1);
