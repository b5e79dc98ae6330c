import * as z from 'zod/mini';
import { contact, endpoint, group } from './endpoint.ts';
import { whoisClasses, whoisFilters } from './whois.ts';

export const downloadFormats = ['rpsl', 'json'] as const;

export const whoisDownload = group('whois-download', {
  downloadObjects: endpoint({
    method: 'GET',
    path: '/api/:account/whois/download',
    summary:
      'Whois objects of the account as they are stored, in one file: as text that can be sent again, or as JSON. Nothing that opens a maintainer.',
    access: contact,
    query: z.object({
      /** Names with commas between; none: all. */
      classes: z._default(
        z.string().check(
          z.refine(names => names === '' || names.split(',').every(name => whoisClasses.some(each => each === name)), {
            error: 'Write classes such as inetnum,route',
          }),
        ),
        '',
      ),
      maintainer: whoisFilters.maintainer,
      changedSince: whoisFilters.changedSince,
      format: z._default(z.enum(downloadFormats), 'rpsl'),
    }),
    answer: 'download',
  }),
});
