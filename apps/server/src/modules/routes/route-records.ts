import { enclosingPrefix, formatCount, overlapsRange, parsePrefix, printAsNumber, printPrefix } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Module } from '../../platform/module.ts';
import { type Announcement, routingView } from '../bgp-tables/index.ts';
import { validateAnnouncements, vrpsAround } from '../rpki/index.ts';

/** Maximum number of announcements listed on one page. */
const LISTED = 50;
const words = { valid: 'Valid', 'invalid-asn': 'Invalid AS', 'invalid-length': 'Invalid length', 'not-found': 'Not found' } as const;

/** Announcements of addresses, or by an AS number, that route collectors see, with their validity. They are public anyway; holders also get a way to repair them. */
export const announcementRecords: NonNullable<Module['records']>[number] = {
  id: 'announcements',
  describe: async ({ read, resource, own, on }) => {
    // Tables of earlier days are not stored.
    if (on !== null) return {};
    const isAs = resource.family === 'asn';
    const seen = isAs
      ? await read.rows<Announcement>(sql`select a.prefix::text, a.asn, a.peers from bgp_table t join bgp_announcement a using (bgp_table_id)
          where t.state = 'current' and t.account_name is null and a.asn between ${resource.first} and ${resource.last} order by family(a.prefix), a.prefix limit 500`)
      : (await routingView(read, null, [printPrefix(enclosingPrefix(resource))])).announcements.filter(({ prefix }) =>
          overlapsRange(parsePrefix(prefix), resource),
        );
    if (seen.length === 0) return {};
    const listed = seen.slice(0, LISTED);
    const validated = validateAnnouncements(
      listed,
      await vrpsAround(
        read,
        listed.map(({ prefix }) => prefix),
      ),
    );
    return {
      section: {
        title: 'Announcements',
        rows: validated.map(({ prefix, asn, peers, validity }) => ({
          label: prefix,
          text: `${isAs ? '' : `from ${printAsNumber(asn)}, `}seen by ${formatCount(peers)} ${peers === 1 ? 'peer' : 'peers'}`,
          link: own && !isAs && validity !== 'valid' ? `/resources/routes/index?${new URLSearchParams({ q: prefix }).toString()}` : null,
          state: { mark: validity === 'valid' ? 'valid' : validity === 'not-found' ? 'not-found' : 'invalid', word: words[validity] },
          actions: [],
        })),
        more: seen.length > LISTED,
        link: own && !isAs ? { label: 'Routes', link: '/resources/routes/index' } : null,
      },
    };
  },
};
