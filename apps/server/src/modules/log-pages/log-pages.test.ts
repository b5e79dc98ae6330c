import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { api } from '@portal/contract/api';
import { DAY_MS, dayIn } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { publishLogRoots, sealActivities } from '../../platform/database/index.ts';
import { checkLogScript } from './check-log.ts';

const account = 'EXAMPLE-AU';
const run = promisify(execFile);

type Proof = {
  account: string;
  withoutRoot: number;
  lines: { line: string; root: number; index: number; size: number; path: string[] }[];
};

describe.each(kindsForRules)('the roots of the log on %s', kind => {
  let portal: TestPortal;
  let folder: string;
  const tomorrow = new Date(Date.now() + DAY_MS);
  const seal = async () => {
    while ((await sealActivities(portal.db, portal.config)) > 0);
  };
  beforeAll(async () => {
    portal = await testPortal(kind);
    folder = await mkdtemp(path.join(tmpdir(), 'log-'));
    await writeFile(path.join(folder, 'check-log.mjs'), checkLogScript);
    await seal();
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const get = (url: string) => portal.http.inject({ url, headers: { host: 'portal.test' } });
  const rootsText = async () => (await get('/log/roots.txt')).body;
  const proofOf = async (person = 'corin', of = account): Promise<Proof> => {
    const answer = await portal.request(`/api/${of}/activity-log/proof?from=${dayIn('UTC', new Date(Date.now() - 2 * DAY_MS))}`, {
      headers: { authorization: `Bearer ${await portal.tokenOf(person)}` },
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Proof;
  };
  /** Runs the published program as a member does. */
  async function check(proof: unknown, roots: string, ...noted: string[]): Promise<string> {
    await Promise.all([
      writeFile(path.join(folder, 'proof.json'), JSON.stringify(proof)),
      writeFile(path.join(folder, 'roots.txt'), roots),
    ]);
    const done = await run(process.execPath, ['check-log.mjs', 'proof.json', 'roots.txt', ...noted], { cwd: folder }).catch(
      (error: { stderr: string }) => ({ stdout: `refused: ${error.stderr}` }),
    );
    return done.stdout;
  }

  test('there is none before the first day is over', async () => {
    expect(await publishLogRoots(portal.db, new Date())).toBe(0);
    expect((await get('/log')).body).toContain('No root yet');
    expect(await rootsText()).toBe('# root day first-line last-line hash seal link\n');
    const proof = await proofOf();
    expect([proof.lines, proof.withoutRoot > 0]).toEqual([[], true]);
    expect(await check(proof, await rootsText())).toContain('refused: roots.txt has no roots');
  });

  test('one is published for the day that is over, once', async () => {
    expect(await publishLogRoots(portal.db, tomorrow)).toBe(1);
    expect(await publishLogRoots(portal.db, tomorrow)).toBe(0);
    const [, line] = (await rootsText()).split('\n');
    expect(line).toMatch(/^1 \d{4}-\d\d-\d\d 1 \d+ [0-9a-f]{64} [0-9a-f]{64} [0-9a-f]{64}$/);
    const { body } = await get('/log');
    expect(body).toContain(line!.split(' ')[4]);
    expect(body).toContain('choose up to 92 days and press “Proof”');
    expect((await get('/log/roots.json')).json()).toMatchObject({ roots: [{ rootId: 1, first: 1 }], after: null });
    expect((await get('/log/roots.txt?after=1')).body).not.toMatch(/^1 /m);
    expect((await get('/log/roots.txt?after=x')).statusCode).toBe(404);
  });

  test('a member proves its lines with the published program, and with OpenSSL alone', async () => {
    const proof = await proofOf();
    expect(proof.lines.length).toBeGreaterThan(0);
    const link = (await rootsText()).trim().split(' ').at(-1)!;
    const said = await check(proof, await rootsText());
    expect(said).toContain(`\n${proof.lines.length} lines of ${account} are in the log as it was published.\n`);
    expect(said).toContain(`Note the newest link, of root 1: ${link}\n`);
    expect(said).toMatch(/The proof was made for \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\. It says nothing of other days/);
    expect(await check({ ...proof, from: '\u001b[2J' }, await rootsText())).not.toContain('The proof was made for');
    expect(await check(proof, await rootsText(), link)).toContain('Your link is that of root 1.');
    expect(await check(proof, await rootsText(), 'a'.repeat(64))).toContain('refused: No root has the link that you noted');
    const { line, index, size, path: hashes } = proof.lines.at(-1)!;
    const steps: string[] = [];
    let [place, end] = [index, size - 1];
    for (const hash of hashes) {
      const first = place % 2 === 1 || place === end;
      steps.push(first ? `other=$node; node=${hash}; hash=$other` : `hash=${hash}`);
      steps.push(
        `node=$({ printf '\\001'; printf '%s%s' "$node" "$hash" | perl -ne 'print pack "H*", $_'; } | openssl dgst -sha256 -r | cut -c1-64)`,
      );
      while (first && place % 2 === 0 && place !== 0) [place, end] = [place >> 1, end >> 1];
      [place, end] = [place >> 1, end >> 1];
    }
    await writeFile(path.join(folder, 'line'), line);
    const { stdout } = await run(
      'sh',
      ['-c', [`node=$({ printf '\\000'; cat line; } | openssl dgst -sha256 -r | cut -c1-64)`, ...steps, 'echo "$node"'].join('\n')],
      { cwd: folder },
    );
    expect(stdout.trim()).toBe((await rootsText()).split('\n')[1]!.split(' ')[4]);
  });

  test('a line that was changed, moved or put in is refused by the program', async () => {
    const [proof, roots] = [await proofOf(), await rootsText()];
    const changed = (change: (line: Proof['lines'][number]) => Partial<Proof['lines'][number]>) => ({
      ...proof,
      lines: proof.lines.map((line, place) => (place === 0 ? { ...line, ...change(line) } : line)),
    });
    const words = /refused: Line \d+ is not what root 1 of/;
    for (const [change, says] of [
      [({ line }) => ({ line: line.replace('"EXAMPLE-AU"', '"SOUTHSITE-NZ"') }), /is of another account/],
      [({ line }) => ({ line: line.replace(/"contacts?\.\w+"|"[a-z]+\.[a-zA-Z.]+"/, '"other.act"') }), words],
      [({ path: hashes }) => ({ path: hashes.slice(1) }), words],
      [({ index }) => ({ index: index + 1 }), /is at another place/],
      [() => ({ index: -2 }), /is at another place/],
      [() => ({ index: null as never }), /is at another place/],
      [() => ({ root: 2 }), /Root 2 is not in roots.txt/],
      [() => ({ path: ['00'] }), /The proof is no proof/],
    ] satisfies [Parameters<typeof changed>[0], RegExp][])
      expect(await check(changed(change), roots)).toMatch(says);
    expect(await check({ ...proof, lines: [proof.lines[0], proof.lines[0]] }, roots)).toMatch(/is not in its order/);
    expect(await check(proof, roots.replace(/^1 (\S+) 1 /m, '1 $1 2 '))).toContain('refused: The lines of root 1 do not follow');
  });

  test('roots that overlap, are there twice or begin later are refused by the program', async () => {
    const [proof, roots] = [await proofOf(), await rootsText()];
    const columns = roots.trim().split('\n')[1]!.split(' ');
    const another = (root: string, begins: string, ends: string): string => {
      const row = [root, columns[1], begins, ends, columns[4], columns[5]].join(' ');
      return `${row} ${createHash('sha256').update(`${columns[6]} ${row}`).digest('hex')}\n`;
    };
    expect(await check(proof, roots + another('2', '1', '2'))).toContain('refused: The lines of root 2 do not follow');
    expect(await check(proof, roots + another('1', '1', columns[3]!))).toContain('refused: Root 2 is missing');
    expect(await check(proof, another('2', '1', columns[3]!))).toContain('refused: Root 1 is missing');
    expect(await check(proof, another('01', '1', columns[3]!))).toContain('refused: Root 1 is missing');
  });

  test('has lines of this account alone, and only what its members read', async () => {
    const { lines } = await proofOf();
    for (const { line } of lines) expect(JSON.parse(line)[9]).toBe(account);
    const refused = await portal.request(`/api/SOUTHSITE-NZ/activity-log/proof`, {
      headers: { authorization: `Bearer ${await portal.tokenOf('tess')}` },
    });
    expect(refused.status).toBe(404);
    const staff = lines.map(({ line }) => JSON.parse(line) as (string | null)[]).filter(line => line[10] === null);
    expect(staff.every(line => line[11] === null)).toBe(true);
  });

  test('a proof of more than 92 days is refused', async () => {
    const corin = await portal.as('corin');
    const { errors } = await corin(api.activityLog.exportLogProof, { account, query: { from: '2026-01-01', to: '2026-04-03' } });
    expect(errors![0]!.message).toContain('at most 92 days');
  });

  test('lines of the next day are in a root of their own, which follows the first', async () => {
    await portal.db.change(
      { action: 'contacts.updateContact', summary: 'Changed a contact', traceId: 'b2'.repeat(16), accountName: account },
      change => sql`update account set org_name = org_name where account_name = ${account}`.execute(change),
    );
    await seal();
    const before = await proofOf();
    expect(before.withoutRoot).toBeGreaterThan(0);
    expect(await publishLogRoots(portal.db, new Date(tomorrow.getTime() + DAY_MS))).toBe(1);
    const after = await proofOf();
    expect([after.withoutRoot, after.lines.at(-1)!.root]).toEqual([0, 2]);
    expect(await check(after, await rootsText())).toContain('newest link, of root 2');
    // One who noted the first alone still proves what it covers.
    expect(await check(before, await rootsText())).toContain('are in the log as it was published');
  });

  test('a published root can’t be changed', () =>
    expect(portal.db.unrecorded.updateTable('logRoot').set({ day: '2020-01-01' }).execute()).rejects.toThrow(/only grows/));
});
