import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linkStored } from './stored-links.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stored-links-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const time = 1_700_000_000;
const refusal = (code: string): Error => Object.assign(new Error(code), { code });
/** A stored file, and a function that gives it one more name. */
const store = (link?: (from: string, to: string) => void) => {
  const stored = path.join(folder, 'abc');
  fs.writeFileSync(stored, 'the same bytes');
  fs.utimesSync(stored, time, time);
  return { stored, named: (name: string) => linkStored(stored, path.join(folder, name), link) };
};

test('a file system that takes no further name of one content gets a copy of it, of the same time', () => {
  const maxNames = 4;
  const { stored, named } = store((from, to) => {
    if (fs.statSync(from).nlink >= maxNames) throw refusal('EMLINK');
    fs.linkSync(from, to);
  });
  const names = Array.from({ length: 10 }, (_, n) => `${n}.roa`);
  for (const name of names) named(name);
  const inodes = names.map(name => {
    const file = path.join(folder, name);
    expect(fs.readFileSync(file, 'utf8')).toBe('the same bytes');
    expect(fs.statSync(file).mtimeMs).toBe(time * 1000);
    return fs.statSync(file).ino;
  });
  // Three names beside the stored one for each content, and the stored file is the last of them.
  expect(new Set(inodes).size).toBe(4);
  expect(fs.statSync(stored).ino).toBe(inodes.at(-1));
  expect(fs.readdirSync(folder).toSorted()).toEqual([...names, 'abc'].toSorted());
});

test('what else the file system refuses is refused', () => {
  const { named } = store(() => {
    throw refusal('ENOSPC');
  });
  expect(() => named('1.roa')).toThrow('ENOSPC');
});
