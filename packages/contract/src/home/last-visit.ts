import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { ledgerLine } from './home.ts';

/** Activities of others in the account since the person's previous session. */
export const SinceLastVisit = z.object({
  /** When the previous session was last used; null without one. */
  since: z.nullable(z.iso.datetime()),
  byContacts: z.int(),
  byStaff: z.int(),
  byTheRegistry: z.int(),
  /** The newest of them. */
  lines: z.array(ledgerLine),
});
export type SinceLastVisit = z.infer<typeof SinceLastVisit>;

export const lastVisit = group('home.lastVisit', {
  getSinceLastVisit: endpoint({
    method: 'GET',
    path: '/api/:account/since-last-visit',
    summary: 'What others, registry staff and the registry’s own work changed since the person was last here.',
    access: member('member-account-access-logs-view'),
    answer: SinceLastVisit,
  }),
});
