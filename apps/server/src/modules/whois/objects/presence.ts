import type { AnswerOf } from '@portal/contract';
import { SECOND_MS } from '@portal/contract/days';
import { presenceBeatSeconds, type whoisPresence } from '@portal/contract/whois/presence';
import { readKey } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Act } from '../../../platform/http/endpoints.ts';

/** A contact who missed two beats is gone. */
const GONE_AFTER_SECONDS = presenceBeatSeconds * 2.5;

/**
 * Records that a contact opens or leaves an object in the editor, and returns the account's colleagues who have it open, in any process, but no one
 * of other accounts.
 */
export async function reportPresence({
  unrecorded,
  account: { accountName, contactId },
  body: { class: objectClass, key: given, leaves },
  registry: { now },
}: Act<typeof whoisPresence.reportPresence>): Promise<AnswerOf<typeof whoisPresence.reportPresence>> {
  if (contactId === null) return { others: [] };
  const key = readKey(objectClass, given)?.key ?? given.toLowerCase();
  const [seenAt, since] = [now, new Date(now.getTime() - GONE_AFTER_SECONDS * SECOND_MS)].map(each => each.toISOString());
  if (leaves) {
    await sql`delete from whois_presence where account_name = ${accountName} and class = ${objectClass} and key = ${key} and contact_id = ${contactId}::uuid`.execute(
      unrecorded,
    );
    return { others: [] };
  }
  await sql`insert into whois_presence (account_name, class, key, contact_id, seen_at)
    values (${accountName}, ${objectClass}, ${key}, ${contactId}::uuid, ${seenAt}::timestamptz)
    on conflict (account_name, class, key, contact_id) do update set seen_at = excluded.seen_at`.execute(unrecorded);
  await sql`delete from whois_presence where account_name = ${accountName} and seen_at < ${since}::timestamptz`.execute(unrecorded);
  const { rows } = await sql<{ fullName: string }>`select c.full_name from whois_presence p join contact c using (contact_id)
    where p.account_name = ${accountName} and p.class = ${objectClass} and p.key = ${key} and p.contact_id <> ${contactId}::uuid
      and c.account_name = ${accountName} and c.status = 'active' order by c.full_name limit 20`.execute(unrecorded);
  return { others: rows.map(({ fullName }) => fullName) };
}
