import { Resolver } from 'node:dns/promises';

export type Address = { address: string; family: number };
/** Returns all addresses of a host, IPv4 first. @param signal ends the lookup @throws Error with the code of the problem */
export type AddressLookup = (host: string, signal: AbortSignal) => Promise<Address[]>;

/** How long, in ms, a name server may take, before it is asked again. */
const PATIENCE_MS = 3_000;
const TRIES = 2;

/** Whether a host merely has no address of a family. */
const isNoAddress = ({ code }: { code?: string }): boolean => code === 'ENODATA' || code === 'ENOTFOUND';

/**
 * Looks up addresses of hosts that strangers name, by asking name servers from this thread. The system's own lookup (getaddrinfo) has two threads for the whole
 * process, and can't be ended: a few zones whose servers are silent would hold up every other lookup, that of the mail server included. The file of hosts isn't
 * read. @param servers instead of the system's
 */
export const addressLookup =
  (servers?: readonly string[]): AddressLookup =>
  async (host, signal) => {
    const resolver = new Resolver({ timeout: PATIENCE_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.throwIfAborted();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = [v4, v6].flatMap((each, index) =>
        each.status === 'fulfilled' ? each.value.map(address => ({ address, family: index === 0 ? 4 : 6 })) : [],
      );
      if (found.length > 0) return found;
      signal.throwIfAborted();
      const errors = [v4, v6].flatMap(each => (each.status === 'rejected' ? [each.reason as Error & { code?: string }] : []));
      throw errors.find(error => !isNoAddress(error)) ?? errors[0] ?? new Error('no address');
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
