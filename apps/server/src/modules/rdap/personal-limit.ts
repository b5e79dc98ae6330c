import { isIPv6 } from 'node:net';
import { parseAddress, prefixAt, printPrefix } from '@portal/number-resources';

/** Counts what each address asked for of persons today (UTC); IPv6 by /64, which one subscriber has. */
export type PersonalLimit = {
  /** Counts one more; answers the seconds until midnight when it is one too many, else null. */
  take(address: string): number | null;
};

const MS_PER_DAY = 86_400_000;
/** Addresses that are remembered; of more, the ones seen first are forgotten. */
const MOST = 200_000;

export function personalLimit(perDay: number, clock: () => Date): PersonalLimit {
  let day = 0;
  const counts = new Map<string, number>();
  return {
    take: address => {
      const now = clock().getTime();
      const today = Math.floor(now / MS_PER_DAY);
      if (today !== day) {
        day = today;
        counts.clear();
      }
      const client = clientOf(address);
      const count = (counts.get(client) ?? 0) + 1;
      if (count === 1 && counts.size >= MOST) counts.delete(counts.keys().next().value!);
      counts.set(client, count);
      return count <= perDay ? null : Math.ceil(((today + 1) * MS_PER_DAY - now) / 1000);
    },
  };
}

function clientOf(address: string): string {
  const ipv4 = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address;
  return printPrefix(prefixAt('ipv6', parseAddress(address.replace(/%.*$/, '')).value, 64));
}
