import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { endOfCheckout } from '../payments/ended-checkouts.ts';

type Due = { number: string; day: string };

/**
 * Returns which of these invoices a person may be paying at the card provider, with the instant until which they can: their account is neither suspended nor closed until the provider
 * has ended it. Online payments that are begun later than a day after the first one since the step was due don't count, so that it waits for two days at most.
 * @param due invoices, each with the day on which the step is due
 */
export async function openCheckouts(
  read: Pick<Read, 'rows'>,
  due: readonly Due[],
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<ReadonlyMap<string, string>> {
  if (due.length === 0) return new Map();
  const rows = await read.rows<{ number: string; until: string }>(sql`
    with due as (select i.invoice_id, d.number, d.day::date as day from unnest(${due.map(({ number }) => number)}::text[], ${due.map(({ day }) => day)}::text[]) d (number, day)
        join invoice i using (number)),
      of_due as (select due.number, due.day, c.state, c.started_at, ${endOfCheckout} as ends from due join checkout c on c.invoice_id = due.invoice_id
        union all select due.number, due.day, c.state, c.started_at, ${endOfCheckout} from due join checkout_part p on p.invoice_id = due.invoice_id join checkout c using (checkout_id))
    select o.number, max(o.ends)::text as until from of_due o
      left join lateral (select min(f.started_at) as at from of_due f where f.number = o.number and f.day = o.day and (f.started_at at time zone ${timeZone})::date >= f.day) first on true
    where o.state in ('starting', 'open') and o.ends > ${now.toISOString()} and (first.at is null or o.started_at <= first.at + interval '1 day')
    group by o.number`);
  return new Map(rows.map(({ number, until }) => [number, new Date(until).toISOString()]));
}
