import { type AddressRange, type Prefix, parseAddress, prefixOfRange, printAddress } from '@portal/number-resources';
import { sql } from 'kysely';
import { preparedQuery, type Read } from '../../platform/database/index.ts';

/** Handles of the contacts of a zone. */
export type ZoneContacts = { adminC: string; techC: string; zoneC: string };

/** The delegation of a zone, as its domain object describes it. */
export type DelegatedZone = {
  /** Name without a final dot, lower case. */
  zone: string;
  prefix: Prefix;
  /** In the order of the object; a server inside the zone with its address. */
  servers: string[];
  ds: string[];
  contacts: ZoneContacts;
  version: number;
  changedAt: string;
};

type Row = { key: string; first: string; last: string; text: string; version: number; changedAt: string };

/** Compiled expressions by attribute, reused for all zones. */
const lines = new Map<string, RegExp>();

/** Values of an attribute of an object as it is stored: a line each, continued ones are joined. */
export function valuesIn(text: string, attribute: string): string[] {
  const found: string[] = [];
  let line = lines.get(attribute);
  if (!line) lines.set(attribute, (line = new RegExp(`^${attribute}:[ \\t]*(.*(?:\\n[ \\t+].*)*)`, 'gim')));
  for (const [, value = ''] of text.matchAll(line)) {
    const plain = value
      .replaceAll(/#.*$/gm, '')
      .replaceAll(/\n[ \t+]\s*/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (plain !== '') found.push(plain);
  }
  return found;
}

const handlesIn = (text: string, attribute: string): string => valuesIn(text, attribute).join(', ').toUpperCase();

/** Reads the delegation out of the text of a domain object. */
export const delegationIn = (text: string): Pick<DelegatedZone, 'servers' | 'ds'> => ({
  servers: valuesIn(text, 'nserver').map(value => value.toLowerCase().replace(/\.(?=$| )/, '')),
  ds: valuesIn(text, 'ds-rdata').map(value => value.toUpperCase()),
});

const DELEGATED =
  preparedQuery<Row>(`select distinct on (o.first, o.last) o.key, host(o.first) as first, host(o.last) as last, o.text, o.version, o.changed_at
    from unnest($1::inet[], $2::inet[]) as w (first, last)
    cross join lateral (
      select key, first, last, text, version, changed_at from whois_object where class = 'domain' and first is not null and first >= w.first and first <= w.last
      union all select key, first, last, text, version, changed_at from whois_object
        where class = 'domain' and first is not null and inet_merge(first, last) >>= w.first) o
    where family(o.first) = family(w.first) order by o.first, o.last, o.version desc limit $3::bigint`);

// The texts of the others aren't read: of a large holder they are megabytes. What was found is looked up for each zone: of all zones that are lame an account has few.
const IN_TROUBLE =
  preparedQuery<Row>(`select distinct on (o.first, o.last) o.key, host(o.first) as first, host(o.last) as last, o.text, o.version, o.changed_at
    from unnest($1::inet[], $2::inet[]) as w (first, last)
    join whois_object o on o.class = 'domain' and o.first is not null and o.first >= w.first and o.first <= w.last and o.last <= w.last
    cross join lateral (select from rdns_zone z where z.zone = o.key and (z.state = 'lame' or z.dnssec in ('broken', 'ends-soon'))
      union all select from rdns_left_out l where l.zone = o.key and l.source is null limit 1) trouble order by o.first, o.last, o.version desc`);

// A name such as 0-31.2.0.192.in-addr.arpa is of a part of a /24.
const INSIDE = preparedQuery<{
  zones: number;
}>(`select count(distinct (o.first, o.last))::int as zones from unnest($1::inet[], $2::inet[]) as w (first, last)
    join whois_object o on o.class = 'domain' and o.first is not null and o.first >= w.first and o.first <= w.last and o.last <= w.last where o.key !~ '^\\d+-'`);

const endsOf = (ranges: readonly AddressRange[]): [firsts: string[], lasts: string[]] => [
  ranges.map(({ family, first }) => printAddress({ family, value: first })),
  ranges.map(({ family, last }) => printAddress({ family, value: last })),
];

/** The delegated zones inside or around these addresses, in address order, without parts of a /24 (RFC 2317). @param most the first so many; all without it */
export async function delegatedZones(
  read: Pick<Read, 'rows'>,
  ranges: readonly AddressRange[],
  most: number | null = null,
): Promise<DelegatedZone[]> {
  if (ranges.length === 0) return [];
  const rows = await read.rows(DELEGATED(...endsOf(ranges), most));
  return rows.flatMap(row => zoneOfRow(row) ?? []);
}

/** How many zones are delegated inside these addresses, without parts of a /24 (RFC 2317). */
export async function countDelegatedZones(read: Pick<Read, 'rows'>, ranges: readonly AddressRange[]): Promise<number> {
  if (ranges.length === 0) return 0;
  const [counted] = await read.rows(INSIDE(...endsOf(ranges)));
  return counted!.zones;
}

/**
 * Those of the delegated zones inside these addresses that aren't published as they are, or of which the last check found servers that don't answer or signatures that fail or end. The
 * object may have changed since that check.
 */
export async function zonesInTrouble(read: Pick<Read, 'rows'>, ranges: readonly AddressRange[]): Promise<DelegatedZone[]> {
  if (ranges.length === 0) return [];
  const rows = await read.rows(IN_TROUBLE(...endsOf(ranges)));
  return rows.flatMap(row => zoneOfRow(row) ?? []);
}

/** One delegated zone by its name; null where there is none. */
export async function findDelegatedZone(read: Pick<Read, 'rows'>, zone: string): Promise<DelegatedZone | null> {
  const [row] = await read.rows<Row>(sql`select key, host(first) as first, host(last) as last, text, version, changed_at from whois_object
    where class = 'domain' and key = ${zone} and first is not null`);
  return row ? (zoneOfRow(row) ?? null) : null;
}

function zoneOfRow({ key, first, last, text, version, changedAt }: Row): DelegatedZone | undefined {
  const { family, value } = parseAddress(first);
  const prefix = prefixOfRange({ family, first: value, last: parseAddress(last).value });
  if (!prefix || prefix.length % (family === 'ipv4' ? 8 : 4) !== 0 || /^\d+-/.test(key)) return undefined;
  const contacts = { adminC: handlesIn(text, 'admin-c'), techC: handlesIn(text, 'tech-c'), zoneC: handlesIn(text, 'zone-c') };
  return { zone: key, prefix, ...delegationIn(text), contacts, version, changedAt };
}
