import { enclosingPrefix, overlapsRange } from '@portal/number-resources';
import type { Module } from '../../platform/module.ts';
import { delegatedZones } from './domain-objects.ts';
import { noFacts, zoneFacts } from './zone-facts.ts';

/** Zones listed on one page. */
const LISTED = 20;
const words = { ok: 'Answers', warning: 'Warnings', lame: 'Lame', unchecked: 'Delegated' } as const;
const marks = { ok: 'valid', warning: 'warning', lame: 'invalid', unchecked: 'info' } as const;

/** Reverse delegations and DNSSEC of a prefix on its page. Anyone can query a name server, so they are public; findings are shown to the holder only. */
export const zoneRecords: NonNullable<Module['records']>[number] = {
  id: 'reverse-zones',
  describe: async ({ read, resource, on, own }) => {
    if (on !== null || resource.family === 'asn') return {};
    const range = { family: resource.family, first: resource.first, last: resource.last };
    const zones = (await delegatedZones(read, [enclosingPrefix(range)])).filter(({ prefix }) => overlapsRange(prefix, range));
    if (zones.length === 0) return {};
    const facts = own ? await zoneFacts(read, zones) : new Map();
    return {
      section: {
        title: 'Reverse DNS',
        rows: zones.slice(0, LISTED).map(({ zone, servers, ds }) => {
          const state = ((facts.get(zone) ?? noFacts) as typeof noFacts).state as keyof typeof words;
          return {
            label: zone,
            text: `${servers.map(each => each.split(' ')[0]).join(', ')}; ${ds.length > 0 ? `DS ${ds.map(each => each.split(' ')[0]).join(', ')}` : 'not signed'}`,
            link: own ? `/resources/ReverseDNS?zone=${zone}` : null,
            state: { mark: own ? marks[state] : 'info', word: own ? words[state] : 'Delegated' },
            actions: [],
          };
        }),
        more: zones.length > LISTED,
        link: null,
      },
    };
  },
};
