// A quick script for heap dumps that are JSON: JSON.parse, and a few lines that add up sizes by name.
// It checks nothing, and so shows which errors such a script does not notice. It exits with status 0
// if it can add up the sizes, and throws an exception if it cannot.
'use strict';
const fs = require('fs');

function add(sums, name, size) {
  sums.set(name, (sums.get(name) || 0) + size);
}

// Lists the objects of a snapshot, each with the references to it.
function readSnapshot({snapshot, nodes, edges, strings}, sums) {
  const {node_fields, edge_fields, edge_types} = snapshot.meta;
  const [name, size, count] = ['name', 'self_size', 'edge_count'].map(f => node_fields.indexOf(f));
  const [type, label, to] = ['type', 'name_or_index', 'to_node'].map(f => edge_fields.indexOf(f));
  const objects = [];
  for (let i = 0; i < nodes.length; i += node_fields.length) {
    objects.push({name: strings[nodes[i + name]], size: nodes[i + size], count: nodes[i + count], from: []});
  }
  let at = 0;
  for (const object of objects) {
    for (let i = 0; i < object.count; i++, at += edge_fields.length) {
      const isNumber = ['element', 'hidden'].includes(edge_types[0][edges[at + type]]);
      const by = isNumber ? edges[at + label] : strings[edges[at + label]];
      objects[edges[at + to] / node_fields.length].from.push({object, by});
    }
    add(sums, object.name, object.size);
  }
}

// Adds up the nodes of a sampling profile by function, and its samples by URL.
function readProfile({head, samples}, sums) {
  const nodes = new Map();
  const walk = node => {
    nodes.set(node.id, node);
    add(sums, node.callFrame.functionName, node.selfSize);
    node.children.forEach(walk);
  };
  walk(head);
  for (const {nodeId, size} of samples || []) add(sums, nodes.get(nodeId).callFrame.url, size);
}

function readLegacy(heaps, {frames, types}, sums) {
  for (const {entries} of Object.values(heaps)) {
    for (const {size, bt, type} of entries) {
      for (let id = bt; id; id = frames[id].parent) add(sums, frames[id].name, parseInt(size, 16));
      if (type !== undefined) add(sums, types[type], parseInt(size, 16));
    }
  }
}

function readHeapsV2({maps, allocators}, known, sums) {
  for (const {id, string} of maps.strings) known.strings[id] = string;
  for (const node of maps.nodes) known.nodes[node.id] = node;
  for (const {sizes, nodes} of Object.values(allocators)) {
    sizes.forEach((size, i) => {
      for (let node = known.nodes[nodes[i]]; node; node = known.nodes[node.parent]) {
        add(sums, known.strings[node.name_sid], size);
      }
    });
  }
}

function readTrace(events, sums) {
  const tables = {};  // by process id
  for (const {pid, name, args} of events) {
    const own = tables[pid] ||= {frames: {}, types: {}, strings: {}, nodes: {}};
    if (name === 'stackFrames') Object.assign(own.frames, args.stackFrames);
    if (name === 'typeNames') Object.assign(own.types, args.typeNames);
  }
  for (const {pid, args} of events) {
    if (args?.dumps?.heaps) readLegacy(args.dumps.heaps, tables[pid], sums);
    if (args?.dumps?.heaps_v2) readHeapsV2(args.dumps.heaps_v2, tables[pid], sums);
  }
}

const sums = new Map();
const dump = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
if (dump.snapshot) {
  readSnapshot(dump, sums);
} else if (dump.head) {
  readProfile(dump, sums);
} else {
  readTrace(dump.traceEvents || dump, sums);
}
for (const [name, size] of sums) console.log(size, name);
