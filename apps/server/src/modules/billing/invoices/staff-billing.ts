import type { StaffAccountBilling } from '@portal/contract/billing/billing';
import type { Read } from '../../../platform/database/index.ts';
import type { Registry } from '../../../platform/registry.ts';
import { againOf } from '../membership/cancelled-renewal.ts';
import { nextStep, termOf } from '../membership/term.ts';
import { billingOf, forStaff } from './invoices.ts';

/** Returns the invoices and payments of any account, and the clock's next step. @throws Failure NOT_FOUND */
export async function getStaffBilling({
  read,
  params: { accountName },
  registry,
}: {
  read: Read;
  params: { accountName: string };
  registry: Pick<Registry, 'profile' | 'today' | 'modules'>;
}): Promise<StaffAccountBilling> {
  const { today, profile } = registry;
  const [{ rows, ...rest }, term] = await Promise.all([
    billingOf(read, accountName, registry),
    termOf(read, profile.billingCalendar, accountName),
  ]);
  return {
    ...rest,
    payOnline: null,
    invoices: rows.map(row => forStaff(row, today)),
    next: term ? nextStep(term, profile.billingCalendar) : null,
    again: await againOf(read, accountName, term),
  };
}
