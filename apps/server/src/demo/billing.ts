import { type BillingStep, billingSteps } from '@portal/contract/billing/billing';
import { dayIn, daysAfter } from '@portal/contract/days';
import { beginBilling, recordPastRenewal, type PastRenewal } from '../modules/billing/index.ts';
import type { FileStore } from '../modules/documents/index.ts';
import type { ActivityInfo, Database } from '../platform/database/index.ts';
import type { Profile } from '../profile.ts';

const offsets: Record<BillingStep, number> = {
  reminder: -30,
  holdings: 0,
  invoice: 1,
  suspension: 30,
  'second-reminder': 45,
  'closing-warning': 50,
  closing: 60,
};

/** The steps of a term up to one of them, each on its day. */
function stepsUntil(last: BillingStep, termEnd: string): PastRenewal['steps'] {
  const all = Object.keys(billingSteps) as BillingStep[];
  return Object.fromEntries(all.slice(0, all.indexOf(last) + 1).map(step => [step, daysAfter(termEnd, offsets[step])]));
}

const activity = (action: string, summary: string, accountName?: string): ActivityInfo => ({
  action: `demo.${action}`,
  summary,
  traceId: '0'.repeat(32),
  accountName,
});

/**
 * Renewals of the demo registry, so that billing is begun with a history: EXAMPLE-AU paid its last one, KELP-WS is late and was given more time, LATE-FJ is
 * suspended for one that it has not paid, and GONE-VU was closed for one. From then on the clock of memberships runs for all.
 */
export async function loadDemoBilling(
  db: Database,
  {
    profile,
    store,
    fonts,
    today,
    recordedBy,
  }: { profile: Profile; store: FileStore; fonts: readonly string[]; today: Date; recordedBy: string },
): Promise<void> {
  const ends = new Map(
    (await db.read.selectFrom('account').select(['accountName', 'expiryDate']).execute()).map(row => [row.accountName, row.expiryDate]),
  );
  const day = dayIn(profile.timeZone, today);
  const [gone, late, kelp] = [ends.get('GONE-VU')!, ends.get('LATE-FJ')!, daysAfter(day, -40)];
  const lastYear = daysAfter(ends.get('EXAMPLE-AU')!, -365);
  await db.change(activity('lateAccount', 'Set the end of the term', 'KELP-WS'), change =>
    change.updateTable('account').set({ expiryDate: kelp }).where('accountName', '=', 'KELP-WS').execute(),
  );
  // In the order of their days, as their numbers are.
  const renewals: PastRenewal[] = [
    { accountName: 'GONE-VU', termEnd: gone, steps: stepsUntil('closing', gone) },
    {
      accountName: 'EXAMPLE-AU',
      termEnd: lastYear,
      steps: stepsUntil('invoice', lastYear),
      paid: { on: daysAfter(lastYear, 12), reference: 'BANK-2025-0118', recordedBy },
    },
    { accountName: 'KELP-WS', termEnd: kelp, steps: stepsUntil('invoice', kelp), extendedUntil: daysAfter(day, 20) },
    { accountName: 'LATE-FJ', termEnd: late, steps: stepsUntil('suspension', late) },
  ];
  for (const renewal of renewals)
    await recordPastRenewal(db, renewal, {
      profile,
      store,
      fonts,
      activity: activity('renewal', 'Imported an invoice', renewal.accountName),
    });
  await db.change(activity('beginBilling', 'Began to bill memberships'), change => beginBilling(change, kelp));
}
