import type { billing } from '@portal/contract/billing/billing';
import type { renewals } from '@portal/contract/billing/renewals';
import type { memberships } from '@portal/contract/billing/memberships';
import { text, word, list, date, type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const billingWords = {
  activities: {
    billing: {
      category: 'billing',
      actions: {
        updateBillingDetails: 'Change billing details',
        openInvoice: 'Open an invoice',
        openStaffInvoice: 'Open an invoice',
        recordPayment: 'Record a payment',
        extendInvoice: 'Extend the due date of an invoice',
        cancelInvoice: 'Cancel an invoice',
        remindOfRenewal: 'Send a reminder that the term ends',
        countHoldings: 'Count the number resources for the next invoice',
        issueInvoice: 'Issue an invoice',
        suspendAccount: 'Suspend the account: renewal unpaid',
        remindAgain: 'Send a second reminder of an invoice',
        warnOfClosing: 'Warn that the account closes',
        closeAccount: 'Close the account: renewal unpaid',
      },
    },
    'billing.renewals': {
      category: 'billing',
      actions: { askForQuote: 'Ask for a renewal quote', askForInvoice: 'Ask for an invoice in advance' },
    },
    'billing.memberships': {
      category: 'billing',
      actions: { hold: 'Hold suspensions and closures', releaseHold: 'Release suspensions and closures' },
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
        state: word('State'),
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
        'sha256',
      ],
    },
    payment: {
      what: 'Payment',
      key: ['payment_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['reference'],
      columns: { method: word('Method'), amount: text('Amount'), received_on: date('Received'), reference: text('Reference') },
      unsaid: ['payment_id', 'account_name', 'invoice_id', 'recorded_by', 'recorded_at'],
    },
    account_credit: {
      what: 'Credit',
      key: ['account_credit_id'],
      owner: 'account_name',
      needs: 'member-billing-view',
      name: ['amount'],
      columns: { amount: text('Amount') },
      unsaid: ['account_credit_id', 'account_name', 'payment_id', 'at'],
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
    ldc_economy: 'the registry’s',
    billing_start: 'the registry’s',
    billing_hold: 'the registry’s',
    invoice_line: 'of one invoice, which is shown; the paper says each line',
  },
} satisfies ModuleWords<{ billing: typeof billing; 'billing.memberships': typeof memberships; 'billing.renewals': typeof renewals }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    billing: typeof billingWords;
  }
}
