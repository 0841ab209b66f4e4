// Lists and calls every tool with the protocol's own client library, which also checks the results against the schemas
// that the tools announce, and checks the answers of questions against spec/answers/.
// usage: mcp_client.mjs HEAPCHECK
// Exits with 77, which ctest shows as skipped, if the package @modelcontextprotocol/sdk is not installed. It is looked
// up in the folder HEAPCHECK_NODE_MODULES.
import assert from 'node:assert/strict';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const require = createRequire(join(process.env.HEAPCHECK_NODE_MODULES ?? process.cwd(), 'x.js'));

function load(name) {
  try {
    return require(name);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    console.log(`${name} is not installed`);
    return process.exit(77);
  }
}

const {Client} = load('@modelcontextprotocol/sdk/client/index.js');
const {StdioClientTransport} = load('@modelcontextprotocol/sdk/client/stdio.js');
const {Ajv2020} = load('ajv/dist/2020.js');

const folder = mkdtempSync(join(tmpdir(), 'heapcheck-'));
const client = new Client({name: 'test', version: '1'});
const roots = ['--root', join(root, 'corpus'), '--root', folder];
await client.connect(new StdioClientTransport({command: process.argv[2], args: ['mcp', ...roots]}));

const ajv = new Ajv2020({strict: false});
const mostBytes = 8192;
const called = new Set();
const {tools} = await client.listTools();

/** Checks the answer of a question against the schema of the answers of the command with the same name. */
function checkAnswer(name, answer) {
  const path = join(root, 'spec/answers', `${name}.schema.json`);
  if (!existsSync(path)) return;
  const validate = ajv.getSchema(path) ?? ajv.addSchema(JSON.parse(readFileSync(path, 'utf8')), path).getSchema(path);
  assert.ok(validate(answer), `${name}: ${ajv.errorsText(validate.errors)}`);
}

/** Calls a tool that must succeed, and returns its result. */
async function call(name, args, options = {}) {
  const tool = tools.find((candidate) => candidate.name === name);
  assert.ok(ajv.validate(tool.inputSchema, args), `${name}: ${ajv.errorsText()}`);
  const result = await client.callTool({name, arguments: args}, undefined, options);
  const [{text}] = result.content;
  assert.ok(!result.isError, `${name}: ${text}`);
  assert.ok(Buffer.byteLength(text) <= mostBytes, `${name}: found ${text.length} bytes`);
  assert.deepEqual(JSON.parse(text), result.structuredContent);
  checkAnswer(name, result.structuredContent.answer);
  for (const next of result.structuredContent.next) {
    const suggested = tools.find((candidate) => candidate.name === next.tool);
    assert.ok(ajv.validate(suggested.inputSchema, next.arguments), `${name} suggests ${JSON.stringify(next)}`);
  }
  called.add(name);
  return result.structuredContent;
}

async function callAll() {
  const ids = {};
  for (const [name, path] of Object.entries({
    v8: 'v8/heapsnapshot/seed/node-10.heapsnapshot',
    later: 'v8/heapsnapshot/seed/node-16.heapsnapshot',
    moar: 'mvmheap/v3/seed/two-snapshots.mvmheap',
    stacks: 'v8/heapsnapshot/seed/node-24-stacks.heaptimeline',
    damaged: 'mvmheap/v3/seed/cut.mvmheap',
    trace: 'chrome/heaps_v2/seed/chrome-120-small.json',
    profile: 'v8/heapprofile/seed/small.heapprofile',
  })) {
    ids[name] = (await call('open', {path})).answer.dumps[0].dump;
  }
  const dumps = {dump: ids.v8, later: [ids.later]};
  for (const name of ['suspects', 'leaks', 'diff', 'growth']) await call(name, dumps);
  for (const name of ['summary', 'suspects', 'leaks', 'retained', 'dominators', 'unreachable', 'duplicates'])
    await call(name, {dump: ids.v8});
  for (const name of ['summary', 'suspects', 'growth', 'retained', 'dominators']) await call(name, {dump: ids.moar});
  for (const dump of [ids.trace, ids.profile, ids.stacks]) {
    await call('tree', {dump});
    await call('top', {dump, what: 'frames'});
    await call('summary', {dump});
  }
  const found = await call('find', {dump: ids.v8, query: 'objects', limit: 5});
  await call('more', {cursor: found.more});
  await call('count', {dump: ids.v8, query: 'objects'});
  const {id} = found.answer.rows[0];
  for (const name of ['show', 'path', 'retainers']) await call(name, {dump: ids.v8, id});
  const checked = await call('validate', {dump: ids.stacks, for: 'devtools'});
  await call('explain', checked.next.find((next) => next.tool === 'explain').arguments);
  await call('recover', {dump: ids.damaged, output: join(folder, 'new.mvmheap')});
  await call('report', {...dumps, output: join(folder, 'new.html')});
  await call('list', {});
  await call('close', {dump: ids.v8});
}

async function readTexts() {
  const {resources} = await client.listResources();
  for (const {uri} of resources) assert.ok((await client.readResource({uri})).contents[0].text.length > 100, uri);
  const {resourceTemplates} = await client.listResourceTemplates();
  assert.equal(resourceTemplates.length, 1);
  const {prompts} = await client.listPrompts();
  for (const {name} of prompts)
    assert.match((await client.getPrompt({name, arguments: {path: 'x'}})).messages[0].content.text, /"x"/u);
}

try {
  await client.ping();
  await callAll();
  assert.deepEqual([...called].sort(), tools.map((tool) => tool.name).sort());
  await readTexts();
  await assert.rejects(client.callTool({name: 'eval', arguments: {}}), /-32602/u);
  const outside = await client.callTool({name: 'open', arguments: {path: '/etc/passwd'}});
  assert.ok(outside.isError && outside.content[0].text.includes('found a path outside'));
} finally {
  await client.close();
  rmSync(folder, {recursive: true});
}
console.log(`${called.size} tools`);
