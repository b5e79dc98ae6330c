import { daysAfter, dayIn, HOUR_MS, instantBefore } from '@portal/contract/days';
import type { PolicyValueName } from '@portal/contract/policy/policy-values';
import { leafOf, type PolicyLeaf } from '../../dated-profile.ts';
import type { DemoRegistry } from '../../platform/demo.ts';
import { beginningOfDay } from './changes.ts';

type Made = {
  validFrom: string;
  values: readonly { name: PolicyValueName; before: PolicyLeaf; value: PolicyLeaf }[];
  reason: string;
  decision: string;
  /** Who proposed and who confirmed it; null: it is only prepared. */
  confirmed: readonly [first: string, second: string] | null;
};

async function make(
  { change, loginOf, profile, today }: DemoRegistry,
  { validFrom, values, reason, decision, confirmed }: Made,
): Promise<void> {
  const beginsAt = beginningOfDay(validFrom, profile);
  const preparedAt = confirmed ? instantBefore(beginsAt, 40 * 24 * HOUR_MS) : today.toISOString();
  await change({ action: 'demo.changePolicy', summary: 'Changed the policy', happenedAt: preparedAt }, async made => {
    const { policyChangeId } = await made
      .insertInto('policyChange')
      .values({ validFrom, beginsAt, reason, decision, preparedBy: loginOf(confirmed?.[0] ?? 'stella').loginId, preparedAt })
      .returning('policyChangeId')
      .executeTakeFirstOrThrow();
    await made
      .insertInto('policyValue')
      .values(
        values.map(({ name, before, value }) => ({
          policyChangeId,
          name,
          before: JSON.stringify(before),
          value: JSON.stringify(value),
          validFrom,
        })),
      )
      .execute();
    if (!confirmed) return;
    await made
      .updateTable('policyChange')
      .set({
        proposedBy: loginOf(confirmed[0]).loginId,
        confirmedBy: loginOf(confirmed[1]).loginId,
        confirmedAt: instantBefore(beginsAt, 35 * 24 * HOUR_MS),
        remindedAt: instantBefore(beginsAt, 7 * 24 * HOUR_MS),
      })
      .where('policyChangeId', '=', policyChangeId)
      .execute();
    await made.updateTable('policyValue').set({ isConfirmed: true }).where('policyChangeId', '=', policyChangeId).execute();
  });
}

/** Some changes of earlier years, after which the values are what the profile says, and one that is prepared. */
export async function addDemoLife(registry: DemoRegistry): Promise<void> {
  const { profile, today } = registry;
  const year = Number(dayIn(profile.timeZone, today).slice(0, 4));
  const [hours, reminder, share] = [
    'requestPolicy.promiseHours',
    'billingCalendar.reminderDays',
    'requestPolicy.transferFeeShare',
  ] as const;
  const [promise, days, part] = [leafOf(profile, hours), leafOf(profile, reminder), leafOf(profile, share)];
  await make(registry, {
    validFrom: `${year - 3}-07-01`,
    values: [
      { name: hours, before: promise, value: 40 },
      { name: reminder, before: days, value: 60 },
    ],
    reason: 'More requests than people: answers took a week.',
    decision: `EC-${year - 3}-03, item 2`,
    confirmed: ['stella', 'stan'],
  });
  await make(registry, {
    validFrom: `${year - 2}-07-01`,
    values: [
      { name: hours, before: 40, value: 24 },
      { name: share, before: part, value: '0.15' },
    ],
    reason: 'Two more hostmasters answer, and transfers cost less work.',
    decision: `EC-${year - 2}-04, item 1`,
    confirmed: ['dora', 'ravi'],
  });
  await make(registry, {
    validFrom: `${year - 1}-01-01`,
    values: [
      { name: hours, before: 24, value: promise },
      { name: reminder, before: 60, value: days },
      { name: share, before: '0.15', value: part },
    ],
    reason: 'The council asks for answers within two working days; transfers cost more work than in the year before.',
    decision: `EC-${year - 2}-11, item 7`,
    confirmed: ['stan', 'stella'],
  });
  await make(registry, {
    validFrom: daysAfter(dayIn(profile.timeZone, today), 60),
    values: [
      { name: reminder, before: days, value: 45 },
      { name: share, before: part, value: '0.25' },
    ],
    reason: 'Members asked for an earlier reminder; the share of the transfer fee follows the cost study.',
    decision: `EC-${year}-09, item 5`,
    confirmed: null,
  });
}
