import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6, type Socket } from 'node:net';

/** Which proxies in front are trusted: this many, counted from this server outwards, or all in these networks. */
export type TrustedProxies = { hops: number } | { networks: readonly string[] };

/** Reads BEHIND_PROXY: `no`, `yes` (one proxy), the number of proxies, or their networks. Null when it is none of these. */
export function readTrustedProxies(value: string): TrustedProxies | null {
  if (/^(no|false|off|)$/i.test(value)) return { hops: 0 };
  if (/^(yes|true|on)$/i.test(value)) return { hops: 1 };
  if (/^\d$/.test(value)) return { hops: Number(value) };
  const networks = value.split(',').map(item => item.trim());
  return networks.every(isNetwork) ? { networks } : null;
}

function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  return family !== 0 && more.length === 0 && (length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= most));
}

/** Returns the address of a request's sender: always a valid address, never other text from the header. */
export type CallerAddress = (request: IncomingMessage) => string;

/** Address of a connection that the client reset before its address was read. */
const GONE = '0.0.0.0';

/**
 * Returns the function that finds a caller's address. Each proxy appends the address it was called from to X-Forwarded-For, so the list is read
 * from its end: everything before the entry of the first untrusted proxy was written by the client and can't be trusted.
 * An invalid entry ends the walk at the proxy that wrote it.
 */
export function openCallerAddress(trusted: TrustedProxies): CallerAddress {
  const isTrusted = 'hops' in trusted ? (_address: string, hop: number): boolean => hop < trusted.hops : within(trusted.networks);
  return request => {
    let address = peerOf(request.socket);
    const header = request.headers['x-forwarded-for'];
    const entries = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
    for (let hop = 0; isTrusted(address, hop); hop++) {
      const before = addressIn(entries.pop() ?? '');
      if (before === null) break;
      address = before;
    }
    return address;
  };
}

/** Reads the address of a new connection while the system still knows it, and stores it with the socket. */
export function notePeer(socket: Socket): void {
  peers.set(socket, plain(socket.remoteAddress ?? GONE));
}
const peers = new WeakMap<Socket, string>();
const peerOf = (socket: Socket): string => peers.get(socket) ?? plain(socket.remoteAddress ?? GONE);

/** Writes IPv4 clients of an IPv6 socket as IPv4, and removes the zone of a link-local address. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');

/** The address of an entry; some proxies append its port (`192.0.2.1:443`, `[2001:db8::1]:443`). */
function addressIn(entry: string): string | null {
  const text = entry.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = plain(bare);
  return isIPv4(address) || isIPv6(address) ? address : null;
}

function within(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    list.addSubnet(address, length === undefined ? (family === 'ipv4' ? 32 : 128) : Number(length), family);
  }
  return address => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's address, as far as it can be trusted. Fastify's own `ip` throws once the connection is gone, and trusts what a client sends. */
    address: string;
  }
}
