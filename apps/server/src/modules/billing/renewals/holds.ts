import { type HoldReason, holdReasons, type MembershipPlan, type memberships } from '@portal/contract/billing/memberships';
import { dayIn, daysBetween } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { Profile } from '../../../profile.ts';
import { notifyPayersAndBillingAddress, notifyRegistryBilling } from '../billing-notices.ts';
import { noteCounted } from '../../../platform/limited.ts';
import type { Registry } from '../../../platform/registry.ts';
import { moreDays } from '../limits/more-days.ts';
import { countAct, type LimitedAct, wholeUnits } from '../limits/limited-acts.ts';
import { openHold } from '../membership/open-hold.ts';
import { countEndingsUntil, endingsUntil, getPlan } from './plan.ts';
import { billingTexts } from '../mail-texts.ts';

/**
 * Opens a hold before a run that would suspend or close accounts for the first time, after an outage longer than `billingOutageDays`, or more than
 * `mostEndingsPerDay` of them on one day: no one had a chance to pay in that time, or the data may be wrong. Staff get an e-mail. Once a hold is
 * released, no other is opened on the same day.
 */
export async function holdIfNeeded(
  db: Database,
  { now, profile, lastRun }: { now: Date; profile: Profile; lastRun: string | null },
): Promise<void> {
  const today = dayIn(profile.timeZone, now);
  const outage = lastRun !== null && daysBetween(lastRun, today) > profile.billingOutageDays;
  if (await openHold(db.read)) return;
  const due = await countEndingsUntil(db.read, today, profile.billingCalendar);
  if (due === 0) return;
  const reason: HoldReason | null = lastRun === null ? 'first-run' : outage ? 'outage' : due > profile.mostEndingsPerDay ? 'many' : null;
  if (reason === null) return;
  await db.change(ownActivity('billing.memberships.hold', 'Held suspensions and closures'), async change => {
    const opened = await change
      .insertInto('billingHold')
      .columns(['since', 'reason', 'lastRun', 'due', 'openedAt'])
      .expression(
        sql`select ${today}::date, ${reason}, ${lastRun}::date, ${due}::integer, ${change.now}::timestamptz
          where not exists (select from billing_hold where since = ${today}::date)`,
      )
      .onConflict(conflict => conflict.doNothing())
      .returning('billingHoldId')
      .executeTakeFirst();
    if (!opened) return;
    await change.note({ reason, due, lastRun });
    await notifyRegistryBilling(change, profile, {
      text: billingTexts.written('heldActs', {
        howMany: due === 1 ? '1 suspension or closure waits' : `${due} suspensions and closures wait`,
        holdReason: holdReasons[reason],
        howMany2: due === 1 ? 'One suspension or closure is' : `${due} suspensions and closures are`,
      }),
    });
  });
}

/**
 * Ends a hold: the next run of the clock takes the steps that waited. With `extendUntil`, every affected account has until that day to pay.
 * @throws Failure NOT_FOUND, HOLD_RELEASED, INVALID_REQUEST @throws SecondPersonNeeded
 */
export async function releaseHold({
  change,
  caller,
  params: { holdId },
  body: { extendUntil },
  hasSecondPerson,
  registry,
}: Act<typeof memberships.releaseHold>): Promise<MembershipPlan> {
  const { today } = registry;
  const [hold] = await change.rows<{ billingHoldId: number; who: string | null }>(sql`
    select h.billing_hold_id, l.full_name as who from billing_hold h left join login l on l.login_id = h.released_by
    where h.billing_hold_id::text = ${holdId} for update of h`);
  if (!hold) throw refuse('NOT_FOUND', { what: 'The hold' });
  if (hold.who !== null) throw refuse('HOLD_RELEASED', { who: hold.who });
  if (extendUntil !== undefined && extendUntil <= today) throw refuseField('extendUntil', `Choose a date after today, ${today}`);
  const endings = await endingsUntil(change, { until: today, today, now: registry.now, profile: registry.profile });
  const act = { caller, hasSecondPerson, registry };
  const extended = await extendEndings(change, endings, { until: extendUntil, act });
  const letThrough = extendUntil === undefined ? endings.length : endings.length - extended;
  await countAct(change, { ...act, limit: 'endings', accountName: null, amount: wholeUnits(letThrough) });
  await change
    .updateTable('billingHold')
    .set({ releasedAt: change.now, releasedBy: caller.loginId })
    .where('billingHoldId', '=', hold.billingHoldId)
    .execute();
  await change.note({ hold: holdId, ...(extendUntil && { extendUntil, extended }) });
  return getPlan({ read: change, registry });
}

/** Gives more time to every account with a suspension or closure that is due, until a day; none without one. Returns how many there are. */
async function extendEndings(
  change: Change,
  endings: MembershipPlan['endings'],
  { until, act }: { until: string | undefined; act: Pick<LimitedAct, 'caller' | 'hasSecondPerson'> & { registry: Registry } },
): Promise<number> {
  const extended = until === undefined ? [] : endings.flatMap(({ accountName, invoice }) => (invoice ? [{ accountName, invoice }] : []));
  noteCounted(change, 'time');
  const numbers = extended.map(({ invoice }) => invoice.number);
  // All before the first is counted: what waits for the limit holds nothing that the one before it needs.
  const known = await change.rows<{ number: string; extendedUntil: string | null }>(
    sql`select number, extended_until::text from invoice where number = any(${numbers}::text[]) order by number for update`,
  );
  const before = new Map(known.map(({ number, extendedUntil }) => [number, extendedUntil]));
  for (const { accountName, invoice } of extended) {
    const { number } = invoice;
    const days = moreDays({ today: act.registry.today, until: until!, extendedUntil: before.get(number) ?? null });
    if (days === 0) continue;
    await countAct(change, { ...act, limit: 'time', accountName, amount: wholeUnits(days) });
    await change.updateTable('invoice').set({ extendedUntil: until! }).where('number', '=', number).execute();
    await notifyPayersAndBillingAddress(change, {
      topic: 'billing.invoices',
      accountName,
      text: billingTexts.written('moreTimeAfterHold', { accountName, invoice: number, until: dayInFull(until!) }),
    });
  }
  return extended.length;
}
