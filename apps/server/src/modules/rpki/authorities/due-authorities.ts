import { DAY_MS, HOUR_MS, instantAfter, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { certificateRenewalDays, manifestRenewalHours, rolloverHours } from '@portal/contract/rpki/rpki';
import { sql } from 'kysely';
import { futureFrom } from '../../../platform/clock-watch.ts';
import type { Read } from '../../../platform/database/index.ts';
import { countWaiting } from '../waiting-messages.ts';
import { offlineMark } from './trust-anchor-messages.ts';

/** A manifest is renewed this long before it ends. It is valid for 24 to 28 hours, so that is twice a day. */
export const refreshMs = manifestRenewalHours * HOUR_MS;
/** An object is renewed this long before its certificate ends, the certificate of an authority a little earlier. */
export const renewObjectMs = 28 * DAY_MS;
export const renewCertificateMs = certificateRenewalDays * DAY_MS;
/** How long a key is certified beside another one before it takes over, and how long the other one stays (RFC 6489, section 2). */
export const rolloverMs = rolloverHours * HOUR_MS;
/** Maximum number of authorities per publication, unless one change touched more. */
const MAX_AT_ONCE = 200;

/** The key is on another machine, and its signatures are imported. */
const offline = Buffer.from(offlineMark);

/** Accounts and authorities that a publication has to process. */
export type Due = {
  accountNames: string[];
  /** The entries of `rpki_due` that led to it, deleted afterwards. */
  dueIds: number[];
  /** Self-hosted authorities wait for an answer. */
  messages: number;
  /** The trust anchor's or the registry's own manifest or certificate is due, or does not exist yet. */
  roots: boolean;
};

/** Used in place of an account for changed pools, whose space is published with AS0. */
const ofPools = '';

type Note = { dueId: number; accountName: string; noticedAt: string };

/**
 * Returns everything due: changed accounts, everything that would expire soon, and what a wrong clock dated in the future, which relying parties refuse
 * until then (decision 248). Accounts that one change touched stay together, so that a block that
 * moves from one to the other is never missing at both; entries without an account belong to the pools. @param as0 the setting RPKI_AS0 @param
 * setAside accounts that are left out, with their entries
 */
export async function findDue(read: Pick<Read, 'rows'>, now: Date, as0: boolean, setAside: ReadonlySet<string> = new Set()): Promise<Due> {
  const aside = sql`${[...setAside]}::text[]`;
  const future = sql`${futureFrom(now)}::timestamptz`;
  const notes = await read.rows<Note>(
    sql`select due_id, account_name, noticed_at::text as noticed_at from rpki_due where account_name <> all(${aside}) order by due_id limit 100000`,
  );
  const ending = await read.rows<{ kind: string; accountName: string | null }>(sql`
    select distinct c.kind, c.account_name from rpki_ca c join rpki_key k using (ca_id) left join rpki_manifest m using (key_id)
    where k.state <> 'destroyed' and k.certificate is not null and k.sealed_private <> ${offline} and coalesce(c.account_name, '') <> all(${aside}) and (
      m.next_update < ${instantAfter(now, refreshMs)}::timestamptz or m.this_update > ${future}
      or ((k.not_after < ${instantAfter(now, renewCertificateMs)}::timestamptz or k.not_before > ${future})
        and (c.kind <> 'registry' or not exists (select from rpki_key t where t.sealed_private = ${offline})))
      or (k.state = 'old' and (k.state_since < ${instantBefore(now, rolloverMs)}::timestamptz or k.state_since > ${future}))
      or exists (select from rpki_object o where o.key_id = k.key_id and o.kind in ('roa', 'aspa')
        and (o.not_after < ${instantAfter(now, renewObjectMs)}::timestamptz or o.not_before > ${future})))
    limit ${MAX_AT_ONCE}`);
  const endingChildren = await read.rows<{
    accountName: string;
  }>(sql`select distinct c.account_name from rpki_child c join rpki_child_key k using (child_id)
    where k.certificate is not null and (k.not_after < ${instantAfter(now, renewCertificateMs)}::timestamptz or k.not_before > ${future} or k.shrinks_at <= ${now.toISOString()}::timestamptz)
    limit ${MAX_AT_ONCE}`);
  const withdrawing = await read.rows<{ accountName: string }>(sql`select account_name from rpki_suspension
    where withdrawn_at is null and withdraws_at <= ${now.toISOString()}::timestamptz and account_name <> all(${aside}) limit ${MAX_AT_ONCE}`);
  const messages = await countWaiting(read);
  const [roots] = await read.rows<{ certified: number; as0: boolean }>(
    sql`select (select count(*)::int from rpki_ca c join rpki_key k using (ca_id) where c.kind in ('trust-anchor', 'registry') and k.certificate is not null) as certified,
      exists (select from rpki_ca where kind = 'as0' and state = 'active') as as0`,
  );
  const accounts = new Set([
    ...ending.flatMap(({ accountName }) => accountName ?? []),
    ...endingChildren.map(({ accountName }) => accountName),
    ...withdrawing.map(({ accountName }) => accountName),
  ]);
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
  for (const noticedAt of groups.keys()) if (accounts.size < MAX_AT_ONCE) take(noticedAt);
  return {
    accountNames: [...accounts].filter(accountName => accountName !== ofPools && !setAside.has(accountName)),
    dueIds: notes.filter(({ noticedAt }) => taken.has(noticedAt)).map(({ dueId }) => dueId),
    roots: roots!.certified < 2 || roots!.as0 !== as0 || ending.some(({ kind }) => kind !== 'member'),
    messages,
  };
}

/** A publication that has waited this long is late, and its accounts are judged as published now. */
export const PATIENCE_MS = 10 * MINUTE_MS;

/** Accounts whose latest changes are about to be published: validating the present repository would give results that are outdated in a moment. */
export async function accountsBeingPublished(read: Pick<Read, 'rows'>, now: Date): Promise<Set<string>> {
  const rows = await read.rows<{ accountName: string }>(
    sql`select distinct account_name from rpki_due where noticed_at > ${instantBefore(now, PATIENCE_MS)}::timestamptz`,
  );
  return new Set(rows.map(({ accountName }) => accountName));
}

/** True if nothing is due but messages of members' own authorities. */
export const isOnlyMessages = ({ accountNames, dueIds, roots, messages }: Due): boolean =>
  accountNames.length + dueIds.length === 0 && !roots && messages > 0;

export const isDue = ({ accountNames, dueIds, roots, messages }: Due): boolean =>
  accountNames.length + dueIds.length + messages > 0 || roots;
