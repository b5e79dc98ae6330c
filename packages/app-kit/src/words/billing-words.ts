import { type Invoice, invoiceStates } from '@portal/contract/billing/billing';
import type { State } from '@portal/ui';

/** An amount as people read it: `AUD 12 070.08`, with gaps that do not break. */
export const money = (currency: string, amount: string): string => `${currency}\u00a0${amount.replace(/\B(?=(\d{3})+\.)/g, '\u00a0')}`;

const marks: Record<Invoice['state'], State> = {
  unpaid: 'pending',
  'partly-paid': 'pending',
  overdue: 'invalid',
  paid: 'valid',
  cancelled: 'closed',
};

/** Returns the state of an invoice; an overdue one says since when. */
export function invoiceMark({ state, overdueDays }: Pick<Invoice, 'state' | 'overdueDays'>): { state: State; words: string } {
  const words = invoiceStates[state];
  return { state: marks[state], words: state === 'overdue' ? `${words} (${overdueDays === 1 ? '1 day' : `${overdueDays} days`})` : words };
}

/** Days of invoices are those of the registry, whatever the person's time zone. */
export const invoiceDay = { timeZone: 'UTC', hourCycle: 'h23' } as const;
