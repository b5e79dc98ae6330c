import { createHash } from 'node:crypto';
import { dayIn, daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { rootOf, treeOver } from '../merkle-tree.ts';
import { CHAIN_LOCK } from './activity-chain.ts';
import { connectionsOf, type Database } from './database.ts';

/**
 * A line of the log as its leaf in the tree: a JSON array of the number of this format, its position, its seal in hexadecimal, a blind, its number, its time, the action, its
 * words, the trace id, the account, the contact who acted, the address where a contact acted, and the refusal. What it says of the line is shown to the account; what
 * else belongs to the line is bound by its seal. The blind follows from SECRET_KEY, by the mark of the seal, so that no one can guess a line from its hash: callers choose trace ids.
 * Of `activity a` and its `activity_seal s`. The list never changes, or published roots would prove nothing any more: another one gets another number.
 */
const LINE = `jsonb_build_array(1, s.position, encode(s.hash, 'hex'), coalesce(encode(sha256(s.mark), 'hex'), ''), a.activity_id,
  to_char(a.happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), a.action, a.summary, a.trace_id, a.account_name, a.contact_id,
  case when a.contact_id is not null then host(a.address) end, a.refusal)::text`;
const LEAF = `sha256('\\x00'::bytea || convert_to(${LINE}, 'UTF8'))`;
/** The text of a line's leaf. */
export const lineText = sql.raw<string>(LINE);
/** The hash of a line's leaf. */
export const lineLeaf = sql.raw<Buffer>(LEAF);

/** Lines of one root at most: so many a program hashes in a tenth of a second. */
const LINES_OF_ROOT = 65_536;
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

type Lines = { first: number; last: number };

/**
 * Returns the lines of the next root: those after the newest root up to the first that was sealed today, by the clock. A seal of another day than it can be was
 * made while a clock was wrong; it doesn't keep the others from being published.
 */
async function nextLines(client: Client, from: number, today: string): Promise<Lines | null> {
  const { rows } = await client.query<{ position: string; isOfToday: boolean }>(
    `select position, (sealed_at at time zone 'UTC')::date = $2::date as "isOfToday" from activity_seal where position between $1 and $1 + ${LINES_OF_ROOT - 1} order by position`,
    [from, today],
  );
  const open = rows.findIndex(({ isOfToday }) => isOfToday);
  const count = open < 0 ? rows.length : open;
  if (count === 0) return null;
  const last = Number(rows[count - 1]!.position);
  if (Number(rows[0]!.position) !== from || last !== from + count - 1)
    throw new Error(`The activity chain has a gap after seal ${from - 1}.`);
  return { first: from, last };
}

async function hashOf(client: Client, first: number, last: number): Promise<string> {
  const { rows } = await client.query<{ leaf: Buffer }>(
    `select ${LEAF} as leaf from activity_seal s join activity a using (activity_id) where s.position between $1 and $2 order by s.position`,
    [first, last],
  );
  return rows.length === 0 ? '' : rootOf(await treeOver(rows.map(({ leaf }) => leaf))).toString('hex');
}

/**
 * Publishes the roots of the lines that were sealed before today, by the clock, in UTC, in transactions of 65,536 lines at most. Returns how many. A task
 * calls this every ten minutes.
 */
export async function publishLogRoots(database: Database, now: Date): Promise<number> {
  const client = await connectionsOf(database).dedicated();
  const today = dayIn('UTC', now);
  const day = daysAfter(today, -1);
  try {
    for (let published = 0; ; published++) {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1)', [CHAIN_LOCK]);
      const { rows } = await client.query<LogRoot>(`select ${logRootColumns} from log_root order by root_id desc limit 1`);
      const [newest] = rows;
      const lines = await nextLines(client, Number(newest?.last ?? 0) + 1, today);
      if (lines === null) {
        await client.query('commit');
        return published;
      }
      const { rows: seals } = await client.query<{ seal: string }>(
        `select encode(hash, 'hex') as seal from activity_seal where position = $1`,
        [lines.last],
      );
      const hash = await hashOf(client, lines.first, lines.last);
      const root = { rootId: (newest?.rootId ?? 0) + 1, day, ...lines, hash, seal: seals[0]!.seal };
      await client.query(
        `insert into log_root (root_id, day, first_position, last_position, hash, seal, link)
         values ($1, $2, $3, $4, decode($5, 'hex'), decode($6, 'hex'), decode($7, 'hex'))`,
        [root.rootId, root.day, root.first, root.last, root.hash, root.seal, linkOf(newest?.link ?? noLink, root)],
      );
      await client.query('commit');
    }
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
  if (rootId > 0) problems.push(...(await latePublication(client, last)));
  return problems.slice(0, 20);
}

/** Returns a sentence where lines wait longer for their root than they should. */
async function latePublication(client: Client, last: number): Promise<string[]> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from activity_seal where position > $1 and sealed_at < now() - interval '2 days'`,
    [last],
  );
  const { count } = rows[0]!;
  return count === 0 ? [] : [`${count} lines of the log were sealed more than two days ago and have no root: is a worker running?`];
}
