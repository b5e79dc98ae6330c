import { createHash } from 'node:crypto';
import { dayIn } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { rootOf, treeOver } from '../merkle-tree.ts';
import { CHAIN_LOCK } from './activity-chain.ts';
import { connectionsOf, type Database } from './database.ts';

/**
 * A line of the log as its leaf in the tree: a JSON array of its position, its seal in hexadecimal, its number, its time, the action, its words, the trace id, the account, the contact
 * who acted, the address where a contact acted, and the refusal. Everything in it is shown to the account; what else belongs to the line is bound by its seal.
 * Of `activity a` and its `activity_seal s`. Neither the list nor its order ever changes, or published roots would prove nothing any more.
 */
const LINE = `jsonb_build_array(s.position, encode(s.hash, 'hex'), a.activity_id, to_char(a.happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  a.action, a.summary, a.trace_id, a.account_name, a.contact_id, case when a.contact_id is not null then host(a.address) end, a.refusal)::text`;
const LEAF = `sha256('\\x00'::bytea || convert_to(${LINE}, 'UTF8'))`;
/** The text of a line's leaf. */
export const lineText = sql.raw<string>(LINE);
/** The hash of a line's leaf. */
export const lineLeaf = sql.raw<Buffer>(LEAF);

/** Lines of one root at most: so many a program hashes in a tenth of a second. */
const LINES_OF_ROOT = 65_536;
/** Roots of one run at most. */
const ROOTS_OF_RUN = 50;
const noLink = '0'.repeat(64);

/** A published root; hashes are hexadecimal. */
export type LogRoot = { rootId: number; day: string; first: number; last: number; hash: string; seal: string; link: string };

/** The columns of `log_root` as a `LogRoot`. */
export const logRootColumns = `root_id::int as "rootId", day::text as day, first_position::int8 as first, last_position::int8 as last,
  encode(hash, 'hex') as hash, encode(seal, 'hex') as seal, encode(link, 'hex') as link`;

/** A root in words for scripts, as its link hashes it. */
export const rootLine = ({ rootId, day, first, last, hash, seal }: Omit<LogRoot, 'link'>): string =>
  `${rootId} ${day} ${first} ${last} ${hash} ${seal}`;
const linkOf = (before: string, root: Omit<LogRoot, 'link'>): string =>
  createHash('sha256')
    .update(`${before} ${rootLine(root)}`)
    .digest('hex');

type Lines = { first: number; last: number; day: string };

/** Returns the lines of the next root: those of the day of the first one that no root has, where that day is over. */
async function nextLines(client: Client, newest: LogRoot | undefined, today: string): Promise<Lines | null> {
  const from = Number(newest?.last ?? 0) + 1;
  const { rows } = await client.query<{ day: string }>(
    `select greatest((sealed_at at time zone 'UTC')::date, $2::date)::text as day from activity_seal where position = $1`,
    [from, newest?.day ?? null],
  );
  const day = rows[0]?.day;
  if (day === undefined || day >= today) return null;
  const { rows: ends } = await client.query<{ last: string }>(
    `select max(position) as last from (select position, bool_or(sealed_at >= ($2::date + 1) at time zone 'UTC') over (order by position) as later
       from activity_seal where position between $1 and $1 + ${LINES_OF_ROOT - 1}) s where not later`,
    [from, day],
  );
  return { first: from, last: Number(ends[0]!.last), day };
}

async function hashOf(client: Client, first: number, last: number): Promise<string> {
  const { rows } = await client.query<{ leaf: Buffer }>(
    `select ${LEAF} as leaf from activity_seal s join activity a using (activity_id) where s.position between $1 and $2 order by s.position`,
    [first, last],
  );
  return rows.length === 0 ? '' : rootOf(await treeOver(rows.map(({ leaf }) => leaf))).toString('hex');
}

/**
 * Publishes the roots of the days that are over, by the clock, in UTC, fifty at most. Returns how many. A task calls this every ten minutes.
 * A day whose lines are sealed late has them in the root of a later one.
 */
export async function publishLogRoots(database: Database, now: Date): Promise<number> {
  const client = await connectionsOf(database).dedicated();
  const today = dayIn('UTC', now);
  try {
    for (let published = 0; published < ROOTS_OF_RUN; published++) {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1)', [CHAIN_LOCK]);
      const { rows } = await client.query<LogRoot>(`select ${logRootColumns} from log_root order by root_id desc limit 1`);
      const [newest] = rows;
      const lines = await nextLines(client, newest, today);
      if (lines === null) {
        await client.query('commit');
        return published;
      }
      const { rows: seals } = await client.query<{ seal: string }>(
        `select encode(hash, 'hex') as seal from activity_seal where position = $1`,
        [lines.last],
      );
      const root = {
        rootId: (newest?.rootId ?? 0) + 1,
        ...lines,
        hash: await hashOf(client, lines.first, lines.last),
        seal: seals[0]!.seal,
      };
      await client.query(
        `insert into log_root (root_id, day, first_position, last_position, hash, seal, link)
         values ($1, $2, $3, $4, decode($5, 'hex'), decode($6, 'hex'), decode($7, 'hex'))`,
        [root.rootId, root.day, root.first, root.last, root.hash, root.seal, linkOf(newest?.link ?? noLink, root)],
      );
      await client.query('commit');
    }
    return ROOTS_OF_RUN;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    await client.end();
  }
}

/** Returns what is wrong with the published roots, one sentence each: gaps, links, and lines that are not those that were published. */
export async function checkLogRoots(client: Client): Promise<string[]> {
  // A database that isn't migrated yet has none.
  const { rows: tables } = await client.query<{ isThere: boolean }>(`select to_regclass('public.log_root') is not null as "isThere"`);
  if (!tables[0]!.isThere) return [];
  const { rows: roots } = await client.query<LogRoot & { sealed: string | null }>(
    `select ${logRootColumns}, (select encode(s.hash, 'hex') from activity_seal s where s.position = r.last_position) as sealed from log_root r order by root_id`,
  );
  const problems: string[] = [];
  let [link, rootId, last] = [noLink, 0, 0];
  for (const root of roots) {
    const name = `Root ${root.rootId} of the log, of ${root.day},`;
    if (root.rootId !== rootId + 1 || Number(root.first) !== last + 1) problems.push(`${name} doesn’t follow the one before it.`);
    if (linkOf(link, root) !== root.link) problems.push(`${name} is not what was published: its link is another one.`);
    if (root.sealed !== root.seal || (await hashOf(client, root.first, root.last)) !== root.hash)
      problems.push(`${name} is not that of its lines: the log was changed after it was published.`);
    [link, rootId, last] = [root.link, root.rootId, Number(root.last)];
  }
  return problems.slice(0, 20);
}
