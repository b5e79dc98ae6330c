import type { WhoisConsent } from '@portal/contract/whois/consents';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';

/** A request for consent, with the person who asked. */
export type ConsentRow = WhoisConsent & { contactId: string; email: string; loginId: string | null };

export const columns = sql`w.consent_id::int as consent_id, w.account_name, w.contact_id::text as contact_id, c.full_name as asked_by, c.email, c.login_id::text as login_id,
  w.objects, w.text, array(select coalesce(o.shown, upper(m.key)) from unnest(w.maintainers) as m (key)
    left join whois_object o on o.class = 'mntner' and o.key = m.key order by m.key) as maintainers,
  w.why, w.state, w.reason, w.asked_at, w.due_at, w.decided_at`;
export const table = sql`whois_consent w join contact c using (contact_id)`;
export const consentAnswer = ({ contactId: _contactId, email: _email, loginId: _login, ...consent }: ConsentRow): WhoisConsent => consent;
export const keysOf = (names: readonly string[]): string[] => names.map(name => name.toLowerCase());

export const consentOf = async (read: Pick<Read, 'rows'>, consentId: number): Promise<ConsentRow> =>
  (await read.rows<ConsentRow>(sql`select ${columns} from ${table} where w.consent_id = ${consentId}`))[0]!;

/** Ends a request for consent. */
export async function decideConsent(
  change: Change,
  row: ConsentRow,
  { state, reason, by }: { state: WhoisConsent['state']; reason: string; by: string | null },
): Promise<ConsentRow> {
  await change.rows(sql`update whois_consent set state = ${state}, reason = ${reason}, decided_at = ${change.now}::timestamptz, decided_by = ${by}::uuid
    where consent_id = ${row.consentId}`);
  await change.note({ objects: row.objects, of: row.accountName, answer: state, ...(reason !== '' && { reason }) });
  return consentOf(change, row.consentId);
}
