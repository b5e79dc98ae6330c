import type { BillingStep } from '@portal/contract/billing/billing';
import type { Change } from '../../../platform/database/index.ts';
import type { BillingCalendar, Profile } from '../../../profile.ts';
import { lockAccount } from '../../accounts/index.ts';
import type { FileStore } from '../../documents/index.ts';
import { nextStep, type Term, termOf } from './term.ts';

export type ScheduleContext = { now: Date; profile: Profile; store: FileStore; fonts: readonly string[] };

/** Another process took the step, or a payment arrived meanwhile: the change is rolled back. */
export class StaleStep extends Error {}

export type Step = { term: Term; step: BillingStep; day: string };

/** Locks the account, and checks that this is still the next step. @throws StaleStep */
export async function lockTerm(
  change: Change,
  { term, step, day }: Step,
  calendar: BillingCalendar,
): Promise<{ orgName: string; accountStatus: string; term: Term }> {
  const { orgName, accountStatus } = await lockAccount(change, term.accountName);
  const now = await termOf(change, calendar, term.accountName);
  const next = now && nextStep(now, calendar);
  if (!now || !next || now.termEnd !== term.termEnd || next.step !== step || next.day !== day) throw new StaleStep();
  return { orgName, accountStatus, term: now };
}

type Counted = { ipv4: string; ipv6: string; asns: number };

type RecordedStep = { term: Pick<Term, 'accountName' | 'termEnd'>; step: BillingStep; day: string };
/** Records that a step was done. */
export async function recordStep(
  change: Change,
  { term: { accountName, termEnd }, step, day }: RecordedStep,
  counted?: Counted,
): Promise<void> {
  await change
    .insertInto('billingStep')
    .values({ accountName, termEnd, step, day, doneAt: change.now, ...counted })
    .execute();
}
