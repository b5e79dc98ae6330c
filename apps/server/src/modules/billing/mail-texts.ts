import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const billingTexts = mailTexts('billing', {
  sentRemittanceAdvice: {
    topic: 'billing.reminders',
    subject: '{accountName} sent a remittance advice for {invoice}',
    body: ['{howMany} among the documents of {accountName}, with the reference {invoice}. {amountDue} is due.'],
    says: { howMany: 'A file is' },
  },
  noFeesAnnounced: {
    topic: 'billing.reminders',
    subject: 'No fees are announced from {from} on',
    body: ['{termsOfThat}', 'Prepare the fees on the desk’s page Fees. A second person approves them.'],
    says: {
      termsOfThat:
        'Terms of membership that begin on 2027-01-01 or later have no announced fees. They are not billed until there are some.',
    },
  },
  documentSent: {
    topic: 'billing.invoices',
    subject: '{accountName}: {words} {invoice} from {actor}',
    body: ['{actor} sent you the {words} {invoice} of {accountName}.', '{note}'],
    says: { note: 'Note: Thank you for the documents.' },
    samples: { words: 'invoice' },
  },
  creditRefunded: {
    topic: 'billing.invoices',
    subject: '{accountName}: {refunded} is refunded',
    body: ['We paid back {refunded} of account credit by bank transfer on {refundedOn}, reference {reference}.', 'Reason: {reason}'],
  },
  invoiceCancelled: {
    topic: 'billing.invoices',
    subject: '{accountName}: {invoice} is cancelled',
    body: ['We cancelled {invoice} with credit note {invoice2}, {credits}. You don’t need to pay it.', '{thatYouPaid}', 'Reason: {reason}'],
    says: { thatYouPaid: 'AUD 60.00 that you paid is now account credit for your next invoice.' },
  },
  invoiceCredited: {
    topic: 'billing.invoices',
    subject: '{accountName}: {credits} of {invoice} is credited',
    body: ['Credit note {invoice2} takes {credits} off {invoice}. {outcome}', '{thatYouPaid}', 'Reason: {reason}'],
    says: { outcome: 'The invoice is paid.', thatYouPaid: 'AUD 60.00 that you paid is now account credit for your next invoice.' },
  },
  moreTimeToPay: {
    topic: 'billing.invoices',
    subject: '{accountName}: more time to pay {invoice}',
    body: [
      'We extended the time to pay {invoice}. Until {until}, the account is {outcome}. The due date doesn’t change.',
      'Reason: {reason}',
    ],
    says: { outcome: 'not closed for it, but stays suspended until it’s paid' },
  },
  newInvoice: {
    topic: 'billing.invoices',
    subject: '{accountName}: invoice {invoice}, {total}',
    body: [
      '{purpose}',
      '{ofAccountCredit}',
      'It’s due on {dueOn}. The invoice is attached, and under Billing in the portal.',
      '{paymentInstructions}',
      'Please pay the full amount. The payer covers bank charges and withheld taxes.',
    ],
    says: { ofAccountCredit: 'AUD 60.00 of account credit was used. AUD 1,120.00 is due.' },
  },
  cancelledInvoicePaid: {
    topic: 'billing.invoices',
    subject: '{accountName}: {rest} for {invoice}, which is cancelled, is account credit',
    body: [
      '{outcome} {amount} was paid for {invoice} on {receivedOn}.',
      '{invoice} was cancelled, so nothing is due for it. {rest} is account credit for your next invoice.',
      '{youOverpaidIts}',
    ],
    says: {
      outcome: 'From the credit of the account',
      youOverpaidIts: 'You overpaid AUD 60.00. It’s account credit for your next invoice.',
    },
  },
  invoicePaid: {
    topic: 'billing.invoices',
    subject: '{accountName}: {invoice} is paid',
    body: ['{outcome} {amount} was paid for {invoice} on {receivedOn}.', '{theInvoiceIs}', '{youOverpaidIts}'],
    says: {
      outcome: 'From the credit of the account',
      theInvoiceIs: 'The invoice is paid. The transfer completes within minutes.',
      youOverpaidIts: 'You overpaid AUD 60.00. It’s account credit for your next invoice.',
    },
  },
  invoicePartlyPaid: {
    topic: 'billing.invoices',
    subject: '{accountName}: {left} of {invoice} still due',
    body: [
      '{outcome} {amount} was paid for {invoice} on {receivedOn}.',
      '{left} is still due. The full amount must arrive: the payer covers bank charges and withheld taxes.',
      '{youOverpaidIts}',
    ],
    says: {
      outcome: 'From the credit of the account',
      youOverpaidIts: 'You overpaid AUD 60.00. It’s account credit for your next invoice.',
    },
  },
  providerReportOfPayment: {
    topic: 'billing.reminders',
    subject: '{report}: {sum} of {invoice}',
    body: ['The card provider reports: {report}, {sum}, payment {payment}.', '{nothingWasDue}'],
    says: {
      nothingWasDue:
        'Nothing was due of INV-2026-000042 of EXAMPLE-AU any more, so it is credit of the account. Refund it, unless the account wants to keep it as credit.',
    },
  },
  providerReport: {
    topic: 'billing.reminders',
    subject: '{report}: {sum}',
    body: ['The card provider reports: {report}, {sum}, payment {payment}.', '{nothingWasDue}'],
    says: {
      nothingWasDue:
        'Nothing was due of INV-2026-000042 of EXAMPLE-AU any more, so it is credit of the account. Refund it, unless the account wants to keep it as credit.',
    },
  },
  membershipEnds: {
    topic: 'billing.renewal',
    subject: 'The membership of {accountName} ends on {endsOn}',
    body: [
      'The membership of {orgName} ends on {endsOn}. We send the renewal invoice {invoiceSentOn}.',
      'The fee depends on the number resources held on {endsOn}. Resources returned before then lower it.',
    ],
  },
  accountSuspended: {
    topic: 'billing.reminders',
    subject: '{accountName} is suspended: {invoice} is unpaid',
    body: [
      'The membership of {orgName} ended on {endsOn}. {owed} of {invoice} is unpaid and was due on {dueOn}.',
      'The account is suspended and can’t receive number resources. Contacts, details and invoices stay available. It closes on {closesOn} unless the invoice is paid.',
      '{howToPay}',
    ],
  },
  secondReminderUnpaid: {
    topic: 'billing.reminders',
    subject: 'Second reminder: {invoice} of {accountName} is unpaid',
    body: [
      '{owed} of {invoice} is unpaid. On {closesOn} the account of {orgName} closes and its right to use its number resources ends.',
      '{howToPay}',
    ],
  },
  accountCloses: {
    topic: 'billing.reminders',
    subject: '{accountName} closes on {closesOn}',
    body: [
      'The account of {orgName} is about to close: {owed} of {invoice} is unpaid. On {closesOn} its membership ends, its right to use its number resources is revoked and it can no longer be opened.',
      '{howToPay}',
    ],
  },
  accountClosed: {
    topic: 'billing.reminders',
    subject: '{accountName} is closed',
    body: [
      'The account of {orgName} was closed because {owed} of {invoice} wasn’t paid. Its membership and its right to use number resources have ended. The resources must no longer be announced.',
      '{writeToAbout}',
    ],
    says: { writeToAbout: 'Write to billing@registry.example about what is owed.' },
  },
  heldActs: {
    topic: 'billing.reminders',
    subject: '{howMany} for you',
    body: [
      '{holdReason}. {howMany2} due and will not happen until registry staff have read the plan and released them.',
      'Reminders and invoices go on.',
    ],
    says: { howMany: '1 suspension or closure waits', howMany2: 'One suspension or closure is' },
  },
  moreTimeAfterHold: {
    topic: 'billing.invoices',
    subject: '{accountName}: more time to pay {invoice}',
    body: [
      'The registry could not remind you in time. The time to pay {invoice} is extended until {until}; the account is not suspended or closed for it before that day. The due date doesn’t change.',
    ],
  },
  canOpenedAgain: {
    topic: 'billing.reminders',
    subject: '{accountName} can be opened again',
    body: [
      'The closed account of {orgName} opens again when everything it owes is paid by {payBy}.',
      '{theReactivationFee}',
      '{unpaidInvoices}',
      '{paymentInstructions}',
    ],
    says: {
      theReactivationFee: 'The reactivation fee is 500.00 before tax. Its invoice follows in an e-mail.',
      unpaidInvoices: 'Unpaid invoices: AUD 1,180.00.',
    },
  },
  staysClosed: {
    topic: 'billing.reminders',
    subject: '{accountName} stays closed',
    body: ['The reactivation of the account of {orgName} was not paid by {payBy} and has ended.'],
  },
  openAgain: {
    topic: 'billing.reminders',
    subject: '{accountName} is open again',
    body: [
      'Everything is paid, and the account of {orgName} is open again.',
      'Its membership runs until {lastDay}. Check its number resources, and its ROAs: those that were there when it closed are published again.',
    ],
  },
  paymentReversed: {
    topic: 'billing.invoices',
    subject: '{accountName}: a payment for {invoice} was reversed',
    body: ['{words}'],
    samples: { words: 'The payment of AUD 1,180.00 for INV-2026-000042 was taken back by the bank.' },
  },
});
