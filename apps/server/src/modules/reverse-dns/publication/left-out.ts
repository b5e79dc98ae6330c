import type { AnswerOf } from '@portal/contract';
import type { LeftOutZone, reverseDnsLeftOut } from '@portal/contract/reverse-dns/left-out';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../../platform/database/index.ts';
import { eachAlone } from '../../../platform/each-alone.ts';
import { holderOfZone, notifyZoneContacts } from '../checks/zone-notices.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { reverseDnsTexts } from '../mail-texts.ts';

/** A record that is left out of a parent zone: of a delegation, or of the records of another registry. */
export type LeftOut = { zone: string; source: string | null; version: number; reasons: readonly string[]; whole: boolean };

/**
 * Records what a publication leaves out of a parent zone. @param looked delegations printed by this publication, published completely unless in
 * `found`; null for the whole zone
 */
export async function noteLeftOut(
  change: Change,
  parent: string,
  found: readonly LeftOut[],
  looked: readonly string[] | null,
): Promise<void> {
  const zones = found.map(({ zone }) => zone);
  await change.rows(sql`delete from rdns_left_out where parent = ${parent} and zone <> all(${zones}::text[])
    and (${looked === null} or source is not null or zone = any(${looked ?? []}::text[]))`);
  for (const { zone, source, version, reasons, whole } of found)
    await change.rows(sql`insert into rdns_left_out as l (zone, parent, source, version, reasons, whole, since)
      values (${zone}, ${parent}, ${source}, ${version}, ${reasons}::text[], ${whole}, ${change.now}::timestamptz)
      on conflict (zone) do update set parent = excluded.parent, source = excluded.source, version = excluded.version, reasons = excluded.reasons,
        whole = excluded.whole, since = case when l.reasons = excluded.reasons then l.since else excluded.since end,
        notified_at = case when l.reasons = excluded.reasons then l.notified_at end`);
}

/** Lists what is left out of the reverse zones, for registry staff. */
export async function listLeftOut({
  read,
  query: { offset, limit },
}: Act<typeof reverseDnsLeftOut.listLeftOut>): Promise<AnswerOf<typeof reverseDnsLeftOut.listLeftOut>> {
  const rows = await read.rows<
    Omit<LeftOutZone, 'accountName'> & { total: number }
  >(sql`select zone, parent, source, whole, reasons, since, notified_at,
    (count(*) over ())::int as total from rdns_left_out order by since, zone offset ${offset} limit ${limit}`);
  const holders = new Map<string, string | null>();
  for (const { zone } of rows) holders.set(zone, await holderOfZone(read, zone));
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ total: _total, ...row }) => ({ ...row, accountName: holders.get(row.zone) ?? null })),
  };
}

/** Maximum number of zones per run: a registry that imports old objects may have thousands. */
const AT_ONCE = 200;

/** Notifies the contacts of delegations left out of their zone, completely or partly, once for the same reasons. */
export async function notifyOfLeftOut({ db }: { db: Database }): Promise<void> {
  const due = await db.read.rows<{ zone: string }>(
    sql`select zone from rdns_left_out where notified_at is null and source is null order by since, zone limit ${AT_ONCE}`,
  );
  await eachAlone(
    due,
    ({ zone }) => zone,
    async ({ zone }) => {
      const holder = await holderOfZone(db.read, zone);
      await db.change(
        ownActivity('reverseDns.notifyOfLeftOut', 'Notified contacts of what a reverse zone leaves out', holder ?? undefined),
        async change => {
          const [row] = await change.rows<{
            reasons: string[];
            whole: boolean;
          }>(sql`update rdns_left_out set notified_at = ${change.now}::timestamptz
        where zone = ${zone} and notified_at is null returning reasons, whole`);
          if (!row) return;
          await change.note({ zone, reasons: row.reasons });
          await notifyZoneContacts(
            change,
            zone,
            holder,
            row.whole
              ? reverseDnsTexts.written('notPublished', { zone, details: row.reasons.join('\n\n') })
              : reverseDnsTexts.written('onlyPartlyPublished', { zone, details: row.reasons.join('\n\n') }),
          );
        },
      );
    },
  );
}
