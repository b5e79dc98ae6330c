import { type AsRange, parseAsRange, printAsRange } from './as-number.ts';
import type { ResourceFamily } from './family.ts';
import { type AddressRange, parseRange, printRange } from './range.ts';

/** A number resource (RFC 7249): an address range, prefixes included, or a range of AS numbers. Distinguished by `family`. */
export type NumberResource = AddressRange | AsRange;

/**
 * Reads an address, prefix, address range, AS number or AS range. Bare digits and `1.10` are AS numbers, never shortened IPv4 addresses.
 * @throws {ResourceSyntaxError} naming what is wrong.
 */
export function parseResource(text: string): NumberResource {
  return /^\s*\d+(\.\d+)?\s*(-|$)/.test(text) || /^\s*as/i.test(text) ? parseAsRange(text) : parseRange(text);
}

/** Prints a resource in its one canonical form: `192.0.2.0/24`, `192.0.2.0 - 192.0.3.63`, `AS64500`, `AS64496 - AS64511`. */
export function printResource(resource: NumberResource): string {
  return resource.family === 'asn' ? printAsRange(resource) : printRange(resource);
}

const familyOrder: Record<ResourceFamily, number> = { ipv4: 0, ipv6: 1, asn: 2 };

/** The order of lists: IPv4, IPv6, AS numbers; by start; of those with one start the largest first, so that a range precedes what it contains. */
export function compareResources(a: NumberResource, b: NumberResource): number {
  if (a.family !== b.family) return familyOrder[a.family] - familyOrder[b.family];
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  return a.last > b.last ? -1 : a.last < b.last ? 1 : 0;
}

/** True if the resources are the same numbers. */
export function equalResources(a: NumberResource, b: NumberResource): boolean {
  return a.family === b.family && a.first === b.first && a.last === b.last;
}
