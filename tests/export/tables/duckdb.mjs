// Exports dumps as Parquet and CSV, and compares DuckDB's results for the files with the same tables as NDJSON.
// usage: duckdb.mjs HEAPCHECK DUMP...
// Exits with 77, which ctest shows as skipped, if the package @duckdb/node-api is not installed. It is looked up in the
// folder HEAPCHECK_NODE_MODULES.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const shards = 3;

function loadDuckDb() {
  try {
    return createRequire(join(process.env.HEAPCHECK_NODE_MODULES ?? process.cwd(), 'x.js'))('@duckdb/node-api');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    console.log('@duckdb/node-api is not installed');
    return process.exit(77);
  }
}

/** For each column: the number of values, and their sum or, for texts, the sum of their lengths. */
function computeTotals(rows, columns) {
  const totals = {};
  for (const {column_name: name, column_type: type} of columns) {
    const values = rows.map(row => row[name]).filter(value => value !== undefined);
    const sum = values.reduce((total, value) => total + BigInt(type === 'VARCHAR' ? [...value].length : value), 0n);
    totals[name] = [`${values.length}`, values.length === 0 ? null : `${sum}`];
  }
  return totals;
}

async function readTotals(select, source, columns) {
  const parts = columns.map(({column_name: name, column_type: type}) =>
    `count("${name}")::text, sum(${type === 'VARCHAR' ? `length("${name}")` : `"${name}"`})::text`);
  const [row] = await select(`select ${parts.join(', ')} from ${source}`);
  const values = Object.values(row);
  return Object.fromEntries(columns.map(({column_name: name}, i) => [name, values.slice(2 * i, 2 * i + 2)]));
}

async function check(select, heapcheck, dump, folder) {
  const run = (...words) => execFileSync(heapcheck, ['export', '--quiet', dump, ...words]);
  for (const form of ['parquet', 'ndjson', 'csv']) run('--to', form, '-o', join(folder, `heap.${form}`));
  const tables = readdirSync(folder).filter(name => name.endsWith('.parquet')).map(name => name.slice(5, -8));
  assert(tables.includes('snapshots') && tables.length >= 3);
  for (const table of tables) {
    const parquet = join(folder, `heap-${table}.parquet`);
    const lines = readFileSync(join(folder, `heap-${table}.ndjson`), 'utf8').split('\n').slice(0, -1);
    const columns = await select(`describe select * from '${parquet}'`);
    const expected = computeTotals(lines.map(line => JSON.parse(line)), columns);
    assert.deepEqual(await readTotals(select, `'${parquet}'`, columns), expected, `${dump}: ${table}`);
    const types = columns.map(({column_name: name, column_type: type}) => `'${name}': '${type}'`).join(', ');
    const csv = `read_csv('${join(folder, `heap-${table}.csv`)}', header=true, columns={${types}}, quote='"', escape='"',
      allow_quoted_nulls=false, max_line_size=100000000)`;
    const [{n}] = await select(`select count(*)::text n from ${csv}`);
    assert.equal(n, `${lines.length}`);
    for (let i = 1; i <= shards; ++i)
      run('--to', 'parquet', '--table', table, '--shard', `${i}/${shards}`, '-o', join(folder, `part-${i}.${table}`));
    const parts = `read_parquet('${join(folder, `part-*.${table}`)}')`;
    assert.deepEqual(await readTotals(select, parts, columns), expected, `${dump}: shards of ${table}`);
    console.log(`${dump}: ${lines.length} ${table}`);
  }
}

const {DuckDBInstance} = loadDuckDb();
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const select = async query => (await connection.runAndReadAll(query)).getRowObjectsJson();
const [heapcheck, ...dumps] = process.argv.slice(2);
for (const dump of dumps) {
  const folder = mkdtempSync(join(tmpdir(), 'heapcheck-duckdb-'));
  try {
    await check(select, heapcheck, dump, folder);
  } finally {
    rmSync(folder, {recursive: true});
  }
}
