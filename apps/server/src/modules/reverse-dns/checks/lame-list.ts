import type { AnswerOf } from '@portal/contract';
import { daysAfter, utcDay } from '@portal/contract/days';
import { type lameServers, type LameStep, lameSteps } from '@portal/contract/reverse-dns/lame-servers';
import { parseReverseZone, type Prefix, printPrefix, readResource } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { delegatedZones, delegationIn } from '../domain-objects.ts';
import { heldPrefixes } from '../zones.ts';
import { seemsCutOff } from './lame-servers.ts';
import { lameDays } from './lame-steps.ts';
import { holderOfZone } from './zone-notices.ts';
import type { Act } from '../../../platform/http/endpoints.ts';

type Row = {
  zone: string;
  server: string;
  step: LameStep;
  since: string;
  failedAt: string;
  notifiedAt: string | null;
  disabledAt: string | null;
  remindedAt: string | null;
  problem: string | null;
  text: string | null;
  all: number;
};

const step = sql`case when disabled_at is not null and answered_at is not null then 'answers' when disabled_at is not null then 'disabled'
  when notified_at is not null then 'notified' else 'seen' end`;

/** Zones matching a search: those of an account, in a prefix or around an address; null for words. */
async function searchedZones(read: Read, q: string): Promise<string[] | null> {
  const held = /^[A-Z0-9-]+$/i.test(q) ? await heldPrefixes(read, q.toUpperCase()) : [];
  if (held.length > 0) return (await delegatedZones(read, held)).map(({ zone }) => zone);
  if (!/[/:]|^\d+(\.\d+){3}$/.test(q)) return null;
  try {
    const resource = readResource(q);
    return resource.family === 'asn' ? null : (await delegatedZones(read, [resource])).map(({ zone }) => zone);
  } catch {
    return null;
  }
}

/** Lists name servers that don't answer for delegated zones, for registry staff, with the account and the next step of the policy for each. */
export async function listLameServers({
  read,
  query: { q, step: wanted, offset, limit },
  registry: { profile, now },
}: Act<typeof lameServers.listLameServers>): Promise<AnswerOf<typeof lameServers.listLameServers>> {
  const zones = q === '' ? null : await searchedZones(read, q);
  const words = `%${q.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const found = q === '' ? sql`true` : zones ? sql`zone = any(${zones}::text[])` : sql`(zone like ${words} or server like ${words})`;
  const counted = await read.rows<{ step: LameStep; count: number }>(
    sql`select ${step} as step, count(*)::int as count from rdns_lame_server where ${found} group by 1`,
  );
  const counts = Object.fromEntries(lameSteps.map(each => [each, counted.find(row => row.step === each)?.count ?? 0])) as Record<
    LameStep,
    number
  >;
  const rows = await read.rows<Row>(sql`select l.*, z.problem, o.text, count(*) over (partition by l.zone)::int as all from (
      select *, ${step} as step from rdns_lame_server where ${found}) l
    left join rdns_zone z on z.zone = l.zone left join whois_object o on o.class = 'domain' and o.key = l.zone
    where ${wanted === undefined ? sql`true` : sql`l.step = ${wanted}`} order by l.since, l.zone, l.server offset ${offset} limit ${limit}`);
  const { lameDetectDays, lameNotifyDays, lameRemindDays, lameDisables } = profile;
  const holders = new Map<string, string | null>();
  for (const zone of new Set(rows.map(row => row.zone))) holders.set(zone, await holderOfZone(read, zone));
  return {
    total: wanted === undefined ? Object.values(counts).reduce((sum, each) => sum + each, 0) : counts[wanted],
    rows: rows.map(row => ({
      zone: row.zone,
      prefix: prefixOf(row.zone),
      server: row.server,
      accountName: holders.get(row.zone) ?? null,
      step: row.step,
      since: utcDay(row.since),
      failedOn: utcDay(row.failedAt),
      notifiedOn: row.notifiedAt && utcDay(row.notifiedAt),
      disabledOn: row.disabledAt && utcDay(row.disabledAt),
      nextOn: nextOf(row),
      left: Math.max(0, new Set(row.text === null ? [] : delegationIn(row.text).servers.map(each => each.split(' ')[0])).size - row.all),
      problem: row.problem,
    })),
    counts,
    policy: { detectDays: lameDetectDays, notifyDays: lameNotifyDays, remindDays: lameRemindDays, disables: lameDisables },
    waits: await seemsCutOff(read, now),
  };

  function nextOf(row: Row): string | null {
    const { step: at, disabledAt, remindedAt } = row;
    if (at === 'seen') return lameDays(row, profile, now).notifyOn;
    if (at === 'notified') return lameDays(row, profile, now).removeOn;
    return at === 'disabled' ? daysAfter(utcDay(remindedAt ?? disabledAt!), lameRemindDays) : null;
  }
}

function prefixOf(zone: string): string | null {
  let prefix: Prefix;
  try {
    prefix = parseReverseZone(zone);
  } catch {
    return null;
  }
  return printPrefix(prefix);
}
