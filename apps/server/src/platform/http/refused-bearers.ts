import { MINUTE_MS } from '@portal/contract/days';
import type { Log } from '../log.ts';

/** A browser with an old token gets one or two calls refused; this many in a minute are an attack. */
const MANY = 30;
const MAX_ADDRESSES = 10_000;

/** Counts refused bearers by address and says in the log, once a minute and address, when they are many (S38). */
export function watchRefusedBearers(log: Log, elapsedMs = () => performance.now()): (address: string, traceId: string) => void {
  const refused = new Map<string, number>();
  let since = elapsedMs();
  return (address, traceId) => {
    if (elapsedMs() - since >= MINUTE_MS || refused.size >= MAX_ADDRESSES) {
      refused.clear();
      since = elapsedMs();
    }
    const count = (refused.get(address) ?? 0) + 1;
    refused.set(address, count);
    if (count === MANY) log.warn('security event', { event: 'many-refused-bearers', count, address, traceId });
  };
}
