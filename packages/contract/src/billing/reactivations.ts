import * as z from 'zod/mini';
import { endpoint, group, member, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { AccountBilling, StaffAccountBilling } from './billing.ts';

/** An amount as `getBilling` answers it. */
const shownAmount = z.string().check(z.regex(/^\d{1,12}\.\d{2}$/));
const reason = severalLines(500, 1);

export const reactivations = group('billing.reactivations', {
  reactivateAccount: endpoint({
    method: 'POST',
    path: '/api/:account/billing/reactivation',
    summary:
      'Reactivate the closed account, which was closed for an unpaid invoice: the fee of its reactivation is invoiced, and it opens when everything is paid.',
    access: member('member-billing-update', { closed: true }),
    effect: 'money',
    limit: { none: 'it charges a fee, and opens only for a term that was paid' },
    /** The price that the caller has read. */
    body: z.object({ fee: shownAmount, owed: shownAmount }),
    answer: AccountBilling,
    errors: ['REACTIVATION_REFUSED', 'STALE'],
    activity: 'Started a reactivation',
  }),
  startReactivation: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/reactivation',
    summary: 'Reactivate a closed account, within months of its closing: its fee is invoiced, and it opens when everything is paid.',
    access: staff('memberships'),
    effect: 'holding',
    limit: 'given',
    body: z.object({
      reason,
      /** No fee; unpaid invoices remain to be paid. */
      waiveFee: z.optional(z.boolean()),
    }),
    answer: StaffAccountBilling,
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'REACTIVATION_REFUSED'],
    secondPersonWhen: 'waiving a fee that is more than one person may give',
    activity: 'Started a reactivation',
  }),
  endReactivation: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/reactivation/end',
    summary:
      'End a reactivation, or keep contacts from starting one: the account stays closed, what was paid for a fee becomes credit, and only registry staff start the next.',
    access: staff('memberships'),
    effect: 'holding',
    body: z.object({ reason }),
    answer: StaffAccountBilling,
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'REACTIVATION_REFUSED'],
    activity: 'Ended a reactivation',
  }),
});
