import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { oldestDelegations } from '../resources/index.ts';

/** Something that can be looked up here, to try the field with. */
export type Example = { label: string; key: string; kind: 'ipv4' | 'ipv6' | 'asn' | 'object' };

const labels = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS number' } as const;
/** Classes of objects of which one is named, with what people call its key. */
const objectLabels = { domain: 'Reverse zone', role: 'Handle', mntner: 'Maintainer' } as const;

/** Returns examples of what the field takes, from what is registered: numbers of each kind, and objects by name. */
export async function examplesIn(read: Pick<Read, 'rows'>): Promise<Example[]> {
  const [numbers, objects] = await Promise.all([
    oldestDelegations(read),
    read.rows<{
      class: keyof typeof objectLabels;
      shown: string;
    }>(sql`select o.class, o.shown from unnest(${Object.keys(objectLabels)}::text[]) with ordinality as w (class, place)
      cross join lateral (select class, shown from whois_object where class = w.class order by key limit 1) o order by w.place`),
  ]);
  return [
    ...numbers.map(({ kind, resource }) => ({ label: labels[kind], key: resource, kind })),
    ...objects.map(({ class: name, shown }) => ({ label: objectLabels[name], key: shown, kind: 'object' as const })),
  ];
}
