import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { parseRange, printAddress } from '@portal/number-resources';
import { oldestDelegations } from '../resources/index.ts';

/** Something that can be looked up here, to try the field with. */
export type Example = { label: string; key: string; kind: 'ipv4' | 'ipv6' | 'asn' | 'object' };

const labels = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS number' } as const;
/** Classes of objects of which one is named, with what people call its key. */
const objectLabels = { domain: 'Reverse zone', role: 'Handle', mntner: 'Maintainer' } as const;

/** `198.18.0.0 - 198.18.31.255`, as people copy ranges from objects. */
function endsOf(block: string): string {
  const { family, first, last } = parseRange(block);
  return [first, last].map(address => printAddress({ family, value: address })).join(' - ');
}

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
  const ipv4 = numbers.find(({ kind }) => kind === 'ipv4');
  return [
    ...numbers.map(({ kind, resource }) => ({ label: labels[kind], key: resource, kind })),
    ...(ipv4 ? [{ label: 'Range', key: endsOf(ipv4.resource), kind: 'ipv4' as const }] : []),
    ...objects.map(({ class: name, shown }) => ({ label: objectLabels[name], key: shown, kind: 'object' as const })),
  ];
}
