import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migratedDatabase, emptyDatabase } from '../../../test/database/migrated-database.ts';
import { kinds } from '../../../test/portal.ts';
import { throwawayPostgres } from '../../../test/database/throwaway-postgres.ts';
import { backup, copyDatabase, type Database, migrate, openDatabase, restore } from '../../platform/database/index.ts';
import { openSecretBox } from '../../platform/secret-box.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const seal = openSecretBox({ secretKey: 'k'.repeat(32), secretKeyOld: '' });
const receipts = ['B'.repeat(16), 'A'.repeat(16), 'C'.repeat(16)];

let home: string;
beforeAll(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-ballot-backup-'));
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

/** An open vote with three ballots in the box. */
const castBallots = (db: Database): Promise<number> =>
  db.change(line, async change => {
    const [election] = await change.rows<{ id: number }>(sql`
      insert into election (kind, title, time_zone, state, created_at, published_at)
      values ('other', 'A question', 'UTC', 'published', now(), now()) returning election_id::int as id`);
    await change.rows(sql`insert into election_window (election_id, kind, opens_at, closes_at)
      values (${election!.id}, 'member-vote', now() - interval '1 hour', now() + interval '1 hour')`);
    for (const [place, receipt] of receipts.entries())
      await change.rows(sql`select ballots.store(${receipt}, ${election!.id}, 1, 4, ${place === 2 ? [] : [1, 2]}::int[])`);
    return election!.id;
  });
const boxOf = async (db: Database, electionId: number): Promise<unknown> =>
  db.change(line, async change => {
    await change.rows(sql`update election_window set closes_at = now() - interval '1 minute' where election_id = ${electionId}`);
    return change.rows(sql`select receipt, votes, choices from ballots.published(${electionId}, 1)`);
  });
const ballots = [...receipts].toSorted().map(receipt => ({ receipt, votes: 4, choices: receipt.startsWith('C') ? [] : [1, 2] }));

describe.each(kinds)('ballots of a running vote in a backup of %s', kind => {
  test('are sealed in it, and back in the box after a restore; with another key nothing is restored', async () => {
    await using from = await migratedDatabase(kind);
    const electionId = await castBallots(from.database);
    const file = path.join(home, `${kind}.backup`);
    expect((await backup(from.database, file, { seal })).ballots).toEqual({ count: 3, kept: true });
    const text = gunzipSync(fs.readFileSync(file)).toString();
    for (const receipt of receipts) expect(text).not.toContain(receipt);

    await using to = await emptyDatabase(kind);
    const other = openSecretBox({ secretKey: 'x'.repeat(32), secretKeyOld: '' });
    await expect(restore(to.database, file, { seal: other })).rejects.toThrow('does not open with SECRET_KEY');
    expect(await to.database.read.rows(sql`select 1 from election`)).toEqual([]);
    // The present contents of the box are replaced.
    await castBallots(to.database);
    expect((await restore(to.database, file, { seal, replace: true })).ballots).toBe(3);
    expect(await boxOf(to.database, electionId)).toEqual(ballots);
  });

  test('are left out without a key, as the summary says', async () => {
    await using from = await migratedDatabase(kind);
    await castBallots(from.database);
    expect((await backup(from.database, path.join(home, `${kind}.unsealed`))).ballots).toEqual({ count: 3, kept: false });
  });
});

const { server } = await throwawayPostgres({ inMemory: true });
describe.skipIf(server === null)('a role that may not read the ballot box', () => {
  test('is told how many ballots are missing in its backup and copy, and can restore those saved by an administrator', async () => {
    const root = new pg.Client({ connectionString: server!.url });
    await root.connect();
    const role = `registry_backup_${process.pid}`;
    await root.query(`create role ${role} login createrole`);
    const made = await Promise.all([0, 1, 2].map(() => server!.createDatabase()));
    const urls = made.map(({ url }) => Object.assign(new URL(url), { username: role }).href);
    for (const { name } of made) await root.query(`alter database ${name} owner to ${role}`);
    const [db, restored] = [await openDatabase({ url: urls[0]! }), await openDatabase({ url: urls[1]! })];
    const administrator = await openDatabase({ url: made[0]!.url });
    try {
      await migrate(db);
      const electionId = await castBallots(db);
      expect((await backup(db, path.join(home, 'role.backup'), { seal })).ballots).toEqual({ count: 3, kept: false });
      expect((await copyDatabase(db, urls[2]!)).ballots).toEqual({ count: 3, kept: false });
      const file = path.join(home, 'administrator.backup');
      expect((await backup(administrator, file, { seal })).ballots).toEqual({ count: 3, kept: true });
      expect((await restore(restored, file, { seal })).ballots).toBe(3);
      expect(await boxOf(restored, electionId)).toEqual(ballots);
      // A box with other ballots isn't mistaken for that of the backup.
      await restored.change(line, change => change.rows(sql`select ballots.store(${'D'.repeat(16)}, ${electionId}, 1, 4, '{1}'::int[])`));
      await expect(restore(restored, file, { seal, replace: true })).rejects.toThrow('holds ballots that are not in the copy');
    } finally {
      for (const database of [db, restored, administrator]) await database.close();
      for (const database of made) await database.drop();
      await root.query(`drop role ${role}`);
      await root.end();
    }
  }, 180_000);
});
