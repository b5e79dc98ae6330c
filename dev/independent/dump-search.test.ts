import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { canOwnPostgres, ownPostgres } from '../../apps/server/test/database/own-postgres.ts';
import { binaries } from '../../apps/server/test/database/throwaway-postgres.ts';
import {
  answers,
  archiveOf,
  cast,
  decryptAs,
  openEncrypted,
  sendTrusteeMessage,
  verified,
} from '../../apps/server/test/encrypted-election.ts';
import { addVoters, countOf, readyBallots, setVotes, testVoters } from '../../apps/server/test/many-voters.ts';
import { secondProcess } from '../../apps/server/test/portal.ts';
import { seconded } from '../../apps/server/test/scrutineer.ts';
import { announceVotes } from '../../apps/server/src/modules/elections/index.ts';
import { closeVoting } from '../../apps/server/src/modules/encrypted-ballots/counting.ts';
import { noteEvents } from '../../apps/server/src/modules/encrypted-ballots/noted-events.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { migrate, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { loadDemo } from '../../apps/server/src/demo/index.ts';
import { readConfig } from '../../apps/server/src/config.ts';
import { readProfile } from '../../apps/server/src/profile.ts';
import { readableWeights } from '../../packages/ballots/src/index.ts';
import {
  filesBelow,
  type KnownVoter,
  type Link,
  linksInFiles,
  linksInLines,
  linksInTables,
  secretFinder,
  tablesOf,
} from './dump-search.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

/** Votes that few have: one account with 64, two with 32. The smaller ones together outweigh them, so that no sum tells them. */
const votesOf = (number: number): number => (number === 7 ? 64 : number === 3 || number === 19 ? 32 : [1, 2, 4, 8, 16][number % 5]!);

test('the search finds what is planted: a choice beside a name, by order, and a secret in any spelling', () => {
  const voters: KnownVoter[] = testVoters(30, votesOf).map(({ account, chosen }, at) => ({
    account,
    chosen,
    secrets: [{ what: 'randomness', number: 2n ** 254n + BigInt(at) * 7919n }],
  }));
  const table = (columns: string[], row: (voter: KnownVoter, at: number) => string[]) => [{ name: 'leak', columns, rows: voters.map(row) }];
  const choices = ({ chosen }: KnownVoter) => `{${chosen.join(',')}}`;
  expect(
    linksInTables(
      table(['account', 'note'], ({ account }, at) => [account, `${at}`]),
      voters,
    ),
  ).toEqual([]);
  expect(
    linksInTables(
      table(['account', 'choices'], voter => [voter.account, choices(voter)]),
      voters,
    ),
  ).not.toEqual([]);
  // Receipts and choices without names, in the order of casting or with a time of their own.
  const receipt = (at: number) => `R${(at * 7_919) % 10_007}`;
  expect(
    linksInTables(
      table(['receipt', 'choices'], (voter, at) => [receipt(at), choices(voter)]),
      voters,
    ),
  ).toContainEqual({
    where: 'leak, in the order of their place',
    what: expect.stringContaining('tells who chose answer'),
  });
  const sorted = table(['receipt', 'choices', 'at'], (voter, at) => [receipt(at), choices(voter), `2027-01-01 00:00:${10 + at}`]);
  sorted[0]!.rows.sort(([a], [b]) => (a! < b! ? -1 : 1));
  expect(linksInTables(sorted, voters).map(({ where }) => where)).toEqual(expect.arrayContaining(['leak, in the order of at']));
  for (const rows of sorted) for (const row of rows.rows) row.pop();
  sorted[0]!.columns.pop();
  expect(linksInTables(sorted, voters)).toEqual([]);
  // A class of weight alone tells no one, and a log tells by its words.
  expect(
    linksInLines(
      'log',
      voters.map(({ account, chosen }) => `cast ${account} ${chosen.includes(0) ? 'Ada' : ''}`),
      voters,
    ),
  ).not.toEqual([]);
  expect(
    linksInLines(
      'log',
      voters.map(({ account }, at) => `cast ${account} in ${at} ms`),
      voters,
    ),
  ).toEqual([]);
  const file = {
    name: 'base/1',
    bytes: Buffer.concat(voters.map(({ account, chosen }) => Buffer.from(`${account}\0\u0001${chosen.includes(1) ? 'y' : 'n'}\0\0`))),
  };
  expect(linksInFiles([file], voters)).not.toEqual([]);
  const secret = voters[4]!.secrets[0]!.number!;
  for (const spelt of [
    Buffer.from(`${secret}`),
    Buffer.from(secret.toString(16)),
    Buffer.from(secret.toString(16), 'hex'),
    Buffer.from(Buffer.from(secret.toString(16), 'hex').toString('base64')),
  ])
    expect(secretFinder(voters)('wal', Buffer.concat([Buffer.from('xx'), spelt, Buffer.from('yy')]))).toEqual([
      { where: 'wal', what: 'randomness of VOTER-004' },
    ]);
});

describe.runIf(canOwnPostgres())('dumps, files, the write-ahead log, logs and mails of an election with encrypted ballots', () => {
  test('link no voter and choice, neither while votes are cast nor after the count', { timeout: 900_000 }, async () => {
    await using server = await ownPostgres();
    const opened = await openDatabase({ url: server.url });
    try {
      await migrate(opened);
      const config = readConfig({ NODE_ENV: 'test', APP_URL: 'http://portal.test', DATABASE_URL: server.url, LOG_LEVEL: 'silent' });
      await loadDemo(opened, { config, profile: readProfile(''), today: new Date(), store: null });
    } finally {
      await opened.close();
    }
    const log: string[] = [];
    await using portal = Object.assign(
      await secondProcess(
        server.url,
        {},
        createLog('debug', each => log.push(each)),
      ),
      { url: server.url },
    );
    const given = testVoters(30, votesOf);
    await addVoters(portal.db, given);
    const open = await openEncrypted(portal, { onRoll: electionId => setVotes(portal.db, electionId, given) });
    const { electionId, credentials } = open;
    const classes = Map.groupBy(given, ({ votes }) => votes);
    expect(readableWeights([...classes].map(([weight, of]) => ({ weight, ballots: of.length })))).toEqual([]);
    const [{ parameters }] = (await portal.db.read.rows<{ parameters: string }>(
      sql`select parameters from encrypted_ballot where election_id = ${Number(electionId)}`,
    )) as [{ parameters: string }];
    // They cast in an order that has nothing to do with their names.
    const ready = (await readyBallots(parameters, credentials, given)).toSorted((a, b) => (a.tracker < b.tracker ? -1 : 1)).reverse();
    for (const { account, ballot, rightKey } of ready)
      expect((await cast(portal, electionId, { as: 'corin', account, body: { ballot, rightKey } })).errors).toBe(undefined);
    await announceVotes(portal.db);
    await noteEvents(portal.db);
    const voters: KnownVoter[] = ready.map(each => ({
      account: each.account,
      chosen: each.chosen,
      secrets: [
        { what: 'private credential', text: each.credential },
        { what: 'secret of the credential', number: each.secret },
        { what: 'key of the right', text: each.rightKey },
        ...each.randomness.map((number, at) => ({ what: `randomness ${at}`, number })),
      ],
    }));

    const findSecrets = secretFinder(voters);
    const program = (name: string) => path.join(binaries()!, name);
    const dataFolder = String((await server.query('show data_directory')).rows[0]!['data_directory']);
    const look = async (): Promise<{ links: Link[]; files: number; bytes: number }> => {
      await server.query('checkpoint');
      const dump = execFileSync(program('pg_dump'), ['--dbname', server.url], { maxBuffer: 1_000_000_000, encoding: 'utf8' });
      const tables = tablesOf(dump);
      // As the dump does, and by the transaction and the time of each row.
      const byTransaction = await tablesByTransaction(server.query, tables);
      const base = mkdtempSync(path.join(os.tmpdir(), 'portal-base-backup-'));
      try {
        const copied = spawnSync(
          program('pg_basebackup'),
          ['--dbname', server.url, '--pgdata', path.join(base, 'copy'), '--wal-method=stream', '--checkpoint=fast'],
          { encoding: 'utf8' },
        );
        expect([copied.status, copied.stderr]).toEqual([0, '']);
        const files = [...filesBelow(dataFolder), ...filesBelow(base)];
        const { rows: mails } = await server.query('select * from mail');
        const written = await Promise.all(
          [...new Set(mails.map(({ recipient }) => String(recipient)))].map(recipient => portal.mailsTo(recipient)),
        );
        const mailLines = written.flat().map(({ subject, body }) => `${subject} ${body}`);
        const published = [
          Buffer.from(await archiveOf(portal, electionId)).toString('latin1'),
          await (await portal.request(`/elections/${electionId}`)).text(),
          await (await portal.request(`/api/elections/${electionId}/trackers`)).text(),
          await (await portal.request(`/elections/${electionId}/voters.csv`)).text(),
        ];
        const texts: [string, Buffer][] = [
          ['the dump', Buffer.from(dump)],
          ['the log of the program', Buffer.from(log.join(''))],
          ['mails', Buffer.from(mailLines.join('\n'))],
          ...published.map((text, at): [string, Buffer] => [`published ${at}`, Buffer.from(text, 'latin1')]),
          ...files.map(({ name, bytes }): [string, Buffer] => [name, bytes]),
        ];
        return {
          links: [
            ...texts.flatMap(([where, bytes]) => findSecrets(where, bytes)),
            ...linksInTables(tables, voters),
            ...linksInTables(byTransaction, voters),
            ...linksInFiles(files, voters),
            ...linksInLines('the log of the program', log, voters),
            ...linksInLines('mails', mailLines, voters),
            ...published.flatMap((text, at) => linksInLines(`published ${at}`, text.split('\n'), voters)),
          ],
          files: files.length,
          bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
        };
      } finally {
        rmSync(base, { recursive: true, force: true });
      }
    };
    const during = await look();
    expect(during.links).toEqual([]);
    expect(during.files).toBeGreaterThan(1000);

    // What it looks for can be found there: a table as someone would leave it is, in each of the copies.
    await portal.db.unrecorded.transaction().execute(async transaction => {
      await sql`create table planted (place integer, chosen text)`.execute(transaction);
      for (const [place, { chosen }] of ready.entries())
        await sql`insert into planted values (${place}, ${chosen.join('+') || 'none'})`.execute(transaction);
      await sql`create table planted_secret as select ${ready[5]!.randomness[1]!.toString()} as number`.execute(transaction);
    });
    const planted = (await look()).links.map(({ where }) => where);
    expect(planted).toEqual(
      expect.arrayContaining(['the dump', 'public.planted, in the order of their place', 'public.planted, in the order of place']),
    );
    expect(planted.some(where => /pg_wal\//.test(where))).toBe(true);
    await sql`drop table planted, planted_secret`.execute(portal.db.unrecorded);

    // The count: nothing more is said than the sums.
    const later = new Date(Date.now() + 2 * DAY_MS);
    await closeVoting(portal.db, later);
    const dora = await portal.as('dora');
    expect(
      (await seconded(portal, await dora(api.encryptedBallotSetup.startCount, { electionId, body: { readableVotes: [] } }))).errors,
    ).toBe(undefined);
    for (const name of ['hana', 'tilda'] as const)
      expect(
        (await sendTrusteeMessage(portal, name, { electionId, step: 'decryption', message: await decryptAs(portal, open, name) })).errors,
      ).toBe(undefined);
    expect(await verified(await archiveOf(portal, electionId))).toMatchObject({
      stage: 'Result',
      result: [countOf(given, answers.length)],
    });
    await portal.db.change(line, change =>
      change.rows(sql`update election_window set closes_at = now() - interval '1 minute' where election_id = ${Number(electionId)}`),
    );
    expect(await (await portal.request(`/elections/${electionId}/voters.csv`)).text()).toContain('\r\nVOTER-007,Network of VOTER-007\r\n');
    const after = await look();
    // The planted rows are still in the write-ahead log and in files that were not written anew, as they should be.
    const isPlanted = ({ what, where }: Link) =>
      what === `randomness 1 of ${ready[5]!.account}` && !where.startsWith('the ') && !where.startsWith('published');
    expect(after.links.filter(each => !isPlanted(each))).toEqual([]);
    process.stderr.write(
      `searched ${during.files} files with ${Math.round(during.bytes / 1e6)} MB while votes were cast, ${after.files} with ${Math.round(after.bytes / 1e6)} MB after the count\n`,
    );
  });
});

/** The tables of a dump with the transaction of each row, in the order of transactions. */
async function tablesByTransaction(query: Awaited<ReturnType<typeof ownPostgres>>['query'], tables: ReturnType<typeof tablesOf>) {
  const found = [];
  for (const { name, columns } of tables) {
    const { rows } = await query(
      `select xmin::text::bigint as x, ${columns.map(column => `${column}::text`).join(', ')} from ${name} order by 1, ctid`,
    );
    found.push({
      name: `${name} by transaction`,
      columns: ['xmin', ...columns],
      rows: rows.map(row => Object.values(row as Record<string, string | null>).map(cell => (cell === null ? null : String(cell)))),
    });
  }
  return found;
}
