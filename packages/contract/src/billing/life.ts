import { life } from '../life.ts';

/** States of an invoice as the books keep them. Members read `invoiceStates`, which follow from these and the day. */
export const storedInvoiceStates = ['issued', 'partly-paid', 'paid', 'cancelled', 'written-off'] as const;

/** The life of an invoice. An invoice is never edited: only what was paid, credited or written off changes. */
export const invoiceLife = life(
  { title: 'Invoices', table: 'invoice', column: 'state', states: storedInvoiceStates },
  {
    pay: { from: ['issued', 'partly-paid'], to: ['partly-paid', 'paid'], who: 'member', does: 'pays, all or a part of it' },
    credit: {
      from: ['issued', 'partly-paid', 'paid'],
      to: ['issued', 'partly-paid', 'paid', 'cancelled'],
      who: 'staff',
      does: 'credit a part of it, or all',
    },
    writeOff: { from: ['issued', 'partly-paid'], to: ['written-off'], who: 'staff', does: 'write off what is left' },
    cancel: { from: ['issued', 'partly-paid', 'paid'], to: ['cancelled'], who: 'registry', does: 'cancels the fee of a case that ended' },
  },
);
