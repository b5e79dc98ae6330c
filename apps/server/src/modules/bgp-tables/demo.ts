import { instantBefore, DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import type { RegionStage } from '../../platform/demo.ts';
import { importBgpTable, storeBgpTable } from './bgp-import.ts';

/** Of so many routes one is announced by another AS than its object says. */
const FOREIGN = 40;

/** Announcements: those of the region's table, or most of its routes, a few of them by others. */
const announcements: RegionStage = {
  name: 'announcements',
  title: 'Announcements',
  work: async ({ db, plan, announcements: file, random }, onProgress) => {
    if (file !== null) {
      const { tables } = await importBgpTable(db, { from: file, leastPeers: 1, shrinks: true, onProgress });
      return tables.reduce((sum, table) => sum + table.announcements, 0);
    }
    const routes = await db.read.rows<{
      prefix: string;
      asn: number;
    }>(sql`select split_part(shown, 'AS', 1) as prefix, coalesce(origin, 0) as asn from whois_object
      where class in ('route', 'route6') order by first, prefix_length, origin`);
    const next = random('announcements');
    const announced = routes
      .filter(() => next(10) > 0)
      .map(({ prefix, asn }, place, all) => ({
        prefix,
        asn: next(FOREIGN) === 0 ? all[next(all.length)]!.asn : asn,
        peers: 200 + next(130),
      }));
    const once = [...new Map(announced.map(each => [`${each.prefix} ${each.asn}`, each])).values()];
    await db.change({ action: 'routes.importTable', summary: 'Imported a BGP table', traceId: '0'.repeat(32) }, async change => {
      for (const family of [4, 6] as const)
        await storeBgpTable(change, {
          family,
          fileName: 'region',
          collectedAt: instantBefore(new Date(`${plan.today}T00:00:00Z`), DAY_MS / 6),
          announced: once.filter(({ prefix }) => prefix.includes(':') === (family === 6)),
          shrinks: true,
        });
    });
    return once.length;
  },
};

export const regionStages: readonly RegionStage[] = [announcements];
