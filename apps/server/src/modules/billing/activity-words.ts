import type { bankStatements } from '@portal/contract/billing/bank-statements';
import type { billing } from '@portal/contract/billing/billing';
import type { books } from '@portal/contract/billing/books';
import type { checkouts } from '@portal/contract/billing/checkouts';
import type { corrections } from '@portal/contract/billing/corrections';
import type { feeSchedules } from '@portal/contract/billing/fee-schedules';
import type { jointBilling } from '@portal/contract/billing/joint-billing';
import type { memberships } from '@portal/contract/billing/memberships';
import type { invoiceDocuments } from '@portal/contract/billing/invoice-documents';
import type { reactivations } from '@portal/contract/billing/reactivations';
import type { renewals } from '@portal/contract/billing/renewals';
import type { reversals } from '@portal/contract/billing/reversals';
import { date, list, type ModuleWords, text, time, word, stateWord } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const billingWords = {
  activities: {
    billing: {
      category: 'billing',
      actions: {
        updateBillingDetails: 'Change billing details',
        openInvoice: 'Open an invoice',
        openStaffInvoice: 'Open an invoice',
        openStaffEInvoice: 'Open an e-invoice',
        recordPayment: 'Record a payment',
        extendInvoice: 'Extend the due date of an invoice',
        cancelInvoice: 'Cancel an invoice',
        remindOfRenewal: 'Send a reminder that the term ends',
        countHoldings: 'Count the number resources for the next invoice',
        issueInvoice: 'Issue an invoice',
        issueTransferFee: 'Issue the invoice of a transfer fee',
        issueSignUp: 'Issue a sign-up invoice',
        suspendAccount: 'Suspend the account: renewal unpaid',
        remindAgain: 'Send a second reminder of an invoice',
        warnOfClosing: 'Warn that the account closes',
        closeAccount: 'Close the account: renewal unpaid',
      },
    },
    'billing.bankStatements': {
      category: 'billing',
      actions: {
        importBankStatement: 'Import a bank statement',
        recordBankLine: 'Record a payment from a bank statement',
        setAsideBankLine: 'Set a transfer aside',
        undoBankLine: 'Undo the match of a transfer',
        reopenBankLine: 'Put back a bank transfer that was set aside',
        sendRemittance: 'Send a remittance advice',
      },
    },
    'billing.books': { category: 'billing', actions: { closeMonths: 'Close months of the books' } },
    'billing.checkouts': {
      category: 'billing',
      actions: {
        startCheckout: 'Start an online payment',
        openCheckout: 'Open an online payment',
        receivePayment: 'Receive an online payment',
        endCheckout: 'End an online payment',
      },
    },
    'billing.corrections': {
      category: 'billing',
      actions: { issueCreditNote: 'Issue a credit note', writeOffInvoice: 'Write off an invoice', recordRefund: 'Record a refund' },
    },
    'billing.feeSchedules': {
      category: 'billing',
      actions: {
        prepareFees: 'Prepare fees',
        discardFees: 'Discard prepared fees',
        announceFees: 'Announce fees',
        withdrawFees: 'Withdraw fees',
        warnOfMissingFees: 'Warn that fees are missing',
      },
    },
    'billing.jointBilling': {
      category: 'billing',
      actions: {
        combineInvoices: 'Combine invoices into one payment',
        discardJointPayment: 'Discard a payment for several invoices',
        startJointCheckout: 'Start an online payment of several invoices',
      },
    },
    'billing.invoiceDocuments': {
      category: 'billing',
      actions: { sendDocument: 'Send an invoice, a credit note or a receipt to a colleague' },
    },
    'billing.reactivations': {
      category: 'billing',
      actions: {
        reactivateAccount: 'Start a reactivation',
        startReactivation: 'Start a reactivation',
        endReactivation: 'End a reactivation',
        issueReactivationFee: 'Issue the invoice of a reactivation',
        completeReactivation: 'Reactivate the account',
        expireReactivation: 'End a reactivation: unpaid',
      },
    },
    'billing.renewals': {
      category: 'billing',
      actions: {
        askForQuote: 'Ask for a renewal quote',
        askForInvoice: 'Ask for an invoice in advance',
        billAgain: 'Let a cancelled renewal be billed again',
      },
    },
    'billing.reversals': {
      category: 'billing',
      actions: {
        reversePayment: 'Reverse a payment',
        resolveProviderReport: 'Deal with a report of the card provider',
        receiveProviderReport: 'Receive a report of the card provider',
      },
    },
    'billing.memberships': {
      category: 'billing',
      actions: {
        hold: 'Hold suspensions and closures',
        releaseHold: 'Release suspensions and closures',
        addHolidays: 'Add holidays of the registry',
        removeHoliday: 'Remove a holiday of the registry',
      },
    },
  },
  rows: {
    invoice: {
      what: 'Invoice',
      key: ['invoice_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['number'],
      columns: {
        number: text('Number'),
        state: stateWord('State'),
        issued_on: date('Issued'),
        due_on: date('Due'),
        period_from: date('Membership from'),
        period_to: date('Membership to'),
        currency: text('Currency'),
        org_name: text('Bill to'),
        billing_address: list('Address'),
        attention: text('Attention'),
        tax_number: text('Registration or tax number'),
        po_number: text('Purchase order'),
        subtotal: text('Subtotal'),
        tax: text('Tax'),
        total: text('Total'),
        paid: text('Paid'),
        paid_on: date('Paid on'),
        extended_until: date('More time until'),
        cancel_reason: text('Cancelled because'),
        credited: text('Credited'),
        written_off: text('Written off'),
        written_off_on: date('Written off on'),
        write_off_reason: text('Written off because'),
      },
      unsaid: [
        'invoice_id',
        'year',
        'sequence',
        'account_name',
        'kind',
        'economy',
        'fee_schedule_id',
        'ipv4',
        'ipv6',
        'asns',
        'tax_rate',
        'cancelled_at',
        'cancelled_without_note',
        'sha256',
        'write_off_act_id',
      ],
    },
    payment: {
      what: 'Payment',
      key: ['payment_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['reference'],
      columns: { method: word('Method'), amount: text('Amount'), received_on: date('Received'), reference: text('Reference') },
      unsaid: ['payment_id', 'account_name', 'invoice_id', 'recorded_by', 'recorded_at', 'bank_line_id', 'limited_act_id', 'repeats'],
    },
    account_credit: {
      what: 'Credit',
      key: ['account_credit_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['amount'],
      columns: { amount: text('Amount') },
      unsaid: [
        'account_credit_id',
        'account_name',
        'payment_id',
        'credit_note_id',
        'refund_id',
        'cancelled_invoice_id',
        'payment_reversal_id',
        'at',
      ],
    },
    checkout: {
      what: 'Online payment',
      key: ['checkout_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['provider'],
      columns: {
        amount: text('Amount'),
        state: stateWord('State'),
        provider: text('Provider'),
        started_at: time('Started'),
        ended_at: time('Ended'),
      },
      unsaid: [
        'checkout_id',
        'account_name',
        'invoice_id',
        'currency',
        'provider_id',
        'page',
        'started_by',
        'joint_payment_id',
        'expires_at',
        'provider_ended_at',
      ],
    },
    credit_note: {
      what: 'Credit note',
      key: ['credit_note_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['number'],
      columns: {
        number: text('Number'),
        issued_on: date('Issued'),
        subtotal: text('Subtotal'),
        tax: text('Tax'),
        total: text('Total'),
        reason: text('Reason'),
      },
      unsaid: ['credit_note_id', 'year', 'sequence', 'account_name', 'invoice_id', 'issued_by', 'issued_at', 'limited_act_id'],
    },
    refund: {
      what: 'Refund',
      key: ['refund_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['reference'],
      columns: { amount: text('Amount'), refunded_on: date('Refunded'), reference: text('Reference'), reason: text('Reason') },
      unsaid: ['refund_id', 'account_name', 'currency', 'recorded_by', 'recorded_at', 'limited_act_id'],
    },
    payment_reversal: {
      what: 'Reversal of a payment',
      key: ['payment_reversal_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['number'],
      columns: { number: text('Number'), reversed_on: date('Reversed'), amount: text('Amount'), reason: text('Reason') },
      unsaid: [
        'payment_reversal_id',
        'year',
        'sequence',
        'account_name',
        'payment_id',
        'kind',
        'from_credit',
        'moved_to',
        'reversed_by',
        'reversed_at',
        'limited_act_id',
      ],
    },
    renewal_quote: {
      what: 'Renewal quote',
      key: ['renewal_quote_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['number'],
      columns: { number: text('Number'), issued_on: date('Issued'), term_end: date('Valid until') },
      unsaid: ['renewal_quote_id', 'year', 'sequence', 'account_name', 'content', 'requested_by'],
    },
    advance_invoice: {
      what: 'Invoice in advance',
      key: ['account_name', 'term_end'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['term_end'],
      columns: { term_end: date('Term ends'), requested_on: date('Asked on') },
      unsaid: ['account_name', 'requested_by'],
    },
    renewal_again: {
      what: 'Renewal billed again',
      key: ['renewal_again_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['term_end'],
      columns: { term_end: date('Term ends'), requested_on: date('Asked on'), reason: text('Reason') },
      unsaid: ['renewal_again_id', 'account_name', 'requested_by', 'invoice_id'],
    },
    reactivation: {
      what: 'Reactivation',
      key: ['reactivation_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['begun_on'],
      columns: {
        begun_on: date('Started'),
        pay_by: date('To be paid by'),
        reason: text('Reason'),
        completed_at: time('Reactivated'),
        ended_at: time('Ended'),
        end_reason: text('Ended because'),
      },
      unsaid: ['reactivation_id', 'account_name', 'fee_waived', 'begun_by', 'by_member', 'ended_by'],
    },
    transfer_fee: {
      what: 'One-time fee',
      key: ['transfer_fee_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['reference'],
      columns: { reference: text('Request'), amount: text('Amount'), cancelled_at: time('Cancelled') },
      unsaid: ['transfer_fee_id', 'account_name', 'kind', 'description', 'days', 'charged_at', 'invoice_id'],
    },
    billing_step: {
      what: 'Step of the membership',
      key: ['account_name', 'term_end', 'step'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['step'],
      columns: {
        term_end: date('Term ends'),
        step: word('Step'),
        day: date('Day'),
        ipv4: text('IPv4 addresses'),
        ipv6: text('IPv6 /56 networks'),
        asns: text('AS numbers'),
      },
      unsaid: ['account_name', 'done_at'],
    },
  },
  unshown: {
    fee_schedule: 'the registry’s',
    fee_draft: 'the registry’s',
    billing_start: 'the registry’s',
    billing_hold: 'the registry’s',
    holiday: 'the registry’s',
    provider_report: 'the registry’s: a task of its desk',
    closed_month: 'the registry’s',
    limit_in_force: 'the registry’s',
    limited_act: 'the registry’s; the documents that it counts are shown',
    bank_statement: 'the registry’s',
    bank_line: 'the registry’s',
    joint_payment: 'of a person, for several accounts that need not learn of each other',
    joint_payment_invoice: 'the same',
    checkout_part: 'the same; each account sees its payment',
    invoice_line: 'of one invoice, which is shown; the document says each line',
    e_invoice: 'of one document, which is shown',
  },
} satisfies ModuleWords<{
  billing: typeof billing;
  'billing.bankStatements': typeof bankStatements;
  'billing.books': typeof books;
  'billing.checkouts': typeof checkouts;
  'billing.corrections': typeof corrections;
  'billing.feeSchedules': typeof feeSchedules;
  'billing.jointBilling': typeof jointBilling;
  'billing.memberships': typeof memberships;
  'billing.invoiceDocuments': typeof invoiceDocuments;
  'billing.reactivations': typeof reactivations;
  'billing.renewals': typeof renewals;
  'billing.reversals': typeof reversals;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    billing: typeof billingWords;
  }
}
