import fs from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { HOUR_MS } from '@portal/contract/days';
import { linkStored } from './stored-links.ts';
import { problemOfFile, storeFolder, type TreeMade, type TreeOrder, treeLink, treeMade } from './rsync-tree.ts';

// Makes one tree of links, switches to it, and removes trees older than an hour with unreferenced files. Sync calls are many times faster
// here, and nothing waits for this thread.
const { folder, tree, files, now } = workerData as TreeOrder;
const store = path.join(folder, storeFolder);
const draft = path.join(folder, `${tree}.new`);
fs.rmSync(draft, { recursive: true, force: true });
const made = new Set<string>();
const leftOut: TreeMade['leftOut'] = [];
for (const { path: name, sha256, isOfMember } of files)
  try {
    const file = path.join(draft, name);
    const directory = path.dirname(file);
    if (!made.has(directory)) {
      fs.mkdirSync(directory, { recursive: true, mode: 0o755 });
      made.add(directory);
    }
    linkStored(path.join(store, sha256), file);
  } catch (error) {
    // One member's file doesn't hold up the others; without a file of the registry's own, the tree would be worse than the previous one.
    const problem = isOfMember ? problemOfFile(error) : null;
    if (problem === null) throw error;
    leftOut.push({ path: name, problem });
  }
fs.mkdirSync(draft, { recursive: true });
// Directories get the time of their newest file, because rsync compares it.
const newest = new Map<string, number>();
const absent = new Set(leftOut.map(({ path: name }) => name));
for (const { path: name, modifiedAt } of files.filter(file => !absent.has(file.path)))
  for (let directory = path.dirname(name); ; directory = path.dirname(directory)) {
    newest.set(directory, Math.max(newest.get(directory) ?? 0, modifiedAt));
    if (directory === '.') break;
  }
for (const [directory, time] of newest) fs.utimesSync(path.join(draft, directory), time / 1000, time / 1000);
fs.rmSync(path.join(folder, tree), { recursive: true, force: true });
fs.renameSync(draft, path.join(folder, tree));
const link = path.join(folder, `${treeLink}.new`);
fs.rmSync(link, { force: true });
fs.symlinkSync(tree, link);
fs.renameSync(link, path.join(folder, treeLink));

for (const name of fs.readdirSync(folder)) {
  if (!name.startsWith('tree-') || name === tree) continue;
  // The time when a tree was made: afterwards only links to its files change.
  if (now - fs.statSync(path.join(folder, name)).ctimeMs > HOUR_MS) fs.rmSync(path.join(folder, name), { recursive: true });
}
const present = new Set(files.map(({ sha256 }) => sha256));
for (const name of fs.readdirSync(store)) {
  const file = path.join(store, name);
  if (!present.has(name) && fs.statSync(file).nlink === 1) fs.rmSync(file);
}
parentPort!.postMessage({ message: treeMade, leftOut } satisfies TreeMade);
