import { life } from '../life.ts';

/** States of an invoice as the books keep them. Members read `invoiceStates`, which follow from these and the day. */
export const storedInvoiceStates = ['issued', 'partly-paid', 'paid', 'cancelled', 'written-off'] as const;

/** States in which something is left to pay of an invoice. */
export const payableStates = ['issued', 'partly-paid'] as const;

/** Whether nothing is due of an invoice, and it wasn't paid: neither counts as income. As the books keep it, or as members read it. */
export const isDropped = (state: string): boolean => state === 'cancelled' || state === 'written-off';

/** The life of an invoice. An invoice is never edited: only what was paid, credited or written off changes. */
export const invoiceLife = life(
  { title: 'Invoices', table: 'invoice', column: 'state', states: storedInvoiceStates },
  {
    pay: {
      from: payableStates,
      to: ['partly-paid', 'paid'],
      who: 'member',
      does: 'pays, all or a part of it',
      by: [
        'billing.bankStatements.recordBankLine',
        'billing.checkouts.receivePayment',
        'billing.reversals.reversePayment',
        'billing.issueInvoice',
        'billing.issueSignUp',
        'billing.issueTransferFee',
        'billing.reactivations.issueReactivationFee',
      ],
    },
    reverse: {
      from: ['partly-paid', 'paid'],
      stays: ['issued', 'cancelled'],
      to: ['issued', 'partly-paid'],
      who: 'staff',
      does: 'reverse a payment of it; what had become credit of the account is taken back',
      by: ['billing.bankStatements.undoBankLine'],
    },
    credit: {
      from: ['issued', 'partly-paid', 'paid'],
      to: ['issued', 'partly-paid', 'paid', 'cancelled'],
      who: 'staff',
      does: 'credit a part of it, or all',
    },
    writeOff: { from: payableStates, to: ['written-off'], who: 'staff', does: 'write off what is left' },
    cancel: { from: payableStates, to: ['cancelled'], who: 'staff', does: 'cancel one for which nothing was paid' },
    endFee: {
      from: ['issued', 'partly-paid', 'paid'],
      to: ['cancelled'],
      who: 'registry',
      does: 'cancels the fee of a case that ended',
      by: [
        'requests.withdrawRequest',
        'requests.desk.refuseRequest',
        'requests.expireRequest',
        'requests.endRequest',
        'billing.reactivations.endReactivation',
        'billing.reactivations.expireReactivation',
      ],
    },
  },
);

/** States of a payment at the provider’s own page. */
export const checkoutStates = ['starting', 'open', 'paid', 'expired', 'failed'] as const;

/** The life of a payment at the provider’s own page. One that expired or failed here may be paid there all the same. */
export const checkoutLife = life(
  { title: 'Online payments', table: 'checkout', column: 'state', states: checkoutStates },
  {
    open: { from: ['starting'], to: ['open'], who: 'registry', does: 'opens it at the provider', by: ['billing.checkouts.openCheckout'] },
    pay: {
      from: ['starting', 'open', 'expired', 'failed'],
      to: ['paid'],
      who: 'provider',
      does: 'reports the money',
      by: ['billing.checkouts.receivePayment'],
    },
    expire: {
      from: ['starting', 'open'],
      to: ['expired'],
      who: 'provider',
      does: 'reports that its time is over; the registry ends it when another amount is due, or nothing',
      by: ['billing.checkouts.endCheckout', 'billing.checkouts.startCheckout', 'billing.jointBilling.startJointCheckout'],
    },
    fail: {
      from: ['starting', 'open'],
      to: ['failed'],
      who: 'provider',
      does: 'reports that the money didn’t come',
      by: ['billing.checkouts.endCheckout'],
    },
  },
);

/** States of an incoming transfer of a bank statement. */
export const bankLineStateNames = ['open', 'recorded', 'set-aside'] as const;

/** The life of an incoming transfer. One that was matched with the wrong invoice is matched again: its payments are reversed, never edited. */
export const bankLineLife = life(
  { title: 'Bank transfers', table: 'bank_line', column: 'state', states: bankLineStateNames },
  {
    record: { from: ['open'], to: ['recorded'], who: 'staff', does: 'record it for the invoices that it pays' },
    setAside: { from: ['open'], to: ['set-aside'], who: 'staff', does: 'set it aside, with the reason' },
    undo: { from: ['recorded'], to: ['open'], who: 'staff', does: 'undo the match: its payments are reversed' },
    reopen: { from: ['set-aside'], to: ['open'], who: 'staff', does: 'match it after all' },
  },
);
