import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { certificateLife, certificateStates } from './life.ts';

/** A certificate of attendance that names an account, as its contacts decide on it. */
export const AccountCertificate = z.object({
  code: z.string(),
  event: z.string(),
  title: z.string(),
  fullName: z.string(),
  email: z.string(),
  state: z.enum(certificateStates),
  requestedAt: z.iso.datetime(),
});
export type AccountCertificate = z.infer<typeof AccountCertificate>;

/** Certificates of attendance in the name of an account. */
export const eventCertificates = group('events.certificates', {
  listAccountCertificates: endpoint({
    method: 'GET',
    path: '/api/:account/event-certificates',
    summary: 'Certificates of attendance in the name of the account: those to decide on first, then the newest.',
    access: member('certificates-approve'),
    answer: z.object({ rows: z.array(AccountCertificate) }),
  }),
  decideCertificate: endpoint({
    method: 'POST',
    path: '/api/:account/event-certificates/:code/decision',
    summary: 'Approve or reject a certificate of attendance in the name of the account.',
    access: member('certificates-approve'),
    effect: 'statements',
    moves: certificateLife.decide,
    body: z.object({ approve: z.boolean(), reason: z._default(severalLines(500), '') }),
    answer: AccountCertificate,
    errors: ['NOT_FOUND', 'CERTIFICATE_DECIDED'],
    activity: 'Decided on a certificate of attendance',
  }),
});
