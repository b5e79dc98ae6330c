import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import { countInTurn } from '../../../platform/counted-limit.ts';
import type { Change } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import { maintainersIn } from '../store/object-facts.ts';
import { objectsOfAccount } from '../objects/object-list.ts';
import { type Credentials, type Item, problem, type WhoisOutcome, type WhoisProblem } from '../store/update.ts';
import { theLast } from '../../../platform/clock-watch.ts';

/** Limits of writes per account. */
export type WriteLimits = Pick<Config, 'whoisMostObjects' | 'whoisEditsAnHour' | 'whoisUploadMegabytesADay'>;

/** Maximum number of objects per account. */
export type ObjectLimit = Pick<WriteLimits, 'whoisMostObjects'>;

const million = 1_000_000;

/** Calls that change objects, within an hour. @throws Failure TOO_MANY_EDITS saying when there may be another one */
export async function refuseManyEdits(change: Change, accountName: string, { whoisEditsAnHour: most }: WriteLimits): Promise<void> {
  await countInTurn(change, `whois.edits-${accountName}`);
  const { since, until } = theLast(HOUR_MS, change.now);
  const [oldest] = await change.rows<{ minutes: number }>(sql`
    select greatest(1, ceil(extract(epoch from happened_at + interval '1 hour' - ${change.now}::timestamptz) / 60))::int as minutes from activity
    where account_name = ${accountName} and action = 'whois.submitUpdates' and refusal is null and happened_at between ${since}::timestamptz and ${until}::timestamptz
      and activity_id <> ${change.activityId} order by happened_at desc offset ${most - 1} limit 1`);
  if (oldest) throw refuse('TOO_MANY_EDITS', { account: accountName, most: String(most), minutes: String(oldest.minutes) });
}

/** Calls whose text counts towards what an account may write within a day. */
const countedCalls = ['whois.uploadText', 'whois.submitUpdates', 'whois.bulkChange'];

/** Bytes of the texts of some updates. */
export const bytesOf = (updates: readonly { text: string }[]): number =>
  updates.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** Text written within a day, by uploads, edits and bulk changes; records the size of this one. @throws Failure TOO_MUCH_UPLOADED */
export async function refuseTooMuchText(
  change: Change,
  accountName: string,
  bytes: number,
  { whoisUploadMegabytesADay: most }: Pick<WriteLimits, 'whoisUploadMegabytesADay'>,
): Promise<void> {
  await countInTurn(change, `whois.uploads-${accountName}`);
  const { since, until } = theLast(DAY_MS, change.now);
  const [before] = await change.rows<{
    bytes: number;
  }>(sql`select coalesce(sum((details ->> 'bytes')::bigint), 0)::float8 as bytes from activity
    where account_name = ${accountName} and action = any(${countedCalls}::text[]) and refusal is null and happened_at between ${since}::timestamptz and ${until}::timestamptz and details ? 'bytes'`);
  if (before!.bytes + bytes > most * million)
    throw refuse('TOO_MUCH_UPLOADED', {
      account: accountName,
      most: String(most),
      used: (before!.bytes / million).toFixed(1),
      size: (bytes / million).toFixed(1),
    });
  await change.note({ bytes });
}

/** After storing: checks that the account has no more objects than allowed. @throws Failure TOO_MANY_OBJECTS, which rolls everything back */
export async function refuseManyObjects(
  change: Change,
  accountName: string,
  outcomes: readonly WhoisOutcome[],
  { whoisMostObjects: most }: ObjectLimit,
): Promise<void> {
  if (!outcomes.some(({ done, state }) => state === 'ok' && done === 'create')) return;
  if ((await countObjects(change, accountName)) > most) throw refuse('TOO_MANY_OBJECTS', { account: accountName, most: String(most) });
}

/** Before a task begins: checks that its new objects, rows of it in JSON, don't exceed the account's maximum. @throws Failure TOO_MANY_OBJECTS */
export async function refuseTooManyNew(
  change: Change,
  accountName: string,
  { portions, count }: { portions: readonly string[]; count: number },
  { whoisMostObjects: most }: ObjectLimit,
): Promise<void> {
  const before = await countObjects(change, accountName);
  if (before + count <= most) return;
  let there = 0;
  for (const portion of portions) {
    const [found] = await change.rows<{ total: number }>(
      sql`select count(*)::int as total from json_to_recordset(${portion}::json) as n (class text, key text) join whois_object using (class, key)`,
    );
    there += found!.total;
  }
  if (before + count - there > most) throw refuse('TOO_MANY_OBJECTS', { account: accountName, most: String(most) });
}

/**
 * Returns which new objects of a partial submission exceed the account's maximum. Deletions in it make room, and the
 * first objects are accepted.
 */
export async function newBeyond(
  change: Change,
  { accountName, objects: most }: { accountName: string; objects: number },
  { maintainers }: Credentials,
): Promise<(items: readonly Item[]) => { item: Item; problem: WhoisProblem }[]> {
  const before = await countObjects(change, accountName);
  const { message } = refuse('TOO_MANY_OBJECTS', { account: accountName, most: String(most) });
  return items => {
    const alive = items.filter(each => each.alive);
    const leaving = alive.filter(
      ({ operation, object }) => operation === 'delete' && maintainersIn(object, 'mnt-by').some(each => maintainers.has(each)),
    );
    const room = Math.max(0, most - before + leaving.length);
    const fresh = alive.filter(({ operation }) => operation === 'create').sort((a, b) => a.index - b.index);
    return fresh.slice(room).map(item => ({ item, problem: problem(item.object, 'too-many-objects', message) }));
  };
}

async function countObjects(change: Change, accountName: string): Promise<number> {
  const [row] = await change.rows<{ total: number }>(sql`select count(*)::int as total from (${objectsOfAccount(accountName)}) o`);
  return row!.total;
}
