import { parseAddress } from './address.ts';
import { asRangeOfCount, parseAsNumber } from './as-number.ts';
import { familyName, type ResourceFamily } from './family.ts';
import { prefixAt, printPrefix } from './prefix.ts';
import { rangeOfCount } from './range.ts';
import type { NumberResource } from './resource.ts';
import { quoteInput, ResourceSyntaxError } from './syntax-error.ts';

/**
 * Reads the columns `type`, `start` and `value` of a line of an RIR statistics exchange file: value is a count of addresses for IPv4 (not always a
 * power of two), a prefix length for IPv6, a count of AS numbers for asn.
 * @throws {ResourceSyntaxError} for a start or value that does not fit the type, {RangeError} when the count leads out of the number space.
 */
export function parseStatisticsResource(type: ResourceFamily, start: string, value: string): NumberResource {
  if (!/^\d{1,10}$/.test(value)) throw new ResourceSyntaxError('NOT_ACCEPTED', `${quoteInput(value)} is not a count or prefix length`);
  if (type === 'asn') return asRangeOfCount(parseAsNumber(start), Number(value));
  const address = parseAddress(start);
  if (address.family !== type)
    throw new ResourceSyntaxError('MIXED_FAMILIES', `${quoteInput(start)} is not an ${familyName(type)} address`);
  if (type === 'ipv4') return rangeOfCount(address, Number(value));
  const prefix = prefixAt('ipv6', address.value, Number(value));
  if (prefix.first !== address.value)
    throw new ResourceSyntaxError('HOST_BITS_SET', `${quoteInput(start)}/${value} has host bits set`, printPrefix(prefix));
  return { family: 'ipv6', first: prefix.first, last: prefix.last };
}
