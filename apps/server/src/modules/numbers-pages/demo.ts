import { dayIn, daysAfter, monthsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { DemoRegistry } from '../../platform/demo.ts';
import { countByEconomy, countFigures, countsOf, countYears, type Figures, withGiven } from './figures.ts';

/** Whole months before today for which the demo registry has figures. */
const MONTHS = 36;

/** Part of today’s members and coverage that there was so many months ago. */
const partOf = (value: string | number, monthsAgo: number): bigint => (BigInt(value) * BigInt(1000 - 12 * monthsAgo)) / 1000n;

/** Numbers that the ledger gave out from its pools after a day, and in the 12 months until it. */
type GivenThen = { day: string; kind: string; since: string; given: string };

const givenUntil = (read: Pick<Read, 'rows'>, days: readonly string[]): Promise<GivenThen[]> =>
  read.rows<GivenThen>(sql`select d.day::text, k.kind, coalesce(sum(g.size) filter (where g.delegated_on > d.day), 0)::text as since,
      coalesce(sum(g.size) filter (where g.delegated_on <= d.day and g.delegated_on > (d.day - interval '1 year')::date), 0)::text as given
    from unnest(${days}::date[]) as d (day) cross join unnest(array['ipv4', 'ipv6', 'asn']) as k (kind)
      left join delegation g on g.kind = k.kind and g.registry = '' and g.source = 'delegated' group by d.day, k.kind`);

/** Figures as they may have been so many months ago: what the ledger gave since was free, and fewer members had IPv6 and ROAs. */
function earlier(
  figures: Figures,
  monthsAgo: number,
  { day, given, years, economies }: { day: string; given: readonly GivenThen[]; years: Figures['years']; economies: Figures['economies'] },
): Figures {
  const month = day.slice(0, 7);
  return {
    ...figures,
    years: years!,
    economies,
    pools: figures.pools.map(({ givenMost: _most, givenLeast: _least, ...pool }) => {
      const then = given.find(each => each.day === day && each.kind === pool.kind)!;
      const since = BigInt(then.since);
      return {
        ...pool,
        available: String(BigInt(pool.available) + since),
        delegated: String(BigInt(pool.delegated) - since),
        given: then.given,
      };
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
  const ends = Array.from({ length: MONTHS }, (_, place) => {
    const monthsAgo = MONTHS - place;
    return { monthsAgo, last: daysAfter(`${monthsAfter(`${day.slice(0, 7)}-01`, 1 - monthsAgo).slice(0, 7)}-01`, -1) };
  });
  const days = ends.map(({ last }) => last);
  const [given, years, byEconomy] = await Promise.all([
    givenUntil(db.read, days),
    countYears(db.read, { days, timeZone: profile.timeZone }),
    countByEconomy(db.read, { days, timeZone: profile.timeZone }),
  ]);
  await changeDemo({ action: 'demo.figures', summary: 'Wrote the figures of past months' }, async change => {
    for (const { monthsAgo, last } of ends) {
      const past = earlier(figures, monthsAgo, {
        day: last,
        given,
        years: countsOf(years.filter(each => each.day === last)),
        economies: withGiven(
          figures.economies,
          byEconomy.filter(each => each.day === last),
        ),
      });
      if (past.months.length === 0) continue;
      await change
        .insertInto('registryFigures')
        .values({ day: last, figures: JSON.stringify(past), madeAt: change.now })
        .execute();
    }
  });
}
