import type { AnswerOf } from '@portal/contract';
import { api } from '@portal/contract/api';
import type { billing } from '@portal/contract/billing/billing';
import { dayIn } from '@portal/contract/days';
import { runBillingSchedule } from '../src/modules/billing/renewals/clock.ts';
import { beginBilling } from '../src/modules/billing/membership/beginning.ts';
import { openFileStore } from '../src/modules/documents/index.ts';
import { readProfile } from '../src/profile.ts';
import { type Kind, testPortal } from './portal.ts';

/** The day it is where the example registry is. */
export const today = dayIn(readProfile('').timeZone, new Date());
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

export type Terms = Record<string, string | null>;

/** A registry that bills the terms of these accounts, which end on these days; all others have none. */
export async function billingPortal(kind: Kind | undefined, ends: Terms, environment: Record<string, string> = {}) {
  const portal = await testPortal(kind, environment);
  const store = openFileStore(portal.config.filesDir);
  const { profile } = portal.context;
  await portal.db.change(line, async change => {
    await change.updateTable('account').set({ expiryDate: null }).execute();
    for (const [accountName, expiryDate] of Object.entries(ends))
      await change.updateTable('account').set({ expiryDate, accountStatus: 'open' }).where('accountName', '=', accountName).execute();
    await beginBilling(change, '2000-01-01');
  });
  /** Runs the membership clock at an instant. */
  const at = (instant: string): Promise<void> => runBillingSchedule(portal.db, { now: new Date(instant), profile, store, fonts: [] });
  /** Runs the membership clock on a day, at noon in UTC, which is the evening of the same day at the registry. */
  const on = (day: string): Promise<void> => at(`${day}T12:00:00Z`);
  const accountStateOf = async (accountName: string) => {
    const { accountStatus, expiryDate } = await portal.db.read
      .selectFrom('account')
      .select(['accountStatus', 'expiryDate'])
      .where('accountName', '=', accountName)
      .executeTakeFirstOrThrow();
    const steps = await portal.db.read
      .selectFrom('billingStep')
      .select(['step', 'day'])
      .where('accountName', '=', accountName)
      .orderBy('day')
      .execute();
    return { accountStatus, expiryDate, steps: steps.map(({ step, day }) => [step, day]) };
  };
  /** Returns the recipients and subjects of new mails. */
  let seen = 0;
  const newMails = async (): Promise<string[]> => {
    const mails = await portal.db.read
      .selectFrom('mail')
      .select(['mailId', 'recipient', 'subject'])
      .where('mailId', '>', seen)
      .orderBy('mailId')
      .execute();
    seen = mails.at(-1)?.mailId ?? seen;
    return mails.map(({ recipient, subject }) => `${recipient.split('@')[0]}: ${subject}`).sort();
  };
  const billingOf = async (accountName: string): Promise<AnswerOf<typeof billing.getStaffBilling>> =>
    (await (await portal.as('stella'))(api.billing.getStaffBilling, { accountName })).data!;
  return { ...portal, store, at, on, accountStateOf, newMails, billingOf };
}
export type BillingPortal = Awaited<ReturnType<typeof billingPortal>>;

/** `2026-11-21` as mails write it. */
export const inWords = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }).format(
    new Date(`${day}T00:00:00Z`),
  );
