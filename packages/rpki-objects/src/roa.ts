import { addressBits, type Prefix, prefixAt, printPrefix } from '@portal/number-resources';
import { equalBytes } from './bytes.ts';
import { DerReader } from './der-reader.ts';
import { type Deviation, refuseDeviations } from './deviation.ts';
import { integer, leadingBits, octetString, sequence, tags } from './der-writer.ts';
import { ProfileError } from './profile-error.ts';
import { addressBitsOf, asNumberOf } from './resources.ts';

/** A prefix that an AS may originate, and more specific ones of it down to `maxLength`. */
export type RoaPrefix = { prefix: Prefix; maxLength: number };
/** A route origin authorisation (RFC 9582). AS 0: the prefixes must not be originated. */
export type Roa = { asNumber: number; prefixes: readonly RoaPrefix[] };

const families = [
  { family: 'ipv4', code: Uint8Array.of(0, 1) },
  { family: 'ipv6', code: Uint8Array.of(0, 2) },
] as const;

/** The order of RFC 9582, section 4.3.2.1: address, prefix length, maximum length. */
function comparePrefixes(a: RoaPrefix, b: RoaPrefix): number {
  if (a.prefix.first !== b.prefix.first) return a.prefix.first < b.prefix.first ? -1 : 1;
  return a.prefix.length - b.prefix.length || a.maxLength - b.maxLength;
}

/**
 * The content of a ROA in canonical form: version left out, IPv4 first, prefixes in order and each once, maximum length left out where it is the length.
 * @throws {RangeError} for a ROA without prefixes, or a maximum length that its prefix cannot have
 */
export function encodeRoa({ asNumber, prefixes }: Roa): Uint8Array {
  if (prefixes.length === 0) throw new RangeError('A ROA needs a prefix');
  const blocks = families.flatMap(({ family, code }) => {
    const own = prefixes.filter(({ prefix }) => prefix.family === family).sort(comparePrefixes);
    const once = own.filter((each, index) => index === 0 || comparePrefixes(own[index - 1]!, each) !== 0);
    return once.length === 0 ? [] : [sequence(octetString(code), sequence(...once.map(encodePrefix)))];
  });
  return sequence(integer(asNumber), sequence(...blocks));
}

function encodePrefix({ prefix, maxLength }: RoaPrefix): Uint8Array {
  const width = addressBits(prefix.family);
  if (maxLength < prefix.length || maxLength > width)
    throw new RangeError(`${printPrefix(prefix)} cannot have the maximum length ${maxLength}`);
  const address = leadingBits(prefix.first, width, prefix.length);
  return maxLength === prefix.length ? sequence(address) : sequence(address, integer(maxLength));
}

/**
 * Reads the content of a ROA.
 * @param deviates called for what is not in canonical form: prefixes in another order or twice, a maximum length that repeats the length
 * @throws {ProfileError}
 */
export function decodeRoa(content: Uint8Array, deviates: Deviation = refuseDeviations): Roa {
  const outer = new DerReader(content, 'The ROA');
  const parts = outer.sequence('ROA');
  outer.end();
  if (parts.nextTag === tags.context(0)) throw new ProfileError('The ROA writes out its version, or has another than 0');
  const asNumber = asNumberOf(parts.integer('AS number'));
  const blocks = parts.sequence('prefixes');
  parts.end();
  const prefixes: RoaPrefix[] = [];
  while (!blocks.atEnd) {
    const block = blocks.sequence('address family');
    const code = block.octets('address family');
    const family = families.find(each => equalBytes(each.code, code))?.family;
    if (family === undefined) throw new ProfileError('An address family of the ROA is neither IPv4 nor IPv6');
    const list = block.sequence('prefixes');
    block.end();
    if (list.atEnd) throw new ProfileError('An address family of the ROA has no prefix');
    while (!list.atEnd) {
      const one = list.sequence('prefix');
      const { value, length, width } = addressBitsOf(family, one.one(tags.bitString, 'prefix'));
      const maxLength = one.atEnd ? length : Number(one.integer('maximum length'));
      one.end();
      const prefix = prefixAt(family, value, length);
      if (maxLength < length || maxLength > width)
        throw new ProfileError(`${printPrefix(prefix)} cannot have the maximum length ${maxLength}`);
      prefixes.push({ prefix, maxLength });
    }
  }
  if (prefixes.length === 0) throw new ProfileError('The ROA has no prefix');
  const roa = { asNumber, prefixes };
  if (!equalBytes(encodeRoa(roa), content)) deviates('The ROA is not in canonical form');
  return roa;
}
