import type { AnswerOf } from '@portal/contract';
import type { ZoneReport, zoneReports } from '@portal/contract/reverse-dns/zone-reports';
import { containsRange, parseReverseZone, type Prefix, printReverseZone } from '@portal/number-resources';
import { utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { lameDays, type LameRow } from './checks/lame-steps.ts';
import { lastRunOf } from './checks/runs.ts';
import { delegatedZones } from './domain-objects.ts';
import { heldPrefixes, rowsOf } from './zones.ts';

type Published = { parent: string; serial: string; publishedAt: string };
type LeftOut = { whole: boolean; reasons: string[]; since: string };

/**
 * One zone of an account's space, delegated or not: the report of its last check, and the days on which the registry acts on servers that don't answer.
 * @throws Failure NOT_FOUND for a name that isn't a zone in the account's space
 */
export async function getZone({
  read,
  account: { accountName },
  params: { zone: text },
  registry: { profile, now },
}: Act<typeof zoneReports.getZone>): Promise<AnswerOf<typeof zoneReports.getZone>> {
  const prefix = zonePrefix(text);
  const held = await heldPrefixes(read, accountName);
  const around = prefix && held.find(block => block.family === prefix.family && containsRange(block, prefix));
  if (!prefix || !around) throw refuse('NOT_FOUND', { what: `A reverse zone ${text} in the space of ${accountName}` });
  const name = printReverseZone(prefix);
  const delegated = await delegatedZones(read, [prefix]);
  const own = delegated.find(({ zone }) => zone === name);
  const [rows, run, lame, published, leftOut] = await Promise.all([
    rowsOf(read, [prefix], delegated),
    own ? lastRunOf(read, own) : null,
    read.rows<LameRow & { server: string }>(
      sql`select server, since, notified_at, disabled_at from rdns_lame_server where zone = ${name} and answered_at is null order by server`,
    ),
    read.rows<Published>(sql`select parent, serial::text, published_at from rdns_published where zone = ${name}`),
    read.rows<LeftOut>(sql`select whole, reasons, since from rdns_left_out where zone = ${name} and source is null`),
  ]);
  const row = rows.flatMap(each => each.rows).find(({ zone }) => zone === name);
  if (!row) throw refuse('NOT_FOUND', { what: `A reverse zone ${text} in the space of ${accountName}` });
  return {
    zone: row,
    run,
    lame: own ? lame.map(each => lameServer(each, { profile, now })) : [],
    parent: published[0] ? { zone: published[0].parent, serial: Number(published[0].serial), publishedAt: published[0].publishedAt } : null,
    leftOut: leftOut[0] ?? null,
    contacts: own?.contacts ?? null,
  };
}

function lameServer(
  row: LameRow & { server: string },
  { profile, now }: { profile: Parameters<typeof lameDays>[1]; now: Date },
): ZoneReport['lame'][number] {
  return {
    server: row.server,
    since: utcDay(row.since),
    ...lameDays(row, profile, now),
    notifiedOn: row.notifiedAt && utcDay(row.notifiedAt),
    removedOn: row.disabledAt && utcDay(row.disabledAt),
  };
}

/** The prefix of a zone that the registry could delegate; null for any other name. */
function zonePrefix(text: string): Prefix | null {
  try {
    const prefix = parseReverseZone(text);
    return prefix.length === 0 || (prefix.family === 'ipv4' && prefix.length > 24) ? null : prefix;
  } catch {
    return null;
  }
}
