import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';

/** Grounds on which the registry takes numbers back, in words that a member reads. */
export const recoveryGrounds = {
  unpaid: 'Fees are unpaid',
  breach: 'A policy was breached',
  fraud: 'They were obtained by fraud',
  unreachable: 'No contact can be reached',
  mistake: 'They were delegated by mistake',
} as const;
export const recoveryGroundNames = ['unpaid', 'breach', 'fraud', 'unreachable', 'mistake'] as const;
export type RecoveryGround = (typeof recoveryGroundNames)[number];

/** A recovery as its case shows it. */
export const Recovery = z.object({
  ground: z.enum(recoveryGroundNames),
  /** The first day on which it can be carried out. Until then the member can object. */
  noticeUntil: z.iso.date(),
});
export type Recovery = z.infer<typeof Recovery>;

export const recoveries = group('requests.recoveries', {
  listRecoverable: endpoint({
    method: 'GET',
    path: '/api/staff/accounts/:accountName/recoverable',
    summary: 'What an account holds and the registry could take back, with the days of notice of each ground.',
    access: staff('ledger'),
    answer: z.object({
      resources: z.array(z.string()),
      noticeDays: z.object({ unpaid: z.int(), breach: z.int(), fraud: z.int(), unreachable: z.int(), mistake: z.int() }),
    }),
    errors: ['NOT_FOUND'],
  }),
  openRecovery: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/recoveries',
    summary:
      'Give notice that the registry takes numbers back from an account, whole delegations or parts of them. They are locked, and its corporate contacts read why, from when on, and how to object. After that day two people of the registry carry it out, by the plan that its case shows.',
    access: staff('ledger'),
    effect: 'holding',
    body: z.object({
      resources: z
        .array(z.string().check(z.trim(), z.maxLength(100)))
        .check(z.minLength(1, { error: 'Enter at least one resource' }), z.maxLength(100)),
      ground: z.enum(recoveryGroundNames, { error: 'Choose a ground' }),
      reason: severalLines(2000, 1),
    }),
    answer: z.object({ requestId: z.string(), reference: z.string(), noticeUntil: z.iso.date() }),
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'NOT_HOLDER', 'RESOURCE_LOCKED', 'REQUEST_NOT_ALLOWED'],
    activity: 'Gave notice of the recovery of resources',
  }),
});
