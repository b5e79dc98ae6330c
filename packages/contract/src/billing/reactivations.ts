import * as z from 'zod/mini';
import { endpoint, group, member, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { AccountBilling, StaffAccountBilling } from './billing.ts';

const reason = severalLines(500, 1);

export const reactivations = group('billing.reactivations', {
  reactivateAccount: endpoint({
    method: 'POST',
    path: '/api/:account/billing/reactivation',
    summary:
      'Reactivate the closed account, which was closed for an unpaid invoice: the fee of its reactivation is invoiced, its unpaid invoices can be paid again, and it opens when everything is paid.',
    access: member('member-billing-update', { closed: true }),
    effect: 'money',
    limit: { none: 'it charges a fee, and gives nothing' },
    answer: AccountBilling,
    errors: ['REACTIVATION_REFUSED'],
    activity: 'Started a reactivation',
  }),
  startReactivation: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/reactivation',
    summary:
      'Reactivate a closed account, within months of its closing: its fee is invoiced, its unpaid invoices can be paid again, and it opens when everything is paid.',
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
    secondPersonWhen: 'a fee is waived that is more than one person may give',
    activity: 'Started a reactivation',
  }),
  endReactivation: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/reactivation/end',
    summary: 'End a reactivation before everything is paid: the account stays closed, and what was paid for the fee becomes credit.',
    access: staff('memberships'),
    effect: 'holding',
    body: z.object({ reason }),
    answer: StaffAccountBilling,
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'REACTIVATION_REFUSED'],
    activity: 'Ended a reactivation',
  }),
});
