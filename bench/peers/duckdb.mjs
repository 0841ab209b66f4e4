// Loads tables from CSV files and writes them as Parquet, with DuckDB on one thread:
//   node duckdb.mjs NODE-MODULES OUT-FOLDER CSV...
import {createRequire} from 'node:module';
import {basename, join, resolve} from 'node:path';

const [folder, out, ...files] = process.argv.slice(2);
const {DuckDBInstance} = createRequire(join(resolve(folder), 'x.js'))('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:', {threads: '1'})).connect();
for (const file of files) {
  const target = join(out, `${basename(file, '.csv')}.parquet`);
  await connection.run(`copy (select * from read_csv('${file}', header=true, quote='"', escape='"',
    max_line_size=100000000)) to '${target}' (format parquet)`);
}
