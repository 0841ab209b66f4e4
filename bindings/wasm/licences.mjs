// The licences of the code in the module, which go with it: the copyright files of the Debian packages that it is built
// from.
import fs from 'node:fs';

// Those in the program as well, and the libraries of C and C++.
export const sharedPackages = ['zlib1g-dev', 'libzstd-dev', 'libfmt-dev', 'libboost-dev'];
export const modulePackages = [...sharedPackages, 'libfast-float-dev', 'libc++-19-dev-wasm32', 'wasi-libc'];

/** The copyright file of a package. */
export const copyrightFile = (name) => `/usr/share/doc/${name}/copyright`;

/** All licences as one text. */
export function listLicences() {
  const read = (name) => `${name}\n\n${fs.readFileSync(copyrightFile(name), 'utf8').trim()}\n`;
  return modulePackages.map(read).join('\n\n');
}
