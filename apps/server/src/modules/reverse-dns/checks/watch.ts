import { DAY_MS, HOUR_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { futureFrom } from '../../../platform/clock-watch.ts';
import { ownActivity } from '../../../platform/database/index.ts';
import type { ModuleContext } from '../../../platform/module.ts';
import { addCheck } from './runs.ts';

/** Maximum time between two checks of a delegated zone. */
const EVERY_DAYS = 3;
/** Maximum number of zones per run: 144 runs a day make more than 10,000. */
const MAX = 80;

/**
 * Starts due checks of delegated zones: never checked ones and those with the oldest check first, a few per run, to spread the work over the day.
 * Zones with signatures that end soon are checked every day. Checks of the future were made with a clock that was wrong (decision 248), and count for nothing.
 */
export async function watchZones({ db, clock, config }: Pick<ModuleContext, 'db' | 'clock' | 'config'>): Promise<void> {
  // The name servers of the demo registry don't exist.
  if (!config.dnsWatch || config.demoMode) return;
  const now = clock();
  const future = sql`${futureFrom(now)}::timestamptz`;
  const rows = await db.read.rows<{ key: string }>(sql`select o.key from whois_object o left join rdns_zone z on z.zone = o.key
    where o.class = 'domain' and o.first is not null
      and (z.zone is null or z.checked_at < ${instantBefore(now, EVERY_DAYS * DAY_MS)}::timestamptz or z.checked_at > ${future} or (z.dnssec in ('ends-soon', 'broken') and z.checked_at < ${instantBefore(now, DAY_MS)}::timestamptz))
      and not exists (select from rdns_check c where c.zone = o.key and c.login_id is null and c.asked_at > ${instantBefore(now, 6 * HOUR_MS)}::timestamptz and c.asked_at <= ${future})
    order by z.checked_at nulls first limit ${MAX}`);
  if (rows.length === 0) return;
  await db.change(ownActivity('reverseDns.watchZones', 'Checked delegated zones'), async change => {
    for (const { key } of rows) await addCheck(change, { zone: key, servers: [], ds: [], loginId: null });
    await change.note({ zones: rows.length });
  });
}
