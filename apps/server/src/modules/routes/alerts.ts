import type { AnswerOf } from '@portal/contract';
import { maxMutes, type routeAlerts } from '@portal/contract/routes/alerts';
import {
  containsResource,
  formatCount,
  parsePrefix,
  printAsNumber,
  printPrefix,
  ResourceSyntaxError,
  validateOrigin,
} from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import { holdingsOf } from '../resources/index.ts';
import { indexInTurns, vrpsCovering } from '../rpki/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';

type Alerts = AnswerOf<typeof routeAlerts.listAlerts>;

/**
 * Returns the problems that the watcher found in an account's announcements, and those the account has muted. Each has its present state: a
 * publication since the last run of the watcher may have repaired it.
 */
export async function listAlerts({
  read,
  account: { accountName },
}: {
  read: Pick<Read, 'rows' | 'stream'>;
  account: Pick<AdmittedAccount, 'accountName'>;
}): Promise<Alerts> {
  const rows = await read.rows<
    Omit<Alerts['rows'][number], 'muted'> & { reason: string | null; mutedBy: string | null; mutedAt: string | null }
  >(sql`
    select coalesce(a.prefix, m.prefix)::text as prefix, coalesce(a.asn, m.asn) as asn, a.validity, a.found_at, m.reason, m.muted_by, m.muted_at
    from (select * from route_alert where account_name = ${accountName}) a
    full join (select * from route_mute where account_name = ${accountName}) m on m.prefix = a.prefix and m.asn = a.asn
    order by (m.prefix is not null), (a.validity = 'not-found'), family(coalesce(a.prefix, m.prefix)), 1, 2 limit 2000`);
  const found = rows.filter(({ validity }) => validity !== null);
  const index = await indexInTurns(
    await vrpsCovering(
      read,
      found.map(({ prefix }) => prefix),
    ),
  );
  return {
    rows: rows.flatMap(({ reason, mutedBy, mutedAt, ...alert }) => {
      const validity = alert.validity && validateOrigin(index, parsePrefix(alert.prefix), alert.asn);
      const muted = reason === null || mutedBy === null || mutedAt === null ? null : { reason, by: mutedBy, at: mutedAt };
      if (validity !== 'valid') return [{ ...alert, validity, muted }];
      return muted ? [{ ...alert, validity: null, foundAt: null, muted }] : [];
    }),
  };
}

/** Mutes an announcement of the account's space. @throws Failure INVALID_REQUEST for an invalid prefix, or one outside its delegations */
export async function mute({
  change,
  account: { accountName },
  body: { asn, reason, ...body },
}: Act<typeof routeAlerts.mute>): Promise<Alerts> {
  const prefix = prefixOf(body.prefix);
  const held = (await holdingsOf(change, [accountName])).get(accountName)!;
  if (!containsResource(held, prefix)) throw refuseField('prefix', `${printPrefix(prefix)} is not inside a delegation of this account`);
  const [{ count }] = (await change.rows<{ count: number }>(
    sql`select count(*)::int as count from route_mute where account_name = ${accountName}`,
  )) as [{ count: number }];
  if (count >= maxMutes) throw refuseField('prefix', `An account can mute ${formatCount(maxMutes)} announcements`);
  const [by] = await change.rows<{ name: string }>(
    sql`select coalesce(c.full_name, 'The registry') as name from activity a left join contact c on c.contact_id::text = a.contact_id where a.activity_id = ${change.activityId}`,
  );
  await change.rows(sql`insert into route_mute (account_name, prefix, asn, reason, muted_by, muted_at)
    values (${accountName}, ${printPrefix(prefix)}::cidr, ${asn}, ${reason}, ${by!.name}, ${change.now}::timestamptz)
    on conflict (account_name, prefix, asn) do update set reason = excluded.reason, muted_by = excluded.muted_by, muted_at = excluded.muted_at`);
  await change.note({ announcement: `${printPrefix(prefix)} ${printAsNumber(asn)}`, ...(reason !== '' && { reason }) });
  return listAlerts({ read: change, account: { accountName } });
}

/** Ends a mute: the next run of the watcher notifies if it is still wrong. @throws Failure NOT_FOUND */
export async function unmute({ change, account: { accountName }, body: { prefix, asn } }: Act<typeof routeAlerts.unmute>): Promise<Alerts> {
  const gone = await change.rows(
    sql`delete from route_mute where account_name = ${accountName} and prefix::text = ${prefix} and asn = ${asn} returning asn`,
  );
  if (gone.length === 0) throw refuse('NOT_FOUND', { what: 'This muted announcement' });
  await change.note({ announcement: `${prefix} ${printAsNumber(asn)}` });
  return listAlerts({ read: change, account: { accountName } });
}

function prefixOf(text: string) {
  try {
    return parsePrefix(text);
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    throw refuseField('prefix', error.message);
  }
}
