import * as z from 'zod/mini';
import { contact, endpoint, group } from '../endpoint.ts';

export const whoisAttributeValues = group('whois.attributeValues', {
  listAttributeValues: endpoint({
    method: 'GET',
    path: '/api/:account/whois/attribute-values',
    summary: 'Values an attribute has in the whois objects of the account, the most frequent first, and in how many objects each stands.',
    access: contact,
    query: z.object({
      /** An attribute by which objects can be found: `tech-c`, `mnt-by`, `notify` … */
      attribute: z.string().check(z.trim(), z.toLowerCase(), z.regex(/^[a-z][a-z0-9-]{1,30}$/)),
    }),
    answer: z.object({ rows: z.array(z.object({ value: z.string(), objects: z.int() })) }),
  }),
});
