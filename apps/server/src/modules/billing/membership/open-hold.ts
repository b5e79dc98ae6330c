import type { BillingStep } from '@portal/contract/billing/billing';
import type { HoldReason } from '@portal/contract/billing/memberships';
import type { JsonValue, Read } from '../../../platform/database/index.ts';

/** A hold on suspensions and closures that is open. */
export type Hold = { billingHoldId: number; since: string; reason: HoldReason; lastRun: string | null };

/** Returns whether a step waits while a hold is open: reminders, counts and invoices don't end a membership. */
export const isHeld = (step: BillingStep): boolean => step === 'suspension' || step === 'closing';

export const openHold = (read: Read): Promise<Hold | undefined> =>
  read
    .selectFrom('billingHold')
    .select(['billingHoldId', 'since', 'reason', 'lastRun'])
    .where('releasedAt', 'is', null)
    .executeTakeFirst() as Promise<Hold | undefined>;

/** Returns the day of the last run from its note; null if the clock never ran. */
export const lastRunOf = (noted: JsonValue | null): string | null =>
  noted !== null && typeof noted === 'object' && 'ran' in noted && typeof noted.ran === 'string' ? noted.ran : null;
