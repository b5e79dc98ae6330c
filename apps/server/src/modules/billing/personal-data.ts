import { ofAccount, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const billingPersonal: PersonalTables = {
  advanceInvoice: { acts: { requestedBy: 'login' } },
  bankLine: {
    absent: 'The account a transfer came from; it names no login',
    acts: { resolvedBy: 'login' },
    others: { payer: 'The account a transfer came from; it names no login' },
  },
  bankStatement: { acts: { importedBy: 'login' } },
  billingHold: { acts: { releasedBy: 'login' } },
  checkout: { acts: { startedBy: 'login' } },
  closedMonth: { acts: { closedBy: 'login', confirmedBy: 'login' } },
  creditNote: { acts: { issuedBy: 'login' } },
  eInvoice: { absent: 'Of an account or organisation, whose contacts see it', others: { electronicAddress: ofAccount } },
  feeDraft: { acts: { preparedBy: 'login' } },
  holiday: { acts: { addedBy: 'login' } },
  invoice: { absent: 'Of an account or organisation, whose contacts see it', others: { billingAddress: ofAccount } },
  jointPayment: { acts: { requestedBy: 'login' } },
  limitInForce: { others: { person: 'How often one person may do it, a number' } },
  limitedAct: { acts: { madeBy: 'login', secondPerson: 'login' } },
  payment: { acts: { recordedBy: 'login' } },
  paymentReversal: { acts: { reversedBy: 'login' } },
  providerReport: { acts: { resolvedBy: 'login' } },
  reactivation: { acts: { begunBy: 'login', endedBy: 'login' }, others: { payBy: 'A day' } },
  refund: { acts: { recordedBy: 'login' } },
  renewalAgain: { acts: { requestedBy: 'login' } },
  renewalQuote: { acts: { requestedBy: 'login' } },
};
