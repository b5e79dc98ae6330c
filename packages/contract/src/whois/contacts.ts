import * as z from 'zod/mini';
import { contact, endpoint, group } from '../endpoint.ts';

/** A person or role object, with the fields that are kept the same in all of them. */
export const WhoisContact = z.object({
  class: z.enum(['person', 'role']),
  key: z.string(),
  shown: z.string(),
  name: z.string(),
  address: z.array(z.string()),
  country: z.nullable(z.string()),
  phones: z.array(z.string()),
  emails: z.array(z.string()),
  changedAt: z.iso.datetime(),
  /** Number of objects that refer to it, per attribute: `tech-c` in 12. */
  uses: z.array(z.object({ attribute: z.string(), objects: z.int() })),
});
export type WhoisContact = z.infer<typeof WhoisContact>;

export const whoisContacts = group('whois.contacts', {
  listContacts: endpoint({
    method: 'GET',
    path: '/api/:account/whois/contacts',
    publicApi: { path: '/whois/contacts', scope: 'whois:read' },
    summary: 'Person and role objects the account maintains, how they are reached, and where they are named.',
    access: contact,
    answer: z.object({ rows: z.array(WhoisContact) }),
  }),
});
