import { dayIn, daysAfter, monthsAfter } from '@portal/contract/days';
import type { DemoRegistry } from '../../platform/demo.ts';
import { countFigures, type Figures } from './figures.ts';

/** Whole months before today for which the demo registry has figures. */
const MONTHS = 36;

/** Part of today’s members and coverage that there was so many months ago. */
const partOf = (value: string | number, monthsAgo: number): bigint => (BigInt(value) * BigInt(1000 - 12 * monthsAgo)) / 1000n;

/** Figures as they may have been so many months ago: numbers given since were free, and fewer members had IPv6 and ROAs. */
function earlier(figures: Figures, monthsAgo: number, day: string): Figures {
  const month = day.slice(0, 7);
  return {
    ...figures,
    pools: figures.pools.map(pool => {
      const since = (BigInt(pool.given) * BigInt(monthsAgo)) / 12n;
      const given = since < BigInt(pool.delegated) ? since : BigInt(pool.delegated);
      return { ...pool, available: String(BigInt(pool.available) + given), delegated: String(BigInt(pool.delegated) - given) };
    }),
    months: figures.months.filter(each => each.month <= month),
    members: {
      ...figures.members,
      holdIpv6: Number(partOf(figures.members.holdIpv6, monthsAgo)),
      withRoa: Number(partOf(figures.members.withRoa, monthsAgo)),
    },
    coverage: figures.coverage.map(each => ({ ...each, covered: String(partOf(each.covered, monthsAgo)) })),
  };
}

/** The last day of each month of three years, so that pictures have a past. */
export async function addDemoLife({ db, profile, today, change: changeDemo }: DemoRegistry): Promise<void> {
  const day = dayIn(profile.timeZone, today);
  const figures = await countFigures(db.read, { day, profile });
  await changeDemo({ action: 'demo.figures', summary: 'Wrote the figures of past months' }, async change => {
    for (let monthsAgo = MONTHS; monthsAgo > 0; monthsAgo--) {
      const last = daysAfter(`${monthsAfter(`${day.slice(0, 7)}-01`, 1 - monthsAgo).slice(0, 7)}-01`, -1);
      const past = earlier(figures, monthsAgo, last);
      if (past.months.length === 0) continue;
      await change
        .insertInto('registryFigures')
        .values({ day: last, figures: JSON.stringify(past), madeAt: change.now })
        .execute();
    }
  });
}
