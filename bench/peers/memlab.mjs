// Loads a heap snapshot with memlab, which finds the dominators and retained sizes of all nodes:
//   node memlab.mjs NODE-MODULES FILE
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';

const require = createRequire(join(resolve(process.argv[2]), 'x.js'));
const {getFullHeapFromFile} = require('@memlab/heap-analysis');
const heap = await getFullHeapFromFile(process.argv[3]);
let most = 0;
heap.nodes.forEach(node => {
  most = Math.max(most, node.retainedSize);
});
process.exit(most > 0 ? 0 : 1);
