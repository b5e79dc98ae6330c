import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { whoisClasses, WhoisOutcome } from './whois.ts';
import { rowVersion } from '../whole-numbers.ts';

/** Acts of the holder of numbers to an object over them that someone else maintains. */
export const reclaimActs = ['take-over', 'delete'] as const;

export const whoisReclaims = group('whois.reclaims', {
  reclaimObject: endpoint({
    method: 'POST',
    path: '/api/:account/whois/reclaims',
    summary:
      'Reclaim an object over numbers of the account that someone else maintains: put it into the account’s own hands, or delete it. Its maintainers are notified.',
    access: member('whois-principal-mntner-access', { mfa: true }),
    effect: 'whois',
    body: z.object({
      class: z.enum(whoisClasses),
      key: oneLine(300).check(z.minLength(1)),
      act: z.enum(reclaimActs),
      /** The version that the person saw. */
      version: rowVersion,
      /** Read by those who maintained it. */
      reason: z._default(oneLine(500), ''),
    }),
    answer: z.object({ outcome: WhoisOutcome }),
    errors: ['NOT_FOUND', 'NO_PERMISSION', 'NOTHING_TO_DO', 'ACCOUNT_SUSPENDED', 'ACCOUNT_RESTRICTED_IRT', 'TOO_MANY_OBJECTS'],
    activity: 'Reclaimed a whois object',
  }),
});
