import { DAY_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import { eachAlone, stepsAlone } from '../../platform/each-alone.ts';
import type { PeriodicWork } from '../../platform/module.ts';
import { announceLeftOutFiles } from './change-notices.ts';
import { filesLeftOutOfRsync } from './unpublished.ts';

/** Files left out again within this time, in ms, are the same matter: its people have the mail. */
const SAME_MATTER_MS = DAY_MS;

type Known = { accountName: string; begunAt: string; overAt: string | null };

/** Returns in sentences, by account, whatever is left out: files that rsync lacks, and those of members' own authorities that validators refuse. */
async function leftOutNow(read: Pick<Read, 'rows'>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const add = (accountName: string, sentence: string): void => void found.set(accountName, [...(found.get(accountName) ?? []), sentence]);
  for (const { accountName, uri, problem } of await filesLeftOutOfRsync(read)) add(accountName, `${uri} is not in rsync: ${problem}`);
  const refused = await read.rows<{ accountName: string; problem: string }>(sql`select c.account_name, p.problem
    from rpki_child_judgement j join rpki_child c using (child_id) cross join unnest(j.problems) with ordinality as p (problem, place)
    where c.state = 'active' order by c.account_name, c.child_id, p.place`);
  for (const { accountName, problem } of refused) add(accountName, problem);
  return found;
}

/** Sends one mail to the people of an account when files of its RPKI begin to be left out, with a line in the activity log; another line says that it is over. */
export const warnOfLeftOutFiles: PeriodicWork = {
  name: 'rpki.warnOfLeftOutFiles',
  every: 10,
  run: async ({ db, clock }) => {
    const now = clock();
    const found = await leftOutNow(db.read);
    const known = await db.read.rows<Known>(sql`select account_name, begun_at, over_at from rpki_left_out`);
    await stepsAlone({ warn: () => warn(db, now, { found, known }), end: () => end(db, now, { found, known }) });
  },
};

type LeftOut = { found: ReadonlyMap<string, string[]>; known: readonly Known[] };

async function warn(db: Database, now: Date, { found, known }: LeftOut): Promise<void> {
  const before = new Map(known.map(row => [row.accountName, row]));
  await eachAlone(
    [...found].filter(([accountName]) => before.get(accountName)?.overAt !== null),
    ([accountName]) => accountName,
    ([accountName, files]) => {
      const row = before.get(accountName);
      const isSame = row !== undefined && row.overAt! > instantBefore(now, SAME_MATTER_MS);
      return db.change(ownActivity('rpki.warnOfLeftOutFiles', 'Warned that RPKI files are left out', accountName), async change => {
        // Another worker may have been first.
        const [begun] =
          await change.rows(sql`insert into rpki_left_out (account_name, begun_at) values (${accountName}, ${now.toISOString()}::timestamptz)
          on conflict (account_name) do update set begun_at = excluded.begun_at, over_at = null where rpki_left_out.over_at is not null returning 1`);
        if (!begun) return;
        await change.note({ files: files.length });
        if (!isSame) await announceLeftOutFiles(change, accountName, files);
      });
    },
  );
}

async function end(db: Database, now: Date, { found, known }: LeftOut): Promise<void> {
  await eachAlone(
    known.filter(({ accountName, overAt }) => overAt === null && !found.has(accountName)),
    ({ accountName }) => accountName,
    ({ accountName }) =>
      db.change(ownActivity('rpki.warnOfLeftOutFiles', 'RPKI files are no longer left out', accountName), change =>
        change.rows(
          sql`update rpki_left_out set over_at = ${now.toISOString()}::timestamptz where account_name = ${accountName} and over_at is null`,
        ),
      ),
  );
}
