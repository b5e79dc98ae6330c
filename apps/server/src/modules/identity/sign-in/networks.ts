import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network an address belongs to, for telling places apart: the /24 of an IPv4 address, the /48 of an IPv6 address; null if it isn't an address.
 * Providers change the rest of an address from day to day.
 */
export function networkOf(address: string | null): string | null {
  const host = address?.split('/', 1)[0]?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
  if (isIPv4(host)) return `${host.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(host)) return null;
  const [head = '', tail] = host.split('%', 1)[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const whole = [...groups, ...Array<string>(Math.max(0, 8 - groups.length - behind.length)).fill('0'), ...behind];
  const first = whole.slice(0, 3).map(group => Number.parseInt(group, 16).toString(16));
  return `${first.join(':')}::/48`;
}
