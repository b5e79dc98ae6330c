import { type RawBuilder, sql } from 'kysely';
import { type Database, ownActivity } from '../../../platform/database/index.ts';
import { eachAlone } from '../../../platform/each-alone.ts';
import type { checkoutProvider } from '../checkout-provider.ts';
import { isPayable } from '../payable.ts';

type Provider = NonNullable<ReturnType<(typeof checkoutProvider)['open']>>;
type Ended = { checkoutId: string; accountName: string | null; number: string; providerId: string | null; isOpen: boolean };

/** SQL: the instant after which the provider takes no money for the checkout `c`: as it says, or a day after it was begun, which is the longest there. */
export const endOfCheckout = sql<string>`coalesce(c.expires_at, c.started_at + interval '1 day')`;

/** SQL: another amount than that of the checkout `c` is due, or nothing. */
const isStale: RawBuilder<boolean> = sql<boolean>`exists (
  select from (select c.invoice_id, c.amount where c.invoice_id is not null union all select p.invoice_id, p.amount from checkout_part p where p.checkout_id = c.checkout_id) due
    join invoice i using (invoice_id) where not (${isPayable}) or i.total - i.paid - i.credited - i.written_off <> due.amount)`;

/**
 * Ends online payments of which another amount is due by now, or nothing: here first, so that no one is shown the page any more, and then at the provider, where someone may be on it.
 * One whose provider doesn't answer is tried again. Money that comes all the same is recorded, and is a task of the desk.
 */
export async function endCheckouts(db: Database, { now, provider }: { now: Date; provider: Provider | null }): Promise<void> {
  const ended = await db.read.rows<Ended>(sql`
    select c.checkout_id::text, c.account_name, coalesce(i.number, j.number, '') as number, c.provider_id, c.state <> 'expired' as is_open
    from checkout c left join invoice i using (invoice_id) left join joint_payment j using (joint_payment_id)
    where c.provider_ended_at is null and c.started_at > ${now.toISOString()}::timestamptz - interval '2 days' and ${endOfCheckout} > ${now.toISOString()}
      and (c.state in ('starting', 'open') and ${isStale} or c.state = 'expired' and c.provider_id is not null) order by c.checkout_id`);
  await eachAlone(
    ended,
    ({ checkoutId, number }) => `the online payment ${checkoutId} of ${number}`,
    async ({ checkoutId, accountName, number, providerId, isOpen }) => {
      const activity = ownActivity('billing.checkouts.endCheckout', 'Ended an online payment', accountName);
      if (isOpen)
        await db.change(activity, async change => {
          const [row] = await change.rows(sql`update checkout c set state = 'expired', ended_at = ${change.now}
            where c.checkout_id::text = ${checkoutId} and c.state in ('starting', 'open') and ${isStale} returning 1 as ended`);
          if (row) await change.note({ [number.startsWith('PAY') ? 'payment' : 'invoice']: number });
        });
      if (providerId === null || provider === null) return;
      const [row] = await db.read.rows<{ state: string }>(sql`select state from checkout where checkout_id::text = ${checkoutId}`);
      if (row?.state !== 'expired') return;
      const how = await provider.expire(providerId);
      await db.change(activity, async change => {
        await change.rows(
          sql`update checkout set provider_ended_at = ${change.now} where checkout_id::text = ${checkoutId} and provider_ended_at is null`,
        );
        await change.note({ [number.startsWith('PAY') ? 'payment' : 'invoice']: number, atProvider: how });
      });
    },
  );
}
