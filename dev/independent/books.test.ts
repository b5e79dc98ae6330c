import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { HOUR_MS } from '@portal/contract/days';
import { expect, test } from 'vitest';
import { kinds } from '../../apps/server/test/portal.ts';
import { simulateBooks } from '../../apps/server/test/simulated-books.ts';

const program = path.join(import.meta.dirname, 'books.py');
const python = ['/usr/bin/python3', 'python3'].find(each => spawnSync(each, ['--version']).status === 0);
/** Fifteen months of 500 accounts with `BOOKS=all`; a few accounts and months otherwise. */
const isWhole = process.env['BOOKS'] === 'all';
const size = isWhole ? { accounts: 500, days: 456, spread: 365 } : { accounts: 14, days: 100, spread: 20 };

const recompute = (folder: string): { status: number | null; figures: Record<string, number>; differences: string } => {
  const { status, stdout, stderr } = spawnSync(python!, [program, folder], { encoding: 'utf8' });
  return { status, figures: JSON.parse(stdout || '{}') as Record<string, number>, differences: stderr };
};

test.runIf(python !== undefined && kinds.includes('postgres'))(
  `a program with nothing of the registry's code recomputes its books day by day, with whatever was reversed, moved, credited, refunded, written off and closed${python ? '' : ' (left out: no Python on this machine)'}`,
  async () => {
    const folder = process.env['BOOKS_FOLDER'] ?? (await mkdtemp(path.join(os.tmpdir(), 'books-')));
    try {
      const { refused } = await simulateBooks({ folder, ...size });
      const { status, figures, differences } = recompute(folder);
      expect([status, differences]).toEqual([0, '']);
      if (isWhole) process.stderr.write(`${JSON.stringify({ ...figures, refused })}\n`);
      expect(figures['account days']).toBe(size.accounts * size.days);
      expect(figures['statement days']).toBeGreaterThanOrEqual(size.accounts * size.days);
      const acts = ['payment', 'reversal', 'credit-note', 'close', 'closed', 'posted', 'kept'];
      const rare = ['refund', 'reactivation', 'reactivation-ended', 'ended fees', 'write-off'];
      expect([...acts, ...(isWhole ? rare : [])].filter(act => !figures[act])).toEqual([]);

      // It would have found a cent.
      const file = path.join(folder, 'acts.jsonl');
      const log = await readFile(file, 'utf8');
      const cent = /("act":"payment".*?"amount":")(\d+)\.(\d)(\d)"/.exec(log)!;
      await writeFile(file, log.replace(cent[0], `${cent[1]}${cent[2]}.${cent[3]}${(Number(cent[4]) + 1) % 10}"`));
      expect(recompute(folder)).toMatchObject({ status: 1, differences: expect.stringContaining('owed and credit') });
    } finally {
      if (process.env['BOOKS_FOLDER'] === undefined) await rm(folder, { recursive: true, force: true });
    }
  },
  4 * HOUR_MS,
);
