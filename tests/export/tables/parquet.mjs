// Reads a Parquet file with DuckDB and, if it is installed, with ClickHouse, and compares the results with the rows
// that were written, and the structure of the file with the expected structure.
// usage: parquet.mjs PROGRAM, which is heapcheck_parquet_sample
// Exits with 77, which ctest shows as skipped, if the package @duckdb/node-api is not installed. Packages are looked up
// in the folder HEAPCHECK_NODE_MODULES, next to this file, and in the folders above.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Returns the package, or undefined if it is not installed or does not run here. */
function load(name) {
  for (const place of [process.env.HEAPCHECK_NODE_MODULES, import.meta.dirname ?? process.cwd()]) {
    try {
      if (place) return createRequire(join(place, 'x.js'))(name);
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') console.log(`${name} cannot be loaded: ${error.message}`);
    }
  }
  return undefined;
}

const rows = 300000;
const long = 3 * 2 ** 20;

/** The row that tests/export/tables/parquet_sample.cpp writes. */
function makeRow(row) {
  return {
    node: BigInt(row),
    size: row % 1000 === 0 ? 2n ** 63n - 1n - BigInt(row) : BigInt(16 * (row % 50)),
    held_by: row === 0 ? null : BigInt(row >> 1),
    kind: `kind ä ${row % 7}`,
    name: row % 3 === 0 ? null : `name ${row}`,
    path: '/'.repeat(200) + (row % 20000),
    noteSize: row % 100000 !== 0 ? null : row === 200000 ? long : 0,
  };
}

/** Sums and counts over all rows, computed here. */
function computeTotals() {
  const totals = {rows: 0n, nodes: 0n, sizes: 0n, holders: 0n, held: 0n, names: 0n, nameBytes: 0n, notes: 0n,
                  pathBytes: 0n};
  for (let i = 0; i < rows; ++i) {
    const row = makeRow(i);
    totals.rows += 1n;
    totals.nodes += row.node;
    totals.sizes += row.size % 1000003n;
    totals.holders += row.held_by ?? 0n;
    totals.held += row.held_by === null ? 0n : 1n;
    totals.names += row.name === null ? 0n : 1n;
    totals.nameBytes += BigInt(row.name?.length ?? 0);
    totals.notes += BigInt(row.noteSize ?? 0);
    totals.pathBytes += BigInt(row.path.length);
  }
  return Object.values(totals).map(String);
}

const totalsQuery = `select count(*), sum(node), sum(size % 1000003), sum(held_by), count(held_by), count(name),
  sum(length(name)), sum(length(note)), sum(length(path))`;

async function openDuckDb(api) {
  const connection = await (await api.DuckDBInstance.create(':memory:')).connect();
  return async query => (await connection.runAndReadAll(query)).getRowObjectsJson();
}

async function checkValues(select, file) {
  const [totals] = await select(`${totalsQuery} from '${file}'`);
  assert.deepEqual(Object.values(totals).map(String), computeTotals());
  const kinds = await select(`select kind, count(*) n from '${file}' group by kind order by kind`);
  assert.deepEqual(kinds.map(each => each.kind), [0, 1, 2, 3, 4, 5, 6].map(i => `kind ä ${i}`));
  const last = await select(`select node, size, held_by, kind, name, path from '${file}' where node in (299000, 299999)`);
  for (const found of last) {
    const {noteSize, ...expected} = makeRow(Number(found.node));
    for (const [name, value] of Object.entries(expected)) assert.equal(found[name], value === null ? null : `${value}`);
  }
  assert.equal(last.length, 2);
}

async function checkStructure(select, file) {
  const schema = await select(`select name, type, repetition_type r, logical_type l, converted_type c
    from parquet_schema('${file}')`);
  assert.deepEqual(schema.slice(1).map(each => each.name), ['node', 'size', 'held_by', 'kind', 'name', 'note', 'path']);
  assert.deepEqual(schema.slice(1).map(each => each.r),
                   ['REQUIRED', 'REQUIRED', 'OPTIONAL', 'REQUIRED', 'OPTIONAL', 'OPTIONAL', 'REQUIRED']);
  assert.equal(schema[4].c, 'UTF8');
  assert.match(schema[4].l, /String/i);
  const chunks = await select(`select path_in_schema as name, row_group_id as "group", row_group_num_rows as rows,
    stats_min_value as least, stats_max_value as most, stats_null_count as nulls, encodings, compression,
    total_uncompressed_size as bytes,
    dictionary_page_offset as dictionary from parquet_metadata('${file}') order by row_group_id, column_id`);
  assert.equal(chunks.length, 3 * 7);
  const find = (group, name) => chunks.find(chunk => Number(chunk.group) === group && chunk.name === name);
  for (const chunk of chunks) assert.equal(chunk.compression, 'ZSTD');
  assert.deepEqual([0, 1, 2].map(group => Number(find(group, 'node').rows)), [131072, 131072, 37856]);
  for (const [name, hasDictionary] of [['node', false], ['size', true], ['kind', true], ['name', false]]) {
    assert.equal(find(1, name).dictionary !== null, hasDictionary, name);
    assert.equal(find(1, name).encodings.includes('RLE_DICTIONARY'), hasDictionary, name);
  }
  // The dictionary of paths becomes too large, so the pages after it are plain.
  assert.deepEqual(find(0, 'path').encodings.split(', ').sort(), ['PLAIN', 'RLE', 'RLE_DICTIONARY']);
  assert.ok(Number(find(0, 'path').bytes) > 20e6);
  assert.deepEqual([find(1, 'node').least, find(1, 'node').most], ['131072', '262143']);
  assert.deepEqual([find(0, 'kind').least, find(0, 'kind').most], ['kind ä 0', 'kind ä 6']);
  assert.equal(find(0, 'size').most, `${2n ** 63n - 1n}`);
  assert.equal(Number(find(0, 'held_by').nulls), 1);
  assert.equal(Number(find(2, 'note').nulls), 37856);
  assert.equal(find(1, 'note').most, null);  // 3 MiB are too long for the statistics
}

function checkWithClickHouse(chdb, file) {
  const text = chdb.query(`${totalsQuery} from file('${file}', Parquet)`, 'CSV');
  assert.deepEqual(text.trim().split(','), computeTotals());
}

const duckdb = load('@duckdb/node-api');
if (!duckdb) {
  console.log('skipped: the package @duckdb/node-api is not installed');
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), 'heapcheck-parquet-'));
try {
  const file = join(folder, 'sample.parquet');
  writeFileSync(file, execFileSync(process.argv[2], {maxBuffer: 2 ** 30}));
  const select = await openDuckDb(duckdb);
  await checkValues(select, file);
  await checkStructure(select, file);
  console.log('DuckDB reads the file');
  const chdb = load('chdb');
  if (chdb) checkWithClickHouse(chdb, file);
  console.log(chdb ? 'ClickHouse reads the file' : 'not tried: the package chdb is not installed');
} finally {
  rmSync(folder, {recursive: true});
}
