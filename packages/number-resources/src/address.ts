import { type AddressFamily, addressBits } from './family.ts';
import { quoteInput, ResourceSyntaxError } from './syntax-error.ts';

/** One IPv4 or IPv6 address; `value` is the address as an unsigned integer. */
export interface Address {
  readonly family: AddressFamily;
  readonly value: bigint;
}

/** 2^32 or 2^128: the first value that is no address of the family any more. */
export function addressSpaceSize(family: AddressFamily): bigint {
  return 1n << BigInt(addressBits(family));
}

/**
 * Reads one address, strictly: IPv4 as four decimal parts without leading zeros, IPv6 as in RFC 4291 section 2.2 including embedded IPv4.
 * @throws {ResourceSyntaxError} for everything else: zone ids, shortened or octal IPv4, blanks, brackets.
 */
export function parseAddress(text: string): Address {
  if (text.includes(':')) {
    const value = readIpv6(text);
    if (value === undefined) throw explainIpv6(text);
    return { family: 'ipv6', value };
  }
  const value = readIpv4(text);
  if (value === undefined) throw explainIpv4(text);
  return { family: 'ipv4', value: BigInt(value) };
}

/** Prints an address in its one canonical form: dotted decimal, or RFC 5952 with IPv4-mapped addresses in mixed notation (its section 5). */
export function printAddress(address: Address): string {
  return address.family === 'ipv4' ? printIpv4(Number(address.value)) : printIpv6(address.value);
}

/** Prints every digit: IPv6 as eight groups of four, IPv4 unchanged. Some whois interfaces ask for this form. */
export function printExpandedAddress(address: Address): string {
  return address.family === 'ipv4' ? printIpv4(Number(address.value)) : ipv6Groups(address.value).join(':');
}

/** IPv4 before IPv6, then by value. */
export function compareAddresses(a: Address, b: Address): number {
  if (a.family !== b.family) return a.family === 'ipv4' ? -1 : 1;
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

function readIpv4(text: string): number | undefined {
  let value = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) {
      if (digits > 0 && part === 0) return undefined;
      part = part * 10 + code - 48;
      if (part > 255) return undefined;
      digits++;
    } else if (code === 46 && digits > 0 && dots < 3) {
      value = value * 256 + part;
      part = 0;
      digits = 0;
      dots++;
    } else return undefined;
  }
  return dots === 3 && digits > 0 ? value * 256 + part : undefined;
}

function explainIpv4(text: string): ResourceSyntaxError {
  const shown = quoteInput(text);
  if (text.trim() === '') return new ResourceSyntaxError('EMPTY', 'An address is missing, such as 192.0.2.1 or 2001:db8::1');
  const parts = text.split('.');
  if (!parts.every(part => /^\d{1,10}$/.test(part)))
    return new ResourceSyntaxError('NOT_AN_ADDRESS', `${shown} is not an address. Enter one such as 192.0.2.1 or 2001:db8::1`);
  const tooLarge = parts.find(part => Number(part) > 255);
  if (parts.length !== 4)
    return new ResourceSyntaxError(
      'NOT_AN_ADDRESS',
      `${shown} has ${parts.length} ${parts.length === 1 ? 'part' : 'parts'}, an IPv4 address has four`,
      parts.length < 4 && tooLarge === undefined ? padIpv4(text) : undefined,
    );
  if (tooLarge !== undefined)
    return new ResourceSyntaxError('NOT_AN_ADDRESS', `${shown} has the part ${tooLarge}; each part of an IPv4 address is 0 to 255`);
  return new ResourceSyntaxError(
    'LEADING_ZERO',
    `${shown} has a leading zero, which some programs read as octal`,
    parts.map(part => String(Number(part))).join('.'),
  );
}

/** Fills up `10` and `203.0.113`, as in old whois objects, with zeros; for suggestions only. */
export function padIpv4(text: string): string {
  return [...text.split('.').map(part => String(Number(part))), '0', '0', '0'].slice(0, 4).join('.');
}

const hexGroup = /^[0-9a-f]{1,4}$/i;

function readIpv6(text: string): bigint | undefined {
  if (text.length > 45) return undefined;
  let hex = text;
  const lastColon = text.lastIndexOf(':');
  if (text.includes('.', lastColon)) {
    const embedded = readIpv4(text.slice(lastColon + 1));
    if (embedded === undefined) return undefined;
    hex = `${text.slice(0, lastColon + 1)}${Math.floor(embedded / 65536).toString(16)}:${(embedded % 65536).toString(16)}`;
  }
  const gap = hex.indexOf('::');
  const head = splitGroups(gap < 0 ? hex : hex.slice(0, gap));
  const tail = gap < 0 ? [] : splitGroups(hex.slice(gap + 2));
  const present = head.length + tail.length;
  if (gap < 0 ? present !== 8 : present > 7) return undefined;
  let digits = '0x';
  for (const group of head) {
    if (!hexGroup.test(group)) return undefined;
    digits += group.padStart(4, '0');
  }
  digits += '0000'.repeat(8 - present);
  for (const group of tail) {
    if (!hexGroup.test(group)) return undefined;
    digits += group.padStart(4, '0');
  }
  return BigInt(digits);
}

function splitGroups(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

function explainIpv6(text: string): ResourceSyntaxError {
  const shown = quoteInput(text);
  const refuse = (reason: string, suggestion?: string) => new ResourceSyntaxError('NOT_AN_ADDRESS', `${shown} ${reason}`, suggestion);
  const zone = text.indexOf('%');
  if (zone >= 0) {
    const bare = readIpv6(text.slice(0, zone));
    return new ResourceSyntaxError(
      'ZONE_ID',
      `${shown} has a zone id, which only means something on one machine`,
      bare === undefined ? undefined : printIpv6(bare),
    );
  }
  const stray = /[^0-9a-f:.]/i.exec(text);
  if (stray) return refuse(`is not an IPv6 address: ${JSON.stringify(stray[0])} isn’t a hexadecimal digit`);
  const embedded = text.slice(text.lastIndexOf(':') + 1);
  if (embedded.includes('.')) {
    if (readIpv4(embedded) === undefined) return explainIpv4(embedded);
  } else if (text.includes('.')) return refuse('has IPv4 digits before its end; an embedded IPv4 address comes last');
  if (text.includes(':::') || text.indexOf('::') !== text.lastIndexOf('::'))
    return refuse('has more than one run of zeros left out; :: can be used once');
  const long = text.split(':').find(group => group.length > 4 && !group.includes('.'));
  if (long !== undefined) return refuse(`has the group ${quoteInput(long)}; a group has at most four hexadecimal digits`);
  if (/^:(?!:)|(?<!:):$/.test(text)) return refuse('begins or ends with a single colon; zeros are left out with ::');
  const groups = text.split(':').filter(group => group !== '').length + (embedded.includes('.') ? 1 : 0);
  if (text.includes('::'))
    return refuse(`has ${groups} groups besides ::, which leaves no room for zeros; an IPv6 address has eight groups`);
  const padded = groups < 8 && !embedded.includes('.') ? readIpv6(`${text}::`) : undefined;
  return refuse(`has ${groups} groups, an IPv6 address has eight`, padded === undefined ? undefined : printIpv6(padded));
}

function printIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

function ipv6Groups(value: bigint): string[] {
  const hex = value.toString(16).padStart(32, '0');
  const groups: string[] = [];
  for (let i = 0; i < 32; i += 4) groups.push(hex.slice(i, i + 4));
  return groups;
}

function printIpv6(value: bigint): string {
  if (value >> 32n === 0xffffn) return `::ffff:${printIpv4(Number(value & 0xffffffffn))}`;
  const groups = ipv6Groups(value).map(group => group.replace(/^0{1,3}/, ''));
  let gapStart = 0;
  let gapLength = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === '0') end++;
    if (end - i > gapLength) {
      gapStart = i;
      gapLength = end - i;
    }
    if (end > i) i = end;
  }
  if (gapLength < 2) return groups.join(':');
  return `${groups.slice(0, gapStart).join(':')}::${groups.slice(gapStart + gapLength).join(':')}`;
}
