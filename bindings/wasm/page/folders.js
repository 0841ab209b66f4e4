// Files in folders that are dropped on the page. Browsers have two kinds of objects for folders: only handles work in
// Chromium if the page was opened from a disk, and only entries in Firefox.

/** More files than a folder of dumps has. */
const mostFiles = 1000;

const promise = start => new Promise((resolve, reject) => { start(resolve, reject); });

const isFolder = part => part.kind === 'directory' || part.isDirectory === true;
const fileOf = part => (part.getFile ? part.getFile() : promise((resolve, reject) => part.file(resolve, reject)));

/** The files and folders in a folder. */
async function* partsOf(folder) {
  if (folder.values) return yield* folder.values();
  const reader = folder.createReader();
  for (;;) {
    const parts = await promise((resolve, reject) => reader.readEntries(resolve, reject));  // some at a time
    if (parts.length === 0) return undefined;
    yield* parts;
  }
}

/** Adds the files in a folder and in the folders inside it to `found`, until everything is stopped. */
async function walkFolder(folder, path, found, stops = engine.stops) {
  for await (const part of partsOf(folder)) {
    if (found.length > mostFiles || stops !== engine.stops) return;
    const name = `${path}/${part.name}`;
    if (isFolder(part)) await walkFolder(part, name, found, stops);
    else found.push({file: await fileOf(part), name: name, mayBeOther: true});
  }
}

/** A folder that was dropped; null for a file. */
function folderOf(item) {
  const entry = item.webkitGetAsEntry();
  if (!entry || !entry.isDirectory) return null;
  return item.getAsFileSystemHandle ? item.getAsFileSystemHandle() : entry;
}

/** The files that were dropped, and those in folders. Throws if a folder cannot be read. */
async function listFiles(folders, files) {
  const found = files.slice();
  for (const folder of folders) {
    const opened = await folder;
    await walkFolder(opened, opened.name, found);
  }
  return found;
}

/** Opens what was dropped: files, and all dumps in folders. */
async function openDropped(transfer) {
  // The browser forgets what was dropped as soon as this function waits.
  const items = Array.from(transfer.items).filter(item => item.kind === 'file').map(item => ({folder: folderOf(item), file: item.getAsFile()}));
  const folders = items.map(({folder}) => folder).filter(folder => folder);
  if (folders.length === 0 || !isModern()) return openFiles(transfer.files);
  const files = items.filter(({folder}) => !folder).map(({file}) => file);
  engine.stop();
  const job = new Job();
  try {
    const found = await job.step('Listing the files', () => engine.untilStopped(listFiles(folders, files)));
    if (found.length === 0) return job.end('The folder contains no files.');
    if (found.length > mostFiles) return job.end(`The folder contains more than ${mostFiles} files. Drop the heap dumps themselves.`);
    return openFiles(found, job);
  } catch (error) {
    const isCancelled = error.kind === 'cancelled';
    job.end(isCancelled ? 'Cancelled.' : 'The browser does not let this page read the folder. Drop the files themselves.');
    if (!isCancelled && !(error instanceof DOMException)) throw error;
    return undefined;
  }
}
