import { DAY_MS, HOUR_MS, instantAfter, instantBefore } from '@portal/contract/days';
import { certificateRenewalDays, manifestRenewalHours, rolloverHours } from '@portal/contract/rpki/rpki';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** A manifest is made anew when it would end within so long: it lives a day and up to four hours more, so twice a day. */
export const refreshMs = manifestRenewalHours * HOUR_MS;
/** An object is made anew so long before its certificate ends, the certificate of an authority a little earlier. */
export const renewObjectMs = 28 * DAY_MS;
export const renewCertificateMs = certificateRenewalDays * DAY_MS;
/** How long a key is certified beside another one before it takes over, and how long the other one stays (RFC 6489, section 2). */
export const rolloverMs = rolloverHours * HOUR_MS;
/** Authorities that one publication brings up to date, unless one change touched more. */
const MOST_AT_ONCE = 200;

/** Accounts and authorities that a publication has to process. */
export type Due = {
  accountNames: string[];
  /** The notes that led to it, to be taken away. */
  dueIds: number[];
  /** The trust anchor's or the registry's own manifest or certificate is due, or does not exist yet. */
  roots: boolean;
};

type Note = { dueId: number; accountName: string; noticedAt: string };

/**
 * Returns everything to be published anew: accounts that changed, and what would end soon. Accounts that one change touched stay together, so that a block that
 * moves from one to the other is never missing at both.
 */
export async function findDue(read: Pick<Read, 'rows'>, now: Date): Promise<Due> {
  const notes = await read.rows<Note>(
    sql`select due_id, account_name, noticed_at::text as noticed_at from rpki_due order by due_id limit 100000`,
  );
  const ending = await read.rows<{ kind: string; accountName: string | null }>(sql`
    select distinct c.kind, c.account_name from rpki_ca c join rpki_key k using (ca_id) left join rpki_manifest m using (key_id)
    where k.state <> 'destroyed' and k.certificate is not null and (
      m.next_update < ${instantAfter(now, refreshMs)}::timestamptz or k.not_after < ${instantAfter(now, renewCertificateMs)}::timestamptz
      or (k.state = 'old' and k.state_since < ${instantBefore(now, rolloverMs)}::timestamptz)
      or exists (select from rpki_object o where o.key_id = k.key_id and o.kind in ('roa', 'aspa') and o.not_after < ${instantAfter(now, renewObjectMs)}::timestamptz))
    limit ${MOST_AT_ONCE}`);
  const [roots] = await read.rows<{ certified: number }>(
    sql`select count(*)::int as certified from rpki_ca c join rpki_key k using (ca_id) where c.kind <> 'member' and k.certificate is not null`,
  );
  const accounts = new Set(ending.flatMap(({ accountName }) => accountName ?? []));
  const groups = Map.groupBy(notes, ({ noticedAt }) => noticedAt);
  const groupsOf = Map.groupBy(notes, ({ accountName }) => accountName);
  const taken = new Set<string>();
  const take = (noticedAt: string): void => {
    if (taken.has(noticedAt)) return;
    taken.add(noticedAt);
    for (const { accountName } of groups.get(noticedAt)!) {
      accounts.add(accountName);
      for (const note of groupsOf.get(accountName)!) take(note.noticedAt);
    }
  };
  const endingAccounts = [...accounts];
  for (const accountName of endingAccounts) for (const { noticedAt } of groupsOf.get(accountName) ?? []) take(noticedAt);
  for (const noticedAt of groups.keys()) if (accounts.size < MOST_AT_ONCE) take(noticedAt);
  return {
    accountNames: [...accounts],
    dueIds: notes.filter(({ noticedAt }) => taken.has(noticedAt)).map(({ dueId }) => dueId),
    roots: roots!.certified < 2 || ending.some(({ kind }) => kind !== 'member'),
  };
}

export const isDue = ({ accountNames, dueIds, roots }: Due): boolean => accountNames.length + dueIds.length > 0 || roots;
