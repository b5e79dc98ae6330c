import { type Invoice, invoiceStates } from '@portal/contract/billing/billing';
import { formatMoney, type State } from '@portal/ui';

export { formatMoney as money };

const marks: Record<Invoice['state'], State> = {
  unpaid: 'pending',
  'partly-paid': 'pending',
  overdue: 'invalid',
  paid: 'valid',
  cancelled: 'closed',
  'written-off': 'closed',
};

/** Returns whether an invoice can still be paid. */
export const isOpenInvoice = ({ state }: Pick<Invoice, 'state'>): boolean =>
  state !== 'paid' && state !== 'cancelled' && state !== 'written-off';

/** Returns the state of an invoice; an overdue one says since when. */
export function invoiceMark({ state, overdueDays }: Pick<Invoice, 'state' | 'overdueDays'>): { state: State; words: string } {
  const words = invoiceStates[state];
  return { state: marks[state], words: state === 'overdue' ? `${words} (${overdueDays === 1 ? '1 day' : `${overdueDays} days`})` : words };
}

/** Days of invoices are those of the registry, whatever the person's time zone. */
export const invoiceDay = { timeZone: 'UTC', hourCycle: 'h23' } as const;
