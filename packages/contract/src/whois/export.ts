import * as z from 'zod/mini';
import { contact, endpoint, group } from '../endpoint.ts';
import { whoisFilters, whoisSorts } from './whois.ts';

export const whoisExport = group('whois.export', {
  exportObjects: endpoint({
    method: 'GET',
    path: '/api/:account/whois/objects-export',
    publicApi: { path: '/whois/objects-export', scope: 'whois:read' },
    summary: 'All whois objects that match, as CSV or JSON of the same columns.',
    access: contact,
    query: z.object({
      ...whoisFilters,
      sort: z._default(z.enum(whoisSorts), 'class'),
      direction: z._default(z.enum(['asc', 'desc']), 'asc'),
      format: z.enum(['csv', 'json']),
    }),
    answer: 'download',
  }),
});
