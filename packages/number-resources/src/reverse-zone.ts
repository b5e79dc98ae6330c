import type { Address } from './address.ts';
import { type AddressFamily, addressBits } from './family.ts';
import { childPrefixes, type Prefix, parentPrefix, prefixAt, printPrefix } from './prefix.ts';
import { type AddressRange, coverRange } from './range.ts';
import { quoteInput, ResourceSyntaxError } from './syntax-error.ts';

const roots = { ipv4: 'in-addr.arpa', ipv6: 'ip6.arpa' } as const;

/**
 * The prefixes whose reverse zones cover this prefix: cut at /8, /16, /24 for IPv4 (RFC 1035 section 3.5), at every 4 bits for IPv6 (RFC 3596).
 * At most 256. None for IPv4 longer than /24: those are delegated by the holder of the /24 (RFC 2317).
 */
export function listZonePrefixes(prefix: Prefix): Prefix[] {
  if (prefix.family === 'ipv4' && prefix.length > 24) return [];
  const cut = prefix.family === 'ipv4' ? Math.max(8, Math.ceil(prefix.length / 8) * 8) : Math.ceil(prefix.length / 4) * 4;
  return [...childPrefixes(prefix, cut)];
}

/** Names of the zones a prefix or range needs, in address order, lower case, no final dot; parts of a range beyond /24 need none of their own. */
export function listReverseZones(range: AddressRange): string[] {
  return coverRange(range).flatMap(prefix => listZonePrefixes(prefix).map(printReverseZone));
}

/**
 * Returns the zone name of a prefix on a label boundary, `2.0.192.in-addr.arpa`.
 * @throws {RangeError} for lengths that are no multiple of 8 (IPv4) or 4 (IPv6).
 */
export function printReverseZone(prefix: Prefix): string {
  const step = labelBits(prefix.family);
  if (prefix.length % step !== 0) throw new RangeError(`${printPrefix(prefix)} is no single reverse zone`);
  return [
    ...labels(prefix.family, prefix.first)
      .slice(0, prefix.length / step)
      .reverse(),
    roots[prefix.family],
  ].join('.');
}

/** The name that holds an address's PTR record. */
export function printReverseName(address: Address): string {
  return printReverseZone(prefixAt(address.family, address.value, addressBits(address.family)));
}

/**
 * The zone a prefix longer than /24 may be given inside its /24, `64-127.2.0.192.in-addr.arpa` (RFC 2317); undefined when it does not need one.
 * The RFC leaves the first label free; first and last octet joined by a dash name any size without doubt.
 */
export function printClasslessZone(prefix: Prefix): string | undefined {
  if (prefix.family !== 'ipv4' || prefix.length <= 24) return undefined;
  return `${prefix.first & 255n}-${prefix.last & 255n}.${printReverseZone(parentPrefix(prefix, 24))}`;
}

/**
 * The lines that the holder of a /24 puts into its zone to hand a longer prefix on (RFC 2317, section 4): for each address the label in the zone of the /24, and
 * the name in the zone of `printClasslessZone` that it is an alias of. Empty where there is no such zone.
 */
export function listClasslessAliases(prefix: Prefix): { label: string; target: string }[] {
  const zone = printClasslessZone(prefix);
  if (zone === undefined) return [];
  const first = Number(prefix.first & 255n);
  return Array.from({ length: Number(prefix.last - prefix.first) + 1 }, (_, index) => ({
    label: String(first + index),
    target: `${first + index}.${zone}`,
  }));
}

/**
 * Returns the prefix of a reverse zone or name. Upper case and one final dot are accepted; full host names give a /32 or /128.
 * @throws {ResourceSyntaxError} for names that are not below in-addr.arpa or ip6.arpa, or have a label that is no octet or hexadecimal digit.
 */
export function parseReverseZone(name: string): Prefix {
  const plain = name.toLowerCase().replace(/\.$/, '');
  const family: AddressFamily = plain === roots.ipv6 || plain.endsWith(`.${roots.ipv6}`) ? 'ipv6' : 'ipv4';
  const root = roots[family];
  const refuse = (reason: string) => new ResourceSyntaxError('NOT_A_REVERSE_ZONE', `${quoteInput(name)} ${reason}`);
  if (plain !== root && !plain.endsWith(`.${root}`)) throw refuse('is not a reverse zone; its name ends in .in-addr.arpa or .ip6.arpa');
  const found = plain.slice(0, -root.length - 1);
  const parts = found === '' ? [] : found.split('.').reverse();
  const step = labelBits(family);
  const bits = addressBits(family);
  if (parts.length * step > bits) throw refuse(`has ${parts.length} labels before ${root}, at most ${bits / step} can be`);
  let value = 0n;
  for (const part of parts) {
    if (family === 'ipv4' ? !/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255 : !/^[0-9a-f]$/.test(part))
      throw refuse(
        `has the label ${JSON.stringify(quoteInput(part))}; each label is ${family === 'ipv4' ? 'a number from 0 to 255' : 'one hexadecimal digit'}`,
      );
    value = (value << BigInt(step)) | BigInt(Number.parseInt(part, family === 'ipv4' ? 10 : 16));
  }
  const length = parts.length * step;
  return prefixAt(family, value << BigInt(bits - length), length);
}

function labelBits(family: AddressFamily): 8 | 4 {
  return family === 'ipv4' ? 8 : 4;
}

function labels(family: AddressFamily, value: bigint): string[] {
  if (family === 'ipv6') return value.toString(16).padStart(32, '0').split('');
  const address = Number(value);
  return [24, 16, 8, 0].map(shift => String((address >>> shift) & 255));
}
