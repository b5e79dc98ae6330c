import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { TaskFailed, TaskRefused } from '../../../platform/bounded-thread.ts';
import { futureFrom, isInFuture } from '../../../platform/clock-watch.ts';
import { type Change, type Database, outageOf, ownActivity, type Read } from '../../../platform/database/index.ts';
import type { BytesOf, Judged, Judgement, Supply } from './child-judgement.ts';
import { readPublished } from './child-reading.ts';

type Judging = {
  db: Pick<Database, 'read' | 'change'>;
  clock: () => Date;
  signal?: AbortSignal | undefined;
  /** Reads in the thread, unless a test does otherwise. */
  readFiles?: typeof readPublished;
};
/** Maximum number of noted changes of files of one authority: beyond, as without a judgement for long, all of it is read again. */
const MAX_NOTED = 40_000;

/** Records, in the same change, that files or certificates of authorities changed: they are judged again, and judgements under way are discarded. */
export async function noteChangedChildren(change: Change, childIds: readonly number[]): Promise<void> {
  if (childIds.length === 0) return;
  await change.rows(sql`insert into rpki_child_judgement (child_id, problems, changes) select child_id, '{}', 1 from unnest(${childIds}::bigint[]) as c (child_id)
    on conflict (child_id) do update set changes = rpki_child_judgement.changes + 1`);
  // The row of the judgement is locked here, so no judgement is stored meanwhile.
  await change.rows(sql`with over as (select child_id from rpki_changed_file where child_id = any(${childIds}::bigint[]) group by child_id having count(*) > ${MAX_NOTED}),
      forgotten as (delete from rpki_changed_file f using over where f.child_id = over.child_id)
    update rpki_child_judgement j set judged_at = null from over where j.child_id = over.child_id`);
}

/**
 * Judges authorities that have changed, whose judgement has expired, or was made in the future, with a clock that was wrong (decision 248): one after the other, in a thread and outside of any transaction, the longest
 * waiting first. One that fails doesn't keep those behind it from being judged: it is thrown after them, but for a lost database.
 * @param signal aborts the current judgement and the rest
 */
export async function judgeChildren({ db, clock, signal, readFiles = readPublished }: Judging): Promise<void> {
  const now = clock();
  const due = await db.read.rows<{ childId: number }>(sql`select child_id from rpki_child_judgement
    where changes <> judged_changes or again_at <= ${now.toISOString()}::timestamptz or judged_at > ${futureFrom(now)}::timestamptz order by judged_at nulls first, child_id limit 1000`);
  const failures: unknown[] = [];
  for (const { childId } of due) {
    if (signal?.aborted) return;
    try {
      await judgeOne({ db, clock, signal, readFiles }, childId);
    } catch (error) {
      if (outageOf(error) === 'lost') throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'Several authorities could not be judged');
}

/** An authority that publishes during each try is judged in the next round. */
const TRIES = 3;
/** Time, in ms, after which an authority is judged again that exceeded the limits: the machine may have been busy. */
const AGAIN_MS = 30 * MINUTE_MS;

async function judgeOne(
  { db, clock, signal, readFiles }: Required<Omit<Judging, 'signal'>> & Pick<Judging, 'signal'>,
  childId: number,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const now = clock();
    const published = await publishedBy(db.read, childId, now);
    let judgement: Judgement | null;
    try {
      const supply = suppliesOf(db.read, { childId, changes: published.changes });
      judgement = await onceMoreIfEnded(() => readFiles(String(childId), { ...published, now: now.getTime() }, { supply, signal }));
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof TaskRefused) && !(error instanceof TaskFailed)) throw error;
      // An authority that can't be judged doesn't block others. Its ROAs count again once it can be.
      judgement = {
        payloads: '',
        removed: null,
        problems: [
          error instanceof TaskRefused
            ? `What it publishes could not be judged: ${lowerFirst(error.message)}. None of it counts here; publish fewer files, or shorter lists`
            : 'What it publishes could not be judged, so none of it counts here',
        ],
        hints: [],
        endsAt: null,
        againAt: now.getTime() + AGAIN_MS,
      };
    }
    if (judgement !== null && (await storeJudgement(db, { childId, now, published, judgement }))) return;
  }
}

/** Tries once more where the thread ended: others may have filled it, and it begins anew without them. */
async function onceMoreIfEnded<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof TaskRefused) || error.reason !== 'ended') throw error;
    return ask();
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

type Published = { changes: number; judged: Judged | null; changed: string; certificates: Buffer[] };

const hash = sql`encode(o.sha256, 'hex') || ' ' || octet_length(o.content)`;

/** Reads what is certified, and which files changed since the last judgement, in one snapshot, as one row. A judgement of the future doesn't count. */
async function publishedBy(read: Pick<Read, 'rows'>, childId: number, now: Date): Promise<Published> {
  const [row] = await read.rows<{
    changes: number;
    judgedChanges: number;
    judgedAt: string | null;
    changed: string | null;
    certificates: string | null;
  }>(sql`select j.changes, j.judged_changes, j.judged_at,
    (select string_agg(f.uri || coalesce(' ' || ${hash}, ''), E'\\n') from (select distinct uri from rpki_changed_file where child_id = j.child_id and j.judged_at is not null) f
      left join rpki_object o on o.uri = f.uri and o.child_id = j.child_id) as changed,
    (select string_agg(encode(k.certificate, 'hex'), ' ') from rpki_child_key k where k.child_id = j.child_id) as certificates
    from rpki_child_judgement j where j.child_id = ${childId}`);
  const { changes, judgedChanges, judgedAt, changed, certificates } = row!;
  return {
    changes,
    judged: judgedAt === null || isInFuture(judgedAt, now) ? null : { changes: judgedChanges, at: Date.parse(judgedAt) },
    changed: changed ?? '',
    certificates: certificates?.split(' ').map(hex => Buffer.from(hex, 'hex')) ?? [],
  };
}

const suppliesOf = (read: Pick<Read, 'rows'>, { childId, changes }: { childId: number; changes: number }): Supply => ({
  // As one row: an authority may have many thousands of files.
  listFiles: async () => {
    const [row] = await read.rows<{ changes: number; files: string | null }>(sql`select j.changes,
      (select string_agg(o.uri || ' ' || ${hash}, E'\\n') from rpki_object o where o.child_id = j.child_id) as files
      from rpki_child_judgement j where j.child_id = ${childId}`);
    return row?.changes === changes ? (row.files ?? '') : null;
  },
  bytesOf: bytesOf(read, childId),
});

const bytesOf =
  (read: Pick<Read, 'rows'>, childId: number): BytesOf =>
  async uris => {
    const rows = await read.rows<{ uri: string; content: Buffer }>(
      sql`select uri, content from rpki_object where child_id = ${childId} and uri = any(${uris}::text[])`,
    );
    const found = new Map(rows.map(({ uri, content }) => [uri, content]));
    if (found.size < uris.length) return null;
    const contents = uris.map(uri => found.get(uri)!);
    const bytes = new Uint8Array(contents.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const content of contents) {
      bytes.set(content, at);
      at += content.length;
    }
    return { bytes, lengths: contents.map(({ length }) => length) };
  };

/**
 * Stores a judgement if nothing changed meanwhile, and if the judgement that its payloads are compared with is still the one that is stored. Only added and removed
 * payloads are written, and the files that changed before it are forgotten.
 */
function storeJudgement(
  db: Pick<Database, 'change'>,
  { childId, now, published: { changes, judged }, judgement }: { childId: number; now: Date; published: Published; judgement: Judgement },
): Promise<boolean> {
  const { payloads, removed, problems, hints, endsAt, againAt } = judgement;
  const instant = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
  const isOverStored =
    removed === null
      ? sql`true`
      : sql`judged_changes = ${judged!.changes} and judged_at = ${new Date(judged!.at).toISOString()}::timestamptz`;
  return db.change(ownActivity('rpki.judgeSelfHosted', 'Judged what a self-hosted authority publishes'), async change => {
    const rows =
      await change.rows(sql`update rpki_child_judgement set judged_at = ${now.toISOString()}::timestamptz, judged_changes = changes,
        problems = ${problems}::text[], hints = ${hints}::text[], ends_at = ${instant(endsAt)}::timestamptz, again_at = ${instant(againAt)}::timestamptz
      where child_id = ${childId} and changes = ${changes} and ${isOverStored} returning 1`);
    if (rows.length === 0) return false;
    await change.rows(sql`delete from rpki_changed_file where child_id = ${childId}`);
    if (removed === null)
      await change.rows(sql`delete from rpki_child_vrp v where child_id = ${childId}
        and (prefix, asn, max_length) not in (select prefix, asn, max_length from ${payloadsIn(payloads)} as given)`);
    else if (removed !== '')
      await change.rows(sql`delete from rpki_child_vrp v using ${payloadsIn(removed)} as given
        where v.child_id = ${childId} and v.prefix = given.prefix and v.asn = given.asn and v.max_length = given.max_length`);
    if (payloads !== '')
      await change.rows(sql`insert into rpki_child_vrp (child_id, prefix, asn, max_length)
        select ${childId}, prefix, asn, max_length from ${payloadsIn(payloads)} as given on conflict do nothing`);
    await change.note({ childId, problems: problems.length });
    return true;
  });
}

/** The rows of lines of payloads. */
const payloadsIn = (
  lines: string,
) => sql`(select split_part(line, ' ', 1)::cidr as prefix, split_part(line, ' ', 2)::bigint as asn, split_part(line, ' ', 3)::int as max_length
  from string_to_table(${lines}, E'\\n') as lines (line) where line <> '')`;
