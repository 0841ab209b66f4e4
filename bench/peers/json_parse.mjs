// Reads a JSON file with JSON.parse:
//   node json_parse.mjs FILE
import {readFileSync} from 'node:fs';

process.exit(typeof JSON.parse(readFileSync(process.argv[2], 'utf8')) === 'object' ? 0 : 1);
