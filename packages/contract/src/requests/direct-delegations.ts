import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { delegatingKinds } from './request-form.ts';
import { WhoisNames } from './requests.ts';

/** Grounds of numbers that the registry delegates without a request. Events aren’t among them: they have an end, which the account asks for. */
export const directPaths = ['lir', 'multihoming', 'ixp', 'critical', 'end-site'] as const;
export type DirectPath = (typeof directPaths)[number];

const name = (most: number) => z._default(z.string().check(z.trim(), z.maxLength(most)), '');

export const directDelegations = group('requests.directDelegations', {
  getDirectDefaults: endpoint({
    method: 'GET',
    path: '/api/staff/accounts/:accountName/direct-delegations',
    summary: 'How numbers of an account appear in whois unless staff choose otherwise, with its contacts and maintainers to choose from.',
    access: staff('ledger'),
    answer: z.object({ whois: WhoisNames }),
    errors: ['NOT_FOUND'],
  }),
  openDirectDelegation: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/direct-delegations',
    summary:
      'Open a direct delegation: numbers that an account gets without having asked for them, with the reason. They are held for it, and its contacts read of it and can decline. Two people of the registry approve it as its case shows it.',
    access: staff('ledger'),
    effect: 'holding',
    body: z.object({
      kind: z.enum(delegatingKinds, { error: 'Choose IPv4, IPv6 or an AS number' }),
      /** Free numbers of the kind, such as 198.51.100.0/24 or AS64496. Empty: the pool chooses. */
      resource: name(100),
      /** Prefix length, where the pool chooses addresses. */
      length: z._default(z.int({ error: 'Enter a prefix length, such as 24' }).check(z.minimum(0), z.maximum(128)), 0),
      /** Use of the addresses; empty for an AS number. */
      path: z.enum(['', ...directPaths], { error: 'Choose what the addresses are for' }),
      /** How it appears in whois. Empty: as the account has it. */
      netname: name(80),
      adminContact: name(30),
      techContact: name(30),
      maintainer: name(80),
      abuseMailbox: name(254),
      reason: severalLines(2000, 1),
    }),
    answer: z.object({ requestId: z.string(), reference: z.string(), resource: z.string() }),
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'ACCOUNT_CLOSED', 'POOL_EXHAUSTED', 'REQUEST_NOT_ALLOWED'],
    activity: 'Opened a direct delegation',
  }),
});
