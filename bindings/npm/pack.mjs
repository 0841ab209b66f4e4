// Packs the packages for npm: heapcheck, and @heapcheck/linux-x64 with the program for Linux on x86-64.
//
//     node bindings/npm/pack.mjs PROGRAM MODULE COMMANDS FOLDER
//
// PROGRAM is a program without shared libraries, which packaging/build makes; MODULE is build/wasm/heapcheck.wasm;
// COMMANDS is commands.json, which is built with the manual pages. The packages are written to FOLDER, under names such
// as heapcheck-0.1.0.tgz. The version of both is that of the project, which the
// program and the module must have, too.
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {copyrightFile, modulePackages, sharedPackages} from '../wasm/licences.mjs';
import {startHeapcheck} from '../wasm/module.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
const [program, module, commandsFile, folder] = process.argv.slice(2).map((file) => path.resolve(file));
const [, version] = /^project\(heapcheck VERSION ([0-9.]+)/m.exec(
    fs.readFileSync(path.join(root, 'CMakeLists.txt'), 'utf8'));

// Debian's packages whose code is in the program. Their copyright goes with it.
const inProgram = [
  ...sharedPackages, 'libcli11-dev', 'libtomlplusplus-dev', 'libprotozero-dev', 'libsqlite3-dev', 'libedit-dev', 'libc6-dev',
  'libgcc-12-dev', 'libstdc++-12-dev',
];

const shared = {
  version,
  license: 'Apache-2.0',
  description: 'Checks heap dumps and reports exactly what is wrong with them, and where',
  keywords: ['heap', 'heapsnapshot', 'memory', 'leak', 'v8', 'moarvm', 'validator'],
};
const platformName = '@heapcheck/linux-x64';
const mainPackage = {
  name: 'heapcheck',
  ...shared,
  type: 'module',
  bin: {heapcheck: 'bin/heapcheck.mjs'},
  exports: {
    '.': {types: './index.d.mts', default: './index.mjs'},
    './module': {types: './module.d.mts', default: './module.mjs'},
    './heapcheck.wasm': './heapcheck.wasm',
    './package.json': './package.json',
  },
  types: './index.d.mts',
  engines: {node: '>=18'},
  optionalDependencies: {[platformName]: version},
};
const platformPackage = {
  name: platformName,
  ...shared,
  description: 'The program heapcheck for Linux on x86-64, which the package heapcheck runs',
  os: ['linux'],
  cpu: ['x64'],
  preferUnplugged: true,
};

/** Throws if the program or the module was built from another version of the project. */
async function checkVersions() {
  const [, ofProgram] = execFileSync(program, ['--version'], {encoding: 'utf8'}).trim().split(' ');
  const {version: ofModule} = await startHeapcheck(fs.readFileSync(module));
  for (const [file, found] of [[program, ofProgram], [module, ofModule]])
    if (found !== version) throw new Error(`${file}: found version ${found}, expected ${version}`);
}

function writeJson(file, value) {
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function addLicences(to, packages) {
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(to, 'LICENSE'));
  fs.mkdirSync(path.join(to, 'licences'));
  for (const name of packages) fs.copyFileSync(copyrightFile(name), path.join(to, 'licences', name));
}

/** Makes an empty folder for the files of a package. */
function stage(name) {
  const to = path.join(folder, 'stage', name);
  fs.rmSync(to, {recursive: true, force: true});
  fs.mkdirSync(to, {recursive: true});
  return to;
}

function pack(from) {
  execFileSync('npm', ['pack', '--silent', '--offline', '--pack-destination', folder], {cwd: from, stdio: 'inherit'});
}

/** The command table, with the help of the program and of each command. */
function readCommands() {
  const {commands} = JSON.parse(fs.readFileSync(commandsFile, 'utf8'));
  const run = (words) => execFileSync(program, [...words, '--help'], {encoding: 'utf8'});
  const help = Object.fromEntries(commands.map(({name}) => [name, run([name])]));
  return {commands, help: {'': run([]), ...help}};
}

function packMain() {
  const to = stage('heapcheck');
  fs.cpSync(path.join(here, 'package'), to, {recursive: true});
  fs.copyFileSync(path.join(here, 'README.md'), path.join(to, 'README.md'));
  fs.copyFileSync(path.join(here, '../wasm/module.mjs'), path.join(to, 'module.mjs'));
  fs.copyFileSync(module, path.join(to, 'heapcheck.wasm'));
  fs.chmodSync(path.join(to, 'heapcheck.wasm'), 0o644);
  fs.chmodSync(path.join(to, 'bin/heapcheck.mjs'), 0o755);
  writeJson(path.join(to, 'commands.json'), readCommands());
  writeJson(path.join(to, 'package.json'), mainPackage);
  addLicences(to, modulePackages);
  pack(to);
}

function packProgram() {
  const to = stage('linux-x64');
  fs.copyFileSync(program, path.join(to, 'heapcheck'));
  fs.chmodSync(path.join(to, 'heapcheck'), 0o755);
  fs.writeFileSync(path.join(to, 'README.md'), `# ${platformName}\n\n${platformPackage.description}.\n`);
  writeJson(path.join(to, 'package.json'), platformPackage);
  addLicences(to, inProgram);
  fs.copyFileSync(path.join(root, 'packaging/third-party.md'), path.join(to, 'licences/README.md'));
  pack(to);
}

await checkVersions();
fs.mkdirSync(folder, {recursive: true});
packProgram();
packMain();
