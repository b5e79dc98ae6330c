import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { readConfig } from '../../src/config.ts';
import { demoDatabase, type OpenedDatabase } from '../portal.ts';

/** Commands that read a file, and those that write one: how each is called with it. */
const reading: Record<string, (file: string) => { args?: string[]; options?: Record<string, string | boolean> }> = {
  'import statistics': file => ({ args: [file] }),
  'import rpsl': file => ({ args: [file] }),
  restore: file => ({ args: [file], options: { replace: true } }),
};
const writing: typeof reading = {
  'export statistics': out => ({ options: { out, date: '2026-11-21' } }),
  'dump rpsl': to => ({ options: { to } }),
  backup: file => ({ args: [file] }),
};

describe('a command', () => {
  let folder: string;
  let opened: OpenedDatabase;
  let small: string | null = null;
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-unwilling-'));
    opened = await demoDatabase('embedded');
    // A full disk, where this account may mount one.
    const disk = path.join(folder, 'disk');
    fs.mkdirSync(disk);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status === 0) {
      spawnSync('dd', ['if=/dev/zero', `of=${path.join(disk, 'filler')}`, 'bs=4k'], { stdio: 'ignore' });
      small = disk;
    }
  });
  afterAll(async () => {
    if (small !== null) spawnSync('umount', [small]);
    await opened.db.close();
    await opened.drop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const run = async (name: string, { args = [], options = {} }: ReturnType<(typeof reading)[string]>) => {
    let said = '';
    const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: 'memory://', DATA_DIR: folder });
    const code = await runCommand(
      { name, args, options, input: '' },
      {
        config,
        openDatabase: () => Promise.resolve(opened.db),
        output: new Writable({ write: (_chunk, _encoding, next) => next() }),
        errors: { isTTY: false, write: text => (said += text) },
      },
    );
    return { code, said };
  };
  /** One line for the operator, which names the file and no code of the system. */
  const expectSentence = ({ code, said }: { code: number; said: string }, words: RegExp): void => {
    expect(said).toMatch(words);
    expect(said.trim().split('\n')).toHaveLength(1);
    expect(said).not.toMatch(/\bE[A-Z]{3,}\b|object Object|undefined|syscall/);
    expect(code).toBe(1);
  };
  /** Returns the files left in a folder. */
  const left = (at: string): string[] => fs.readdirSync(at).sort();

  /** Runs with a system that refuses everything to do with one path. */
  const withRefusal = async <T>(code: string, refused: string, work: () => Promise<T>): Promise<T> => {
    const errorAt = (file: unknown): NodeJS.ErrnoException | null =>
      typeof file === 'string' && file.startsWith(refused)
        ? Object.assign(new Error(`${code}: refused, open '${file}'`), { code, path: file, syscall: 'open' })
        : null;
    const originals = { open: fs.open, openAsync: fsPromises.open, mkdir: fsPromises.mkdir, mkdtemp: fsPromises.mkdtemp };
    fs.open = ((file: string, ...rest: unknown[]) => {
      const error = errorAt(file);
      if (error) (rest.at(-1) as (error: Error) => void)(error);
      else (originals.open as (...all: unknown[]) => void)(file, ...rest);
    }) as typeof fs.open;
    const guarded =
      (original: (...all: never[]) => Promise<unknown>) =>
      async (file: string, ...rest: unknown[]) => {
        const error = errorAt(file);
        if (error) throw error;
        return (original as (...all: unknown[]) => Promise<unknown>)(file, ...rest);
      };
    fsPromises.open = guarded(originals.openAsync) as typeof fsPromises.open;
    fsPromises.mkdir = guarded(originals.mkdir) as typeof fsPromises.mkdir;
    fsPromises.mkdtemp = guarded(originals.mkdtemp) as typeof fsPromises.mkdtemp;
    syncBuiltinESMExports();
    try {
      return await work();
    } finally {
      fs.open = originals.open;
      fsPromises.open = originals.openAsync;
      fsPromises.mkdir = originals.mkdir;
      fsPromises.mkdtemp = originals.mkdtemp;
      syncBuiltinESMExports();
    }
  };

  describe.each(Object.entries(reading))('that reads a file (%s)', (name, call) => {
    test('says that it is not there', async () => {
      const file = path.join(folder, 'nowhere');
      expectSentence(await run(name, call(file)), new RegExp(`There is no file (or folder )?${file}|${file} does not exist`));
    });
    test('says that it is a folder', async () => {
      expectSentence(await run(name, call(folder)), new RegExp(`${folder} is a folder`));
    });
    test.each([
      ['EACCES', 'may not use'],
      ['EPERM', 'may not use'],
    ])('says that it may not read it (%s)', async (code, words) => {
      const file = path.join(folder, 'locked');
      fs.writeFileSync(file, 'x');
      expectSentence(await withRefusal(code, file, () => run(name, call(file))), new RegExp(`${words} ${file}`));
    });
    test('says that it is empty or something else', async () => {
      const file = path.join(folder, `${name.replace(' ', '-')}-empty`);
      fs.writeFileSync(file, '');
      const { code, said } = await run(name, call(file));
      // A file of whois objects may have none.
      if (name === 'import rpsl') expect(code).toBe(0);
      else expectSentence({ code, said }, /./);
    });
  });

  describe.each(Object.entries(writing))('that writes a file (%s)', (name, call) => {
    test.each([
      ['EROFS', 'is on a file system that can only be read'],
      ['EACCES', 'This program may not use'],
    ])('says where it may not (%s), and leaves nothing', async (code, words) => {
      const place = fs.mkdtempSync(path.join(folder, 'refused-'));
      const file = path.join(place, 'out');
      expectSentence(await withRefusal(code, file, () => run(name, call(file))), new RegExp(words));
      expect(left(place)).toEqual([]);
    });
    test('says that a part of the path is a file', async () => {
      const file = path.join(folder, 'plain');
      fs.writeFileSync(file, 'x');
      expectSentence(await run(name, call(path.join(file, 'out'))), /A part of the path .*plain.* is a file, not a folder/);
    });
    test('replaces nothing that is there', async () => {
      const place = fs.mkdtempSync(path.join(folder, 'there-'));
      const file = path.join(place, 'out');
      fs.writeFileSync(file, 'kept');
      expectSentence(await run(name, call(file)), /exists already|is there already|is a file/);
      expect(fs.readFileSync(file, 'utf8')).toBe('kept');
      fs.rmSync(file);
      fs.mkdirSync(file);
      fs.writeFileSync(path.join(file, 'other'), 'kept');
      expectSentence(await run(name, call(file)), /exists already|is there already|holds files/);
      expect(left(place)).toEqual(['out']);
    });
    test('says that the disk is full, and leaves nothing', async context => {
      if (small === null) return context.skip();
      expectSentence(await run(name, call(path.join(small, 'out'))), new RegExp(`The disk of ${small}/out\\S* is full`));
      expect(left(small)).toEqual(['filler']);
    });
    if (name !== 'dump rpsl')
      test('says that the folder is not there', async () => {
        expectSentence(await run(name, call(path.join(folder, 'no', 'such', 'out'))), /There is no file or folder .*no\/such\/out/);
      });
  });
});
