import { createHash } from 'node:crypto';
import { BadMessage, type DnsMessage, type DnsRecord, nameIn, recordTypes, wireNameOf } from '../../../adapters/dns/message.ts';

/** Iterations beyond which validators treat an NSEC3 zone as unsigned (RFC 9276); nothing is computed for them. */
const MAX_ITERATIONS = 150;

/** Compares names as DNSSEC orders them: label by label from the right, as bytes (RFC 4034, section 6.1). */
function compareNames(one: string, other: string): number {
  const [a, b] = [one, other].map(name => name.split('.').reverse()) as [string[], string[]];
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = Buffer.compare(Buffer.from(a[at]!, 'latin1'), Buffer.from(b[at]!, 'latin1'));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const digits = '0123456789abcdefghijklmnopqrstuv';
/** Digits of NSEC3 owners: base32 with extended hex alphabet, without padding (RFC 4648, section 7). */
function base32hex(bytes: Buffer): string {
  let text = '';
  let [value, bits] = [0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += digits[(value >> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + digits[(value << (5 - bits)) & 31] : text;
}

type Nsec3 = { owner: string; next: string; iterations: number; salt: Buffer };

/** Parses an NSEC3 (RFC 5155, section 3.2); null if it is truncated, or uses another hash than SHA-1. */
function nsec3Of({ name, data }: DnsRecord): Nsec3 | null {
  if (data.length < 6 || data[0] !== 1) return null;
  const saltEnd = 5 + data[4]!;
  const length = data[saltEnd];
  if (length === undefined || saltEnd + 1 + length > data.length) return null;
  return {
    owner: name.split('.')[0]!,
    next: base32hex(data.subarray(saltEnd + 1, saltEnd + 1 + length)),
    iterations: data.readUInt16BE(2),
    salt: data.subarray(5, saltEnd),
  };
}

/** The hash of a name (RFC 5155, section 5). */
function hashOf(name: string, { iterations, salt }: Nsec3): string {
  let digest = wireNameOf(name);
  for (let round = 0; round <= iterations; round++) digest = createHash('sha1').update(digest).update(salt).digest();
  return base32hex(digest);
}

const isBetween = (text: string, { owner, next }: { owner: string; next: string }): boolean =>
  owner < next ? owner < text && text < next : text > owner || text < next;

/**
 * Returns why an answer without records doesn’t prove that its name, directly below the zone, is missing; null if it does. Doesn't check signatures.
 * NXDOMAIN needs a record covering the name and one covering the wildcard (RFC 4035, section 5.4), or their hashes and the zone itself (RFC 5155, section 8.4).
 */
export function denialProblem(zone: string, message: DnsMessage): string | null {
  try {
    return proofProblem(zone, message);
  } catch (error) {
    if (error instanceof BadMessage || error instanceof RangeError)
      return `answers for a missing name with NSEC records that can’t be read: ${error.message}`;
    throw error;
  }
}

function proofProblem(zone: string, { question, code, authority }: DnsMessage): string | null {
  const proof = authority.filter(({ type }) => type === recordTypes.NSEC || type === recordTypes.NSEC3);
  if (proof.length === 0) return 'answers for a missing name without NSEC or NSEC3';
  const name = question?.name ?? '';
  const uncovered = 'answers for a missing name with NSEC records that don’t cover it';
  const ranges = proof
    .filter(({ type }) => type === recordTypes.NSEC)
    .map(record => ({ owner: record.name, next: nameIn(record).toLowerCase() }));
  const covers = (wanted: string): boolean =>
    ranges.some(
      ({ owner, next }) =>
        compareNames(owner, wanted) < 0 && (compareNames(wanted, next) < 0 || compareNames(next, owner) <= 0 || next === zone),
    );
  if (ranges.length > 0) {
    // The name itself without the type: some signers generate one per question (RFC 9824).
    if (code === 0) return covers(name) || ranges.some(({ owner }) => owner === name) ? null : uncovered;
    return covers(name) && covers(`*.${zone}`) ? null : uncovered;
  }
  const hashed = proof.map(nsec3Of).filter(each => each !== null);
  if (hashed.some(({ iterations }) => iterations > MAX_ITERATIONS)) return null;
  const hasOwner = (wanted: string): boolean => hashed.some(each => each.owner === hashOf(wanted, each));
  const hasGap = (wanted: string): boolean => hashed.some(each => isBetween(hashOf(wanted, each), each));
  if (hasOwner(name) && code === 0) return null;
  return hasOwner(zone) && hasGap(name) ? null : uncovered.replace('NSEC', 'NSEC3');
}
