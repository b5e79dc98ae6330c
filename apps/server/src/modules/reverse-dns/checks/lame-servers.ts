import type { CheckedServer } from '@portal/contract/reverse-dns/checks';
import { DAY_MS, daysAfter, instantBefore, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { ActOf } from '../../../platform/activity-words.ts';
import { type Change, type Database, ownActivity, type Read } from '../../../platform/database/index.ts';
import { eachAlone, isOutage, type RowFailure, RowsFailed } from '../../../platform/each-alone.ts';
import type { ModuleContext } from '../../../platform/module.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import type { Profile } from '../../../profile.ts';
import { holderOfZone, notifyZoneContacts } from './zone-notices.ts';
import { reverseDnsTexts } from '../mail-texts.ts';
import type { MailText } from '../../mail/index.ts';

/** A check older than this doesn't count: the watch asks every zone within three days. */
const FRESH_DAYS = 4;
/** Minimum number of zones checked within a day, and maximum share of lame ones, for the registry to trust its own connection. */
const ENOUGH_ZONES = 20;
const MAX_LAME = 0.5;

/** Servers of a check without an authoritative answer at any queried address. Servers that the registry can't reach are left out. */
export const lameHosts = (checked: readonly CheckedServer[]): string[] =>
  [...Map.groupBy(checked, ({ server }) => server)].flatMap(([host, addresses]) => {
    const asked = addresses.filter(({ state }) => state !== 'unreached');
    return asked.length === 0 || asked.some(({ state }) => state === 'authoritative') ? [] : [host];
  });

/**
 * Records which servers of a delegated zone a check found lame. Servers that answer or are no longer delegated to are removed; those that couldn’t be
 * reached from here stay unchanged.
 */
export async function noteLameServers(
  change: Change,
  zone: string,
  { delegated, checked }: { delegated: readonly string[]; checked: readonly CheckedServer[] },
): Promise<void> {
  const hosts = [...new Set(delegated.map(each => each.split(' ')[0]!))];
  const answering = new Set(checked.filter(({ state }) => state === 'authoritative').map(({ server }) => server));
  const known = new Set([...answering, ...lameHosts(checked)]);
  const unknown = new Set(checked.flatMap(({ server, state }) => (state === 'unreached' && !known.has(server) ? [server] : [])));
  const lame = hosts.filter(host => !answering.has(host) && !unknown.has(host));
  const staying = [...lame, ...unknown];
  await change.rows(sql`delete from rdns_lame_server where zone = ${zone}
    and (server <> all(${hosts}::text[]) or (disabled_at is null and server <> all(${staying}::text[])))`);
  await change.rows(
    sql`update rdns_lame_server set answered_at = ${change.now}::timestamptz where zone = ${zone} and server <> all(${staying}::text[])`,
  );
  await change.rows(sql`insert into rdns_lame_server (zone, server, since, failed_at)
    select ${zone}, server, ${change.now}::timestamptz, ${change.now}::timestamptz from unnest(${lame}::text[]) as w (server)
    on conflict (zone, server) do update set failed_at = excluded.failed_at, answered_at = null`);
}

type Due = { zone: string; servers: string[] };
type Step = {
  act: ActOf<'reverseDns'>;
  summary: string;
  /** The rows that are due. */
  due: ReturnType<typeof sql>;
  /** The change of these rows; null deletes them. */
  set: ReturnType<typeof sql> | null;
  words: (due: Due) => MailText;
};

/** Returns the steps of the policy at an instant, the last first, so that a row takes one step in a run. */
function stepsAt(now: Date, { lameDetectDays, lameNotifyDays, lameRemindDays, lameDisables }: Profile): Step[] {
  const before = (days: number) => sql`${instantBefore(now, days * DAY_MS)}::timestamptz`;
  const at = sql`${now.toISOString()}::timestamptz`;
  const stillLame = sql`answered_at is null and failed_at > ${before(FRESH_DAYS)}`;
  const disables = dayInFull(daysAfter(utcDay(now.toISOString()), lameNotifyDays));
  return [
    {
      act: 'enableServer',
      summary: 'Put a name server back into a reverse zone',
      due: sql`disabled_at is not null and answered_at is not null`,
      set: null,
      words: ({ zone, servers }) =>
        reverseDnsTexts.written('zoneAgain', {
          zone,
          servers: named(servers),
          answersForAgain: isOne(servers)
            ? `${servers[0]!} answers for ${zone} again, and is back in the registry’s zone.`
            : `${list.format(servers)} answer for ${zone} again, and are back in the registry’s zone.`,
        }),
    },
    {
      act: 'remindOfLame',
      summary: 'Sent a reminder of a disabled name server',
      due: sql`disabled_at is not null and ${stillLame} and coalesce(reminded_at, disabled_at) <= ${before(lameRemindDays)}`,
      set: sql`reminded_at = ${at}`,
      words: ({ zone, servers }) =>
        isOne(servers)
          ? reverseDnsTexts.written('stillDoesntAnswer', { zone, servers: named(servers), servers2: servers[0]! })
          : reverseDnsTexts.written('stillDontAnswer', { zone, servers: named(servers), servers2: list.format(servers) }),
    },
    {
      act: 'disableServer',
      summary: 'Left a name server out of a reverse zone',
      due: lameDisables ? sql`disabled_at is null and ${stillLame} and notified_at <= ${before(lameNotifyDays)}` : sql`false`,
      set: sql`disabled_at = ${at}`,
      words: ({ zone, servers }) =>
        reverseDnsTexts.written('leftOutZone', {
          zone,
          servers: named(servers),
          hasntAnsweredFor: isOne(servers)
            ? `${servers[0]!} hasn’t answered for ${zone} for ${lameDetectDays + lameNotifyDays} days, and is now left out of the registry’s zone. The domain object is unchanged.`
            : `${list.format(servers)} haven’t answered for ${zone} for ${lameDetectDays + lameNotifyDays} days, and are now left out of the registry’s zone. The domain object is unchanged.`,
          howMany: isOne(servers) ? 'It’s' : 'Each is',
        }),
    },
    {
      act: 'notifyOfLame',
      summary: 'Notified contacts of a lame name server',
      due: sql`notified_at is null and ${stillLame} and since <= ${before(lameDetectDays)}`,
      set: sql`notified_at = ${at}`,
      words: ({ zone, servers }) =>
        reverseDnsTexts.written('serversNotAnswering', {
          zone,
          servers: named(servers),
          howMany: isOne(servers) ? 'doesn’t' : 'don’t',
          servers2: list.format(servers),
          howMany2: isOne(servers) ? 'hasn’t' : 'haven’t',
          lameDetectDays,
          correctTheServer: lameDisables
            ? isOne(servers)
              ? `Correct the server or the delegation by ${disables}. After that the server is left out of the registry’s zone until it answers.`
              : `Correct the servers or the delegation by ${disables}. After that these servers are left out of the registry’s zone until they answer.`
            : `Correct ${isOne(servers) ? 'the server' : 'the servers'} or the delegation.`,
        }),
    },
  ];
}
const list = new Intl.ListFormat('en-GB');
const isOne = (servers: readonly string[]): boolean => servers.length === 1;
const named = (servers: readonly string[]): string => (servers.length === 1 ? servers[0]! : `${servers.length} name servers`);

/**
 * Applies the policy for lame servers: contacts are notified after so many days, a server is left out of the parent zone after so many more, with
 * reminders, and put back when it answers (profile, `lame…`). Each zone is its own change. While most zones seem lame, the registry itself may be
 * disconnected, and only servers that answer again are handled.
 */
export async function followLameServers({ db, clock, profile }: Pick<ModuleContext, 'db' | 'clock' | 'profile'>): Promise<void> {
  const now = clock();
  const isCutOff = await seemsCutOff(db.read, now);
  const failures: RowFailure[] = [];
  for (const step of stepsAt(now, profile)) {
    if (isCutOff && step.set !== null) continue;
    try {
      const zones = await db.read.rows<{ zone: string }>(sql`select distinct zone from rdns_lame_server where ${step.due} order by zone`);
      await eachAlone(
        zones,
        ({ zone }) => zone,
        ({ zone }) => take(db, zone, step),
      );
    } catch (error) {
      if (isOutage(error)) throw error;
      failures.push(...(error instanceof RowsFailed ? error.failures : [{ row: step.act, error }]));
    }
  }
  if (failures.length > 0) throw new RowsFailed(failures);
}

/** Another process took the step. */
class StepTaken extends Error {}

async function take(db: Database, zone: string, { act, summary, due, set, words }: Step): Promise<void> {
  const holder = await holderOfZone(db.read, zone);
  try {
    await db.change(ownActivity(`reverseDns.${act}`, summary, holder ?? undefined), async change => {
      const rows = await change.rows<{ server: string }>(
        set === null
          ? sql`delete from rdns_lame_server where zone = ${zone} and ${due} returning server`
          : sql`update rdns_lame_server set ${set} where zone = ${zone} and ${due} returning server`,
      );
      if (rows.length === 0) throw new StepTaken();
      const servers = rows.map(({ server }) => server).toSorted();
      await change.note({ zone, servers });
      await notifyZoneContacts(change, zone, holder, words({ zone, servers }));
    });
  } catch (error) {
    if (!(error instanceof StepTaken)) throw error;
  }
}

/** Returns whether most zones checked within a day seem lame, which means that the registry's own connection may be down. */
export async function seemsCutOff(read: Pick<Read, 'rows'>, now: Date): Promise<boolean> {
  const [{ lame, checked }] = (await read.rows<{ lame: number; checked: number }>(sql`select
    (count(*) filter (where state = 'lame'))::int as lame, count(*)::int as checked from rdns_zone
    where checked_at > ${instantBefore(now, DAY_MS)}::timestamptz`)) as [{ lame: number; checked: number }];
  return checked >= ENOUGH_ZONES && lame / checked > MAX_LAME;
}
