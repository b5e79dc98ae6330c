import { type AddressFamily, parseAddress, parsePrefix, parseRange, printAddress, printEnds, printPrefix } from '@portal/number-resources';
import { quote } from '../problem.ts';
import { readResource, type Syntax, type SyntaxReading, wrong } from './reading.ts';

/** `192.0.2.0 - 192.0.2.255`; a prefix is taken and written as the range it is. */
export const readIpv4Range: Syntax = value => {
  if (value.includes(':')) return wrong('wrong-family', `${quote(value)} is IPv6. Use inet6num for IPv6 addresses`);
  if (!value.includes('-') && !value.includes('/'))
    return wrong('range-incomplete', `${quote(value)} isn’t a range. Enter both ends, such as 192.0.2.0 - 192.0.2.255`);
  return readResource(() => printEnds(parseRange(value)));
};

/** A full IPv4 prefix with host bits zero: `192.0.2.0/24`. */
export const readIpv4Prefix: Syntax = value => readPrefixOf('ipv4', value);

/** A full IPv6 prefix with host bits zero, printed as RFC 5952 says: `2001:db8::/32`. */
export const readIpv6Prefix: Syntax = value => readPrefixOf('ipv6', value);

/** One IPv4 or IPv6 address. */
export function readAddress(value: string): SyntaxReading {
  return readResource(() => printAddress(parseAddress(value)));
}

function readPrefixOf(family: AddressFamily, value: string): SyntaxReading {
  if (value.includes(':') !== (family === 'ipv6'))
    return family === 'ipv6'
      ? wrong('wrong-family', `${quote(value)} isn’t an IPv6 prefix. Enter one such as 2001:db8::/32`)
      : wrong('wrong-family', `${quote(value)} is IPv6. Enter an IPv4 prefix here, such as 192.0.2.0/24`);
  return readResource(() => printPrefix(parsePrefix(value)));
}
