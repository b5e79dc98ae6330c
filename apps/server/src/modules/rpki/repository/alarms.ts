import { DAY_MS, HOUR_MS, instantAfter, instantBefore, MINUTE_MS } from '@portal/contract/days';
import type { RpkiAlarm } from '@portal/contract/rpki/desk';
import { sql } from 'kysely';
import { futureFrom } from '../../../platform/clock-watch.ts';
import type { Read } from '../../../platform/database/index.ts';
import { lastRound } from '../../../platform/periodic-work.ts';
import { PATIENCE_MS } from '../authorities/due-authorities.ts';
import { offlineMark } from '../authorities/trust-anchor-messages.ts';
import { publisherRounds } from '../publisher-rounds.ts';

/** A manifest that ends within this time is an alarm: it should have been renewed six hours earlier. */
export const manifestAlarmMs = 6 * HOUR_MS;
/** The same for an offline trust anchor, which has to be signed by people at its machine. */
const OFFLINE_ALARM_MS = 7 * DAY_MS;
/** A certificate is renewed 60 days before its end; one that ends within this time was not. */
export const certificateAlarmMs = 28 * DAY_MS;
/** A publication that failed once is tried again within seconds. */
const FAILING_MS = 2 * MINUTE_MS;

const offline = Buffer.from(offlineMark);

/** Returns problems that keep relying parties from finding what they should, now or soon. */
export async function rpkiAlarms(read: Pick<Read, 'rows'>, now: Date): Promise<RpkiAlarm[]> {
  const before = (ms: number): string => instantBefore(now, ms);
  const within = (ms: number): string => instantAfter(now, ms);
  const [row] = await read.rows<{
    count: number;
    soonest: string | null;
    anchorEnds: string | null;
    certificateEnds: string | null;
    accounts: number;
    since: string | null;
  }>(sql`with ending as (select m.next_update, k.sealed_private = ${offline} as is_offline from rpki_manifest m join rpki_key k using (key_id)
      where k.state <> 'destroyed' and k.certificate is not null and m.next_update < ${within(OFFLINE_ALARM_MS)}::timestamptz),
    late as (select next_update from ending where not is_offline and next_update < ${within(manifestAlarmMs)}::timestamptz),
    waiting as (select account_name, min(noticed_at) as since from rpki_due group by account_name having min(noticed_at) < ${before(PATIENCE_MS)}::timestamptz)
    select (select count(*)::int from late) as count, (select min(next_update) from late) as soonest,
      (select min(next_update) from ending where is_offline) as anchor_ends,
      (select min(k.not_after) from rpki_key k join rpki_ca c using (ca_id) where c.kind in ('trust-anchor', 'registry', 'as0') and k.state = 'current'
        and k.not_after < ${within(certificateAlarmMs)}::timestamptz) as certificate_ends,
      (select count(*)::int from waiting) as accounts, (select min(since) from waiting) as since`);
  const { count, soonest, anchorEnds, certificateEnds, accounts, since } = row!;
  const [dated] = await read.rows<{ count: number; latest: string | null }>(
    sql`select count(*)::int as count, max(not_before) as latest from rpki_object where not_before > ${futureFrom(now)}::timestamptz`,
  );
  const round = await lastRound(read, publisherRounds);
  const fails =
    round !== null &&
    round.failure !== null &&
    round.failedAt !== null &&
    Date.parse(round.succeededAt ?? round.failedAt) < now.getTime() - FAILING_MS
      ? { failure: round.failure, since: round.succeededAt ?? round.failedAt }
      : null;
  return [
    ...(dated!.latest === null ? [] : [{ kind: 'dated-in-the-future' as const, count: dated!.count, latest: dated!.latest }]),
    ...(fails ? [{ kind: 'publishing-fails' as const, ...fails }] : []),
    ...(count > 0 ? [{ kind: 'manifests-end' as const, count, soonest: soonest! }] : []),
    ...(anchorEnds === null ? [] : [{ kind: 'trust-anchor-ends' as const, soonest: anchorEnds }]),
    ...(certificateEnds === null ? [] : [{ kind: 'certificate-ends' as const, soonest: certificateEnds }]),
    ...(accounts > 0 ? [{ kind: 'changes-wait' as const, accounts, since: since! }] : []),
  ];
}

const inOneLine = (alarm: RpkiAlarm): string => {
  switch (alarm.kind) {
    case 'dated-in-the-future':
      return `${alarm.count} RPKI files begin in the future, the last at ${alarm.latest}: validators refuse them. A clock was wrong when they were made, or is now`;
    case 'manifests-end':
      return `${alarm.count} RPKI manifests end soon, the first at ${alarm.soonest}`;
    case 'trust-anchor-ends':
      return `1 RPKI manifest, that of the offline trust anchor, ends at ${alarm.soonest}: sign a new one (registry rpki ta)`;
    case 'certificate-ends':
      return `an RPKI certificate of the registry ends at ${alarm.soonest}`;
    case 'publishing-fails':
      return `publishing the RPKI repository has failed since ${alarm.since}: ${alarm.failure}`;
    case 'changes-wait':
      return `RPKI changes of ${alarm.accounts} accounts have waited to be published since ${alarm.since}`;
  }
};

/** The same for /readyz. */
export const publisherProblems = async (read: Pick<Read, 'rows'>, now: Date): Promise<{ role: 'publisher'; problem: string }[]> =>
  (await rpkiAlarms(read, now)).map(alarm => ({ role: 'publisher', problem: inOneLine(alarm) }));
