import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockFolder } from '../../src/platform/database/folder-lock.ts';
import { migrate, openDatabase } from '../../src/platform/database/index.ts';

let home: string;
beforeAll(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-folder-'));
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const script = (name: string): string => path.join(import.meta.dirname, name);

describe('the folder of an embedded database', () => {
  test('loses nothing that was acknowledged when its process is killed, opens again despite the stale lock, and keeps its rows', async () => {
    const folder = path.join(home, 'killed');
    const child = spawn(process.execPath, [script('writer-process.ts'), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    let acknowledged = 0;
    const died = new Promise(resolve => child.once('exit', resolve));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const whole = text.slice(0, text.lastIndexOf('\n') + 1).trim();
      if (whole) acknowledged = Number(whole.split('\n').at(-1));
      if (acknowledged >= 300) child.kill('SIGKILL');
    });
    await died;
    expect(fs.existsSync(`${folder}.lock`)).toBe(true);

    const database = await openDatabase({ url: folder });
    const [row] = await database.read.rows<{ rows: number; max: number; lines: number }>(
      sql`select count(*) as rows, max(n) as max, (select count(*) from activity) as lines from written`,
    );
    expect(row?.rows).toBeGreaterThanOrEqual(acknowledged);
    expect(row).toEqual({ rows: row?.max, max: row?.max, lines: row?.max });
    await database.recordRefusal({ action: 'test', summary: 'Test', traceId: '0'.repeat(32) }, 'FORBIDDEN');
    await database.close();
    expect(fs.existsSync(`${folder}.lock`)).toBe(false);

    const reopened = await openDatabase({ url: folder });
    expect(await reopened.read.selectFrom('activity').select('refusal').where('refusal', 'is not', null).execute()).toEqual([
      { refusal: 'FORBIDDEN' },
    ]);
    expect(await reopened.read.rows(sql`select count(*) as rows from written`)).toEqual([{ rows: row?.rows }]);
    await reopened.close();
  });

  test('is refused to a second process, with the first one’s id', async () => {
    const folder = path.join(home, 'busy');
    const release = lockFolder(folder);
    await expect(openDatabase({ url: folder })).rejects.toThrow(
      `The embedded database ${folder} is in use by process ${process.pid}; stop that process first.`,
    );
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { lockFolder } from ${JSON.stringify(script('../../src/platform/database/folder-lock.ts'))}; lockFolder(${JSON.stringify(folder)})`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let words = '';
    child.stderr.setEncoding('utf8').on('data', text => {
      words += text;
    });
    expect(await new Promise(resolve => child.once('exit', resolve))).toBe(1);
    expect(words).toContain(`is in use by process ${process.pid}`);
    release();
    expect(fs.existsSync(`${folder}.lock`)).toBe(false);
  });

  test('can be locked again if the process that locked it is gone, its pid was reused, or the lock is unreadable', () => {
    const folder = path.join(home, 'stale');
    for (const left of [
      JSON.stringify({ pid: 2 ** 22 + 1, startedAt: 'long ago' }),
      JSON.stringify({ pid: process.pid, startedAt: 'another boot, another process' }),
      '',
      'not a lock',
    ]) {
      fs.writeFileSync(`${folder}.lock`, left);
      const release = lockFolder(folder);
      expect(JSON.parse(fs.readFileSync(`${folder}.lock`, 'utf8'))).toMatchObject({ pid: process.pid });
      expect(() => lockFolder(folder)).toThrow('is in use by process');
      release();
    }
    expect(fs.readdirSync(home).filter(name => name.startsWith('stale'))).toEqual([]);
  });

  test('an invalid database address is refused before anything is touched', async () => {
    await expect(openDatabase({ url: 'mysql://root:secret@db/x' })).rejects.toThrow(
      /^A database address is postgres.*mysql:\/\/root:\*\*\*@db\/x/,
    );
    await expect(openDatabase({ url: '' })).rejects.toThrow('it is empty');
    await expect(openDatabase({ url: path.join(home, 'x'), snapshot: new Uint8Array() })).rejects.toThrow('in memory only');
    await expect(openDatabase({ url: 'memory://', snapshot: new Uint8Array(1024) })).rejects.toThrow('The snapshot holds no database.');
    expect(fs.existsSync(path.join(home, 'x.lock'))).toBe(false);
  });

  test('is recreated if its very first start was killed', async () => {
    const folder = path.join(home, 'half');
    const child = spawn(process.execPath, [script('writer-process.ts'), folder], { stdio: 'ignore' });
    const died = new Promise(resolve => child.once('exit', resolve));
    await expect.poll(() => fs.existsSync(path.join(folder, 'PG_VERSION')), { timeout: 50_000, interval: 1 }).toBe(true);
    child.kill('SIGKILL');
    await died;
    // The moment of the kill is random, so remove what an incomplete database lacks.
    fs.writeFileSync(`${folder}.creating`, '');
    fs.rmSync(path.join(folder, 'global'), { recursive: true, force: true });
    const database = await openDatabase({ url: folder });
    expect(await migrate(database, { through: '0001_platform.sql' })).toEqual(['0001_platform.sql']);
    await database.close();
    expect(fs.readdirSync(home).filter(name => name.startsWith('half'))).toEqual(['half']);
  });

  test('a folder that holds something else is refused and left alone', async () => {
    const folder = path.join(home, 'other');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'thesis.txt'), 'words');
    await expect(openDatabase({ url: folder })).rejects.toThrow('holds files that are not a database');
    expect(fs.readdirSync(folder)).toEqual(['thesis.txt']);
    expect(fs.existsSync(`${folder}.lock`)).toBe(false);
  });
});
