import type { AddressFamily } from './family.ts';
import { type Prefix, parsePrefix } from './prefix.ts';
import { type AddressRange, containsRange, overlapsRange } from './range.ts';
import type { NumberResource } from './resource.ts';
import { emptySet, intersectSets, isEmptySet, type ResourceSet, resourceSetOf, subtractSets } from './resource-set.ts';

/** Purpose for which a block or AS number is reserved. */
export type SpecialUse =
  | 'documentation'
  | 'private'
  | 'shared'
  | 'benchmarking'
  | 'loopback'
  | 'link-local'
  | 'multicast'
  | 'transition'
  | 'anycast'
  | 'protocol'
  | 'reserved';

/** Addresses that no registry delegates in the ordinary way. */
export interface SpecialBlock {
  readonly prefix: Prefix;
  readonly use: SpecialUse;
  /** Its name, as the IANA special-purpose registries have it. */
  readonly name: string;
  /** The document that set it aside, such as `RFC 5737`. */
  readonly source: string;
}

/** AS numbers that no registry delegates in the ordinary way. */
export interface SpecialAsRange {
  readonly first: number;
  readonly last: number;
  readonly use: SpecialUse;
  readonly name: string;
  readonly source: string;
}

type BlockRow = readonly [prefix: string, use: SpecialUse, name: string, source: string];

// IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), multicast, and what RFC 4291 section 4 leaves unassigned.
// Single addresses inside 192.0.0.0/24 and 2001::/23 are left to the block around them.
const blockRows: readonly BlockRow[] = [
  ['0.0.0.0/8', 'reserved', 'This network', 'RFC 791'],
  ['10.0.0.0/8', 'private', 'Private use', 'RFC 1918'],
  ['100.64.0.0/10', 'shared', 'Shared address space', 'RFC 6598'],
  ['127.0.0.0/8', 'loopback', 'Loopback', 'RFC 1122'],
  ['169.254.0.0/16', 'link-local', 'Link local', 'RFC 3927'],
  ['172.16.0.0/12', 'private', 'Private use', 'RFC 1918'],
  ['192.0.0.0/24', 'protocol', 'IETF protocol assignments', 'RFC 6890'],
  ['192.0.2.0/24', 'documentation', 'TEST-NET-1', 'RFC 5737'],
  ['192.31.196.0/24', 'anycast', 'AS112', 'RFC 7535'],
  ['192.52.193.0/24', 'anycast', 'AMT', 'RFC 7450'],
  ['192.88.99.0/24', 'reserved', '6to4 relay anycast, deprecated', 'RFC 7526'],
  ['192.168.0.0/16', 'private', 'Private use', 'RFC 1918'],
  ['192.175.48.0/24', 'anycast', 'AS112, direct delegation', 'RFC 7534'],
  ['198.18.0.0/15', 'benchmarking', 'Benchmarking', 'RFC 2544'],
  ['198.51.100.0/24', 'documentation', 'TEST-NET-2', 'RFC 5737'],
  ['203.0.113.0/24', 'documentation', 'TEST-NET-3', 'RFC 5737'],
  ['224.0.0.0/4', 'multicast', 'Multicast', 'RFC 5771'],
  ['233.252.0.0/24', 'documentation', 'MCAST-TEST-NET', 'RFC 6676'],
  ['240.0.0.0/4', 'reserved', 'Reserved', 'RFC 1112'],
  ['255.255.255.255/32', 'reserved', 'Limited broadcast', 'RFC 919'],
  ['::/3', 'reserved', 'Not global unicast', 'RFC 4291'],
  ['4000::/2', 'reserved', 'Not global unicast', 'RFC 4291'],
  ['8000::/1', 'reserved', 'Not global unicast', 'RFC 4291'],
  ['::/128', 'reserved', 'Unspecified address', 'RFC 4291'],
  ['::1/128', 'loopback', 'Loopback', 'RFC 4291'],
  ['::ffff:0:0/96', 'transition', 'IPv4-mapped', 'RFC 4291'],
  ['64:ff9b::/96', 'transition', 'IPv4-IPv6 translation', 'RFC 6052'],
  ['64:ff9b:1::/48', 'transition', 'IPv4-IPv6 translation, local use', 'RFC 8215'],
  ['100::/64', 'reserved', 'Discard only', 'RFC 6666'],
  ['100:0:0:1::/64', 'reserved', 'Dummy prefix', 'RFC 9780'],
  ['2001::/23', 'protocol', 'IETF protocol assignments', 'RFC 2928'],
  ['2001::/32', 'transition', 'Teredo', 'RFC 4380'],
  ['2001:2::/48', 'benchmarking', 'Benchmarking', 'RFC 5180'],
  ['2001:3::/32', 'anycast', 'AMT', 'RFC 7450'],
  ['2001:4:112::/48', 'anycast', 'AS112', 'RFC 7535'],
  ['2001:10::/28', 'reserved', 'ORCHID, deprecated', 'RFC 4843'],
  ['2001:20::/28', 'protocol', 'ORCHIDv2', 'RFC 7343'],
  ['2001:30::/28', 'protocol', 'Drone remote ID', 'RFC 9374'],
  ['2001:db8::/32', 'documentation', 'Documentation', 'RFC 3849'],
  ['2002::/16', 'transition', '6to4', 'RFC 3056'],
  ['2620:4f:8000::/48', 'anycast', 'AS112, direct delegation', 'RFC 7534'],
  ['3fff::/20', 'documentation', 'Documentation', 'RFC 9637'],
  ['5f00::/16', 'protocol', 'Segment routing SIDs', 'RFC 9602'],
  ['fc00::/7', 'private', 'Unique local', 'RFC 4193'],
  ['fe80::/10', 'link-local', 'Link local', 'RFC 4291'],
  ['fec0::/10', 'reserved', 'Site local, deprecated', 'RFC 3879'],
  ['ff00::/8', 'multicast', 'Multicast', 'RFC 4291'],
];

// IANA Special-Purpose AS Numbers; the block after the 4-byte documentation numbers is reserved in IANA's AS number registry itself.
const asRows: readonly SpecialAsRange[] = [
  { first: 0, last: 0, use: 'reserved', name: 'AS 0', source: 'RFC 7607' },
  { first: 112, last: 112, use: 'anycast', name: 'AS112', source: 'RFC 7534' },
  { first: 23456, last: 23456, use: 'transition', name: 'AS_TRANS', source: 'RFC 6793' },
  { first: 64496, last: 64511, use: 'documentation', name: 'Documentation', source: 'RFC 5398' },
  { first: 64512, last: 65534, use: 'private', name: 'Private use', source: 'RFC 6996' },
  { first: 65535, last: 65535, use: 'reserved', name: 'Last 2-byte AS number', source: 'RFC 7300' },
  { first: 65536, last: 65551, use: 'documentation', name: 'Documentation', source: 'RFC 5398' },
  { first: 65552, last: 131071, use: 'reserved', name: 'Reserved', source: 'IANA' },
  { first: 4200000000, last: 4294967294, use: 'private', name: 'Private use', source: 'RFC 6996' },
  { first: 4294967295, last: 4294967295, use: 'reserved', name: 'Last AS number', source: 'RFC 7300' },
];

let blocks: Record<AddressFamily, SpecialBlock[]> | undefined;

/** Read on first use: importing the package must cost nothing. Most specific first. */
function specialBlocks(family: AddressFamily): readonly SpecialBlock[] {
  if (!blocks) {
    blocks = { ipv4: [], ipv6: [] };
    for (const [text, use, name, source] of blockRows) {
      const prefix = parsePrefix(text);
      blocks[prefix.family].push({ prefix, use, name, source });
    }
    for (const list of Object.values(blocks)) list.sort((a, b) => b.prefix.length - a.prefix.length);
  }
  return blocks[family];
}

/** The most specific special-purpose block that contains the whole range; undefined for ordinary unicast space. */
export function findSpecialBlock(range: AddressRange): SpecialBlock | undefined {
  return specialBlocks(range.family).find(block => containsRange(block.prefix, range));
}

/** Returns every special-purpose block that overlaps the range, most specific first: the obstacles to announcing it. */
export function listSpecialBlocks(range: AddressRange): SpecialBlock[] {
  return specialBlocks(range.family).filter(block => overlapsRange(block.prefix, range));
}

/** Returns the special purpose of an AS number; undefined for ordinary ones. */
export function findSpecialAs(asNumber: number): SpecialAsRange | undefined {
  return asRows.find(row => row.first <= asNumber && asNumber <= row.last);
}

/**
 * Returns the special purposes for which some of a resource was set aside, the most specific first; empty for ordinary numbers. A registry delegates none of these.
 * @param allowed numbers that are left out, as those of a laboratory
 */
export function specialUsesIn(resource: NumberResource, allowed: ResourceSet = emptySet): Pick<SpecialBlock, 'use' | 'name' | 'source'>[] {
  const asked = subtractSets(resourceSetOf([resource]), allowed);
  const meets = (part: NumberResource): boolean => !isEmptySet(intersectSets(asked, resourceSetOf([part])));
  return resource.family === 'asn'
    ? asRows.filter(({ first, last }) => meets({ family: 'asn', first, last }))
    : specialBlocks(resource.family).filter(({ prefix: { family, first, last } }) => meets({ family, first, last }));
}
