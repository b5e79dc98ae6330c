import {
  addressBits,
  type NumberResource,
  type ResourceSet,
  resourceSetOf,
  listRanges,
  isEmptySet,
  parseAddress,
} from '@portal/number-resources';
import { bitsOf, DerReader, type Element, integerOf } from './der-reader.ts';
import { type Deviation, refuseDeviations } from './deviation.ts';
import { element, integer, leadingBits, nullValue, octetString, sequence, tags } from './der-writer.ts';
import { equalBytes } from './bytes.ts';
import { ProfileError } from './profile-error.ts';

/** Resources of a certificate: a set of numbers, or, in manifests, everything the issuer has (RFC 3779, section 2.2.3.5). */
export type CertifiedResources = ResourceSet | 'inherit';

const families = [
  { family: 'ipv4', code: Uint8Array.of(0, 1) },
  { family: 'ipv6', code: Uint8Array.of(0, 2) },
] as const;
type Family = (typeof families)[number]['family'];
const maxAs = 2n ** 32n - 1n;

/** One range as a prefix where it is one, and as its two ends otherwise, without the trailing zeros of the first and ones of the last. */
function addressRange(family: Family, first: bigint, last: bigint): Uint8Array {
  const width = addressBits(family);
  const size = last - first + 1n;
  if ((size & (size - 1n)) === 0n && first % size === 0n) return leadingBits(first, width, width - (size.toString(2).length - 1));
  let firstLength = width;
  for (let rest = first; firstLength > 0 && (rest & 1n) === 0n; rest >>= 1n) firstLength--;
  let lastLength = width;
  for (let rest = last; lastLength > 0 && (rest & 1n) === 1n; rest >>= 1n) lastLength--;
  return sequence(leadingBits(first, width, firstLength), leadingBits(last, width, lastLength));
}

/** IPAddrBlocks in canonical form (RFC 3779, section 2.2.3); null where there are no addresses. */
export function encodeAddressBlocks(resources: CertifiedResources): Uint8Array | null {
  const blocks = families.flatMap(({ family, code }) => {
    if (resources === 'inherit') return [sequence(octetString(code), nullValue)];
    const ranges = listRanges(resources, family);
    return ranges.length === 0
      ? []
      : [sequence(octetString(code), sequence(...ranges.map(({ first, last }) => addressRange(family, first, last))))];
  });
  return blocks.length === 0 ? null : sequence(...blocks);
}

/** ASIdentifiers in canonical form (RFC 3779, section 3.2.3), without routing domains; null where there are no AS numbers. */
export function encodeAsIdentifiers(resources: CertifiedResources): Uint8Array | null {
  const choice = resources === 'inherit' ? nullValue : encodeAsNumbers(resources);
  return choice === null ? null : sequence(element(tags.context(0), choice));
}

function encodeAsNumbers(resources: ResourceSet): Uint8Array | null {
  const ranges = listRanges(resources, 'asn');
  if (ranges.length === 0) return null;
  return sequence(...ranges.map(({ first, last }) => (first === last ? integer(first) : sequence(integer(first), integer(last)))));
}

type Read = { resources: NumberResource[]; inherits: number };

function readAddressBlocks(bytes: Uint8Array): Read {
  const blocks = new DerReader(bytes, 'The IP address extension').sequence('list of address families');
  const read: Read = { resources: [], inherits: 0 };
  while (!blocks.atEnd) {
    const block = blocks.sequence('address family');
    const code = block.octets('address family identifier');
    const family = families.find(each => equalBytes(each.code, code))?.family;
    if (family === undefined) throw new ProfileError('An address family is neither IPv4 nor IPv6, or names a SAFI');
    if (block.maybe(tags.null, 'inherit') !== undefined) read.inherits++;
    else {
      const ranges = block.sequence('list of addresses');
      while (!ranges.atEnd) read.resources.push(readRange(family, ranges.any('address range')));
    }
    block.end();
  }
  return read;
}

function readRange(family: Family, range: Element): NumberResource {
  if (range.tag === tags.bitString) {
    const { value, length, width } = addressBitsOf(family, range);
    return { family, first: value, last: value | ((1n << BigInt(width - length)) - 1n) };
  }
  if (range.tag !== tags.sequence) throw new ProfileError('An address range is neither a prefix nor two ends');
  const ends = new DerReader(range.content, 'An address range');
  const first = addressBitsOf(family, ends.one(tags.bitString, 'first address'));
  const last = addressBitsOf(family, ends.one(tags.bitString, 'last address'));
  ends.end();
  const end = last.value | ((1n << BigInt(last.width - last.length)) - 1n);
  if (first.value > end) throw new ProfileError('An address range ends before it starts');
  return { family, first: first.value, last: end };
}

/** Returns the address whose leading bits are in a BIT STRING, the others zero. */
export function addressBitsOf(family: Family, bits: Element): { value: bigint; length: number; width: number } {
  const { bytes, unused } = bitsOf(bits, 'An address');
  const width = addressBits(family);
  const length = bytes.length * 8 - unused;
  if (length > width) throw new ProfileError('An address has more bits than its family');
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return { value: (value >> BigInt(unused)) << BigInt(width - length), length, width };
}

function readAsIdentifiers(bytes: Uint8Array): Read {
  const identifiers = new DerReader(bytes, 'The AS number extension').sequence('list of AS numbers');
  const numbers = identifiers.inside(tags.context(0), 'AS numbers');
  identifiers.end();
  if (numbers.maybe(tags.null, 'inherit') !== undefined) {
    numbers.end();
    return { resources: [], inherits: 1 };
  }
  const list = numbers.sequence('AS numbers');
  numbers.end();
  const resources: NumberResource[] = [];
  while (!list.atEnd) resources.push(readAsRange(list.any('AS number')));
  return { resources, inherits: 0 };
}

function readAsRange(range: Element): NumberResource {
  if (range.tag === tags.integer) {
    const only = asNumberOf(integerOf(range, 'An AS number'));
    return { family: 'asn', first: only, last: only };
  }
  if (range.tag !== tags.sequence) throw new ProfileError('An AS range is neither a number nor two ends');
  const ends = new DerReader(range.content, 'An AS range');
  const first = asNumberOf(ends.integer('first AS number'));
  const last = asNumberOf(ends.integer('last AS number'));
  ends.end();
  if (first > last) throw new ProfileError('An AS range ends before it starts');
  return { family: 'asn', first, last };
}

/** An AS number of four bytes. */
export function asNumberOf(value: bigint): number {
  if (value > maxAs) throw new ProfileError(`${value} is above the largest AS number`);
  return Number(value);
}

/**
 * Parses the two extensions of a certificate, or the parts of a checklist.
 * @param deviates called where only some kinds of numbers are inherited, and there are no others
 * @throws {ProfileError} also if they are not in canonical form, are empty, or inherit some and list others
 */
export function decodeResources(
  addressBlocks: Uint8Array | null,
  asIdentifiers: Uint8Array | null,
  deviates: Deviation = refuseDeviations,
): CertifiedResources {
  const addresses = addressBlocks === null ? { resources: [], inherits: 0 } : readAddressBlocks(addressBlocks);
  const numbers = asIdentifiers === null ? { resources: [], inherits: 0 } : readAsIdentifiers(asIdentifiers);
  const inherits = addresses.inherits + numbers.inherits;
  const listed = [...addresses.resources, ...numbers.resources];
  const inheritsSome = 'The certificate inherits resources of some kinds only';
  if (inherits !== 0 && listed.length > 0) throw new ProfileError(inheritsSome);
  if (inherits === 1 || inherits === 2) {
    deviates(inheritsSome);
    return 'inherit';
  }
  const resources: CertifiedResources = inherits === 3 ? 'inherit' : resourceSetOf(listed);
  if (resources !== 'inherit' && isEmptySet(resources)) throw new ProfileError('The certificate has no resources');
  if (!sameOrNull(addressBlocks, encodeAddressBlocks(resources)))
    throw new ProfileError('The IP address extension is not in canonical form');
  if (!sameOrNull(asIdentifiers, encodeAsIdentifiers(resources)))
    throw new ProfileError('The AS number extension is not in canonical form');
  return resources;
}

const sameOrNull = (a: Uint8Array | null, b: Uint8Array | null): boolean => (a === null || b === null ? a === b : equalBytes(a, b));

/** All numbers there are: what a trust anchor is for. */
export const allResources: ResourceSet = resourceSetOf([
  { family: 'ipv4', first: 0n, last: 2n ** 32n - 1n },
  { family: 'ipv6', first: parseAddress('::').value, last: 2n ** 128n - 1n },
  { family: 'asn', first: 0, last: Number(maxAs) },
]);
