import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Client } from 'pg';
import { derivedKeys, type Secrets } from '../secret-box.ts';
import { connectionsOf, type Database } from './database.ts';

/*
 * Each seal is SHA-256 over the previous seal, the activity, and the rows it changed, so altering, removing or inserting a line
 * later breaks every seal after it. Columns are named individually: one added later must not break old seals. A row of the history from which personal data
 * was cut has the hash of what it was (decision 299).
 */
const contentWith = (rowDigest: string): string => `
  sha256(convert_to(jsonb_build_array(a.activity_id, a.happened_at, a.action, a.summary, a.trace_id, a.account_name, a.login_issuer,
    a.login_subject, a.contact_id, a.sid, a.amr, a.address, a.refusal, a.details)::text, 'UTF8'))
  || coalesce((select string_agg(${rowDigest},
    ''::bytea order by r.row_change_id) from row_change r where r.activity_id = a.activity_id), ''::bytea)
  || coalesce((select string_agg(sha256(convert_to(jsonb_build_array(d.row_digest_id, d.table_name, d.key, d.columns, encode(d.digest, 'hex'))::text, 'UTF8')),
    ''::bytea order by d.row_digest_id) from row_digest d where d.activity_id = a.activity_id), ''::bytea)`;

const WRITTEN = `sha256(convert_to(jsonb_build_array(r.row_change_id, r.table_name, r.operation, r.before, r.after)::text, 'UTF8'))`;

/** Returns what is sealed of an activity. A backup of an older version knows no rows from which something was cut. */
async function contentSql(client: Client): Promise<string> {
  const { rows } = await client.query(`select from pg_attribute where attrelid = 'row_change'::regclass and attname = 'digest_as_sealed'`);
  return contentWith(rows.length > 0 ? `coalesce(r.digest_as_sealed, ${WRITTEN})` : WRITTEN);
}

/** Activities are numbered when they begin and sealed after they are committed; none is overtaken by more than this many. */
const OVERTAKEN = 100_000;
/** Held by who adds to the chain, or publishes what is in it. */
export const CHAIN_LOCK = 7_331_002;

/** Keys of the marks that distinguish this installation's seals from ones that an attacker computed: from SECRET_KEY, then from SECRET_KEY_OLD. */
export type SealKeys = readonly [Buffer, ...Buffer[]];
export const sealKeys = (secrets: Secrets): SealKeys => derivedKeys(secrets, 'activity seals');
/** The mark of a seal: it stands for the whole chain before it. */
const markOf = (key: Buffer, position: number, hash: Buffer): Buffer =>
  createHmac('sha256', key).update(`${position}:`).update(hash).digest();

type Head = { position: string; hash: Buffer; mark: Buffer | null };
const newestSeal = async (client: Client): Promise<Head | undefined> =>
  (await client.query<Head>(`select position, hash, mark from activity_seal order by position desc limit 1`)).rows[0];

/** Returns what is wrong with the newest seal's mark; null where it is right. */
function problemOfMark({ position, hash, mark }: Head, keys: SealKeys): string | null {
  if (mark === null) return `Seal ${position} has no mark of SECRET_KEY.`;
  if (keys.some(key => timingSafeEqual(markOf(key, Number(position), hash), mark))) return null;
  return `Seal ${position} was not made with this SECRET_KEY: the activity chain was computed anew by someone else, or the key was changed.`;
}

const sealOf = (before: Buffer | null, content: Buffer): Buffer =>
  createHash('sha256')
    .update(before ?? Buffer.alloc(32))
    .update(content)
    .digest();

/** The newest seal that this process made or saw: nothing before it may change any more. */
const lastSeen = new WeakMap<Database, { position: number; hash: Buffer }>();

/** @throws Error if the chain is not the one this process sealed last, or its newest seal was made by someone else */
async function refuseForeignChain(client: Client, database: Database, head: Head | undefined, keys: SealKeys): Promise<void> {
  const problem = head && problemOfMark(head, keys);
  if (problem) throw new Error(`${problem} Nothing more is sealed until someone has looked (registry verify).`);
  const seen = lastSeen.get(database);
  if (!seen) return;
  const { rows } = await client.query<{ hash: Buffer }>('select hash from activity_seal where position = $1', [seen.position]);
  if (!rows[0]?.hash.equals(seen.hash))
    throw new Error(
      `The activity chain is not the one that was sealed: seal ${seen.position} is another one. Nothing more is sealed until someone has looked.`,
    );
}

/**
 * Seals the committed activities that have no seal yet, at most `limit` of them, and marks each seal with SECRET_KEY. Returns how many. A task calls this every minute or so.
 * @throws Error where the chain was computed anew by someone else
 */
export async function sealActivities(database: Database, secrets: Secrets, limit = 1_000): Promise<number> {
  const keys = sealKeys(secrets);
  const client = await connectionsOf(database).dedicated();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [CHAIN_LOCK]);
    const head = await newestSeal(client);
    await refuseForeignChain(client, database, head, keys);
    const { rows } = await client.query<{ activity_id: string; content: Buffer }>(
      `select a.activity_id, ${await contentSql(client)} as content from activity a
       where a.activity_id > (select coalesce(max(activity_id), 0) from activity_seal) - ${OVERTAKEN}
         and not exists (select from activity_seal s where s.activity_id = a.activity_id)
       order by a.activity_id limit $1`,
      [limit],
    );
    let position = Number(head?.position ?? 0);
    let hash = head?.hash ?? null;
    const seals: { position: number; id: string; hash: Buffer }[] = [];
    for (const { activity_id: id, content } of rows) {
      hash = sealOf(hash, content);
      seals.push({ position: ++position, id, hash });
    }
    if (seals.length > 0)
      await client.query(
        `insert into activity_seal (position, activity_id, hash, mark)
         select p, a, decode(h, 'hex'), decode(m, 'hex') from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) as s (p, a, h, m)`,
        [
          seals.map(seal => seal.position),
          seals.map(seal => seal.id),
          seals.map(seal => seal.hash.toString('hex')),
          seals.map(seal => markOf(keys[0], seal.position, seal.hash).toString('hex')),
        ],
      );
    await client.query('commit');
    if (hash !== null) lastSeen.set(database, { position, hash });
    return rows.length;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    await client.end();
  }
}

export interface ChainReport {
  sealed: number;
  unsealed: number;
  /** The newest seal, hexadecimal: noted elsewhere, it shows later whether the end of the chain was cut off. Null before the first. */
  head: string | null;
  /** Sentences; empty when the chain holds. */
  problems: string[];
}

/** Recomputes every seal, inside the caller's transaction. @param keys those of `sealKeys`; left out without SECRET_KEY */
export async function checkChain(client: Client, keys?: SealKeys): Promise<ChainReport> {
  const problems: string[] = [];
  await client.query(`declare chain cursor for select s.position, s.activity_id, s.hash, ${await contentSql(client)} as content
    from activity_seal s left join activity a using (activity_id) order by s.position`);
  let before: Buffer | null = null;
  let sealed = 0;
  let last = 0;
  for (;;) {
    const { rows } = await client.query<{ position: string; activity_id: string; hash: Buffer; content: Buffer }>('fetch 500 from chain');
    for (const seal of rows) {
      sealed++;
      if (Number(seal.position) !== sealed && problems.length === 0)
        problems.push(`The activity chain has a gap: seal ${sealed} is missing.`);
      if (!sealOf(before, seal.content).equals(seal.hash) && problems.length === 0)
        problems.push(
          `The activity chain breaks at seal ${seal.position}: activity ${seal.activity_id}, or what it changed, is not what was sealed.`,
        );
      before = seal.hash;
      last = Number(seal.position);
    }
    if (rows.length < 500) break;
  }
  await client.query('close chain');
  const head = await newestSeal(client);
  const problem = head && keys && problemOfMark(head, keys);
  if (problem) problems.push(problem);
  problems.push(...(await alteredActivities(client)), ...(await lostActivities(client, last, before)));
  const { rows: left } = await client.query<{ count: number }>(
    'select count(*)::int as count from activity a where not exists (select from activity_seal s where s.activity_id = a.activity_id)',
  );
  return { sealed, unsealed: left[0]?.count ?? 0, head: before === null ? null : (before as Buffer).toString('hex'), problems };
}

/** Lines that don't match their digest, sealed or not. */
async function alteredActivities(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ activity_id: string }>(
    `select activity_id from activity a where digest is distinct from activity_digest(a) order by activity_id limit 20`,
  );
  return rows.map(({ activity_id }) => `The activity ${activity_id} is not what was written down.`);
}

/** Returns the lines that were removed from the log, within it or at its end: receipts and the end of the chain are stored separately. */
async function lostActivities(client: Client, last: number, newest: Buffer | null): Promise<string[]> {
  const problems: string[] = [];
  const { rows: ends } = await client.query<{ last: string; hash: Buffer; isWhole: boolean }>(
    `select last, hash, digest = log_end_digest(log, lines, last, hash) as "isWhole" from log_end where log = 'activity_seal'`,
  );
  const [end] = ends;
  if (!end && last > 0) problems.push('The record of the newest seal is gone.');
  if (end && !end.isWhole) problems.push('The record of the newest seal is not what was written down.');
  else if (end && Number(end.last) !== last)
    problems.push(`The activity chain was cut off: it ends at seal ${last}, and seal ${end.last} was written.`);
  else if (end && newest && !end.hash.equals(newest)) problems.push('The newest seal is not the one that was written.');
  const { rows: gone } = await client.query<{ activity_id: string }>(
    'select activity_id from activity_receipt r where not exists (select from activity a where a.activity_id = r.activity_id) order by 1 limit 20',
  );
  for (const { activity_id } of gone) problems.push(`The activity ${activity_id} is gone; it was written and not sealed yet.`);
  const { rows: loose } = await client.query<{ activity_id: string }>(
    `select activity_id from activity a where not exists (select from activity_seal s where s.activity_id = a.activity_id)
       and not exists (select from activity_receipt r where r.activity_id = a.activity_id) order by 1 limit 20`,
  );
  for (const { activity_id } of loose) problems.push(`The activity ${activity_id} has lost its seal, or was put in.`);
  return problems;
}
