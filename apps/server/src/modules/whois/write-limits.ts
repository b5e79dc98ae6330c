import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Change } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { objectsOfAccount } from './object-list.ts';
import { identityOf, readText } from './syntax.ts';
import type { WhoisOutcome, WhoisUpdate } from './update.ts';

/** How much one account may write (domain/resources.md 19.2). */
export type WriteLimits = Pick<Config, 'whoisMostObjects' | 'whoisEditsAnHour' | 'whoisUploadMegabytesADay'>;

const million = 1_000_000;

/** Calls that change objects, within an hour. @throws Failure TOO_MANY_EDITS saying when there may be another one */
export async function refuseManyEdits(change: Change, accountName: string, { whoisEditsAnHour: most }: WriteLimits): Promise<void> {
  const [oldest] = await change.rows<{ minutes: number }>(sql`
    select greatest(1, ceil(extract(epoch from happened_at + interval '1 hour' - now()) / 60))::int as minutes from activity
    where account_name = ${accountName} and action = 'whois.submitUpdates' and refusal is null and happened_at > now() - interval '1 hour'
      and activity_id <> ${change.activityId} order by happened_at desc offset ${most - 1} limit 1`);
  if (oldest) throw refuse('TOO_MANY_EDITS', { account: accountName, most: String(most), minutes: String(oldest.minutes) });
}

/** Text that was written, within a day; notes how much this one is. @throws Failure TOO_MUCH_UPLOADED */
export async function refuseMuchText(
  change: Change,
  accountName: string,
  text: string,
  { whoisUploadMegabytesADay: most }: WriteLimits,
): Promise<void> {
  const bytes = Buffer.byteLength(text);
  const [before] = await change.rows<{
    bytes: number;
  }>(sql`select coalesce(sum((details ->> 'bytes')::bigint), 0)::int as bytes from activity
    where account_name = ${accountName} and action = 'whois.uploadText' and refusal is null and happened_at > now() - interval '1 day' and details ? 'bytes'`);
  if (before!.bytes + bytes > most * million)
    throw refuse('TOO_MUCH_UPLOADED', {
      account: accountName,
      most: String(most),
      used: (before!.bytes / million).toFixed(1),
      size: (bytes / million).toFixed(1),
    });
  await change.note({ bytes });
}

/** After objects were stored: there are not more than an account may have. @throws Failure TOO_MANY_OBJECTS, and nothing stays stored */
export async function refuseManyObjects(
  change: Change,
  accountName: string,
  outcomes: readonly WhoisOutcome[],
  { whoisMostObjects: most }: WriteLimits,
): Promise<void> {
  if (!outcomes.some(({ done, state }) => state === 'ok' && done === 'create')) return;
  if ((await countObjects(change, accountName)) > most) throw refuse('TOO_MANY_OBJECTS', { account: accountName, most: String(most) });
}

/** Before a task is begun: the objects of its text that are new do not become more than an account may have. @throws Failure TOO_MANY_OBJECTS */
export async function refuseTooManyNew(
  change: Change,
  accountName: string,
  updates: readonly WhoisUpdate[],
  { whoisMostObjects: most }: WriteLimits,
): Promise<void> {
  const before = await countObjects(change, accountName);
  if (before + updates.length <= most) return;
  const named = updates.flatMap(({ text }) => {
    const { object } = readText(text);
    const identity = object && identityOf(object);
    return identity ? [identity] : [];
  });
  const [there] = await change.rows<{ total: number }>(sql`select count(*)::int as total
    from unnest(${named.map(each => each.class)}::text[], ${named.map(each => each.key)}::text[]) as n (class, key) join whois_object using (class, key)`);
  if (before + updates.length - there!.total > most) throw refuse('TOO_MANY_OBJECTS', { account: accountName, most: String(most) });
}

async function countObjects(change: Change, accountName: string): Promise<number> {
  const [row] = await change.rows<{ total: number }>(sql`select count(*)::int as total from (${objectsOfAccount(accountName)}) o`);
  return row!.total;
}
