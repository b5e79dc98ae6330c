import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { type Address, addressLookup, type AddressLookup } from './address-lookup.ts';
import { isPublicAddress } from './public-address.ts';

/** How long, in ms, a delivery may take: the lookup of the receiver's name and its answer together. The lease of a delivery is longer. */
const LIMIT_MS = 15_000;
/** Characters of an answer that are kept. */
const KEPT = 500;

type Sent = { status: number | null; problem: string | null; answer: string };
type Content = { headers: Readonly<Record<string, string>>; content: string };

const askNameServers = addressLookup();
/** Where receivers may be anywhere, in the system's own network too, its own lookup knows names that name servers don't. */
const askSystemToo: AddressLookup = async (host, signal) => {
  try {
    return await askNameServers(host, signal);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOTFOUND') throw error;
    return lookup(host, { all: true });
  }
};

/**
 * Sends webhooks over HTTP. A name is resolved once, each of its addresses is checked, and the connection is made to the address that was checked: a name that
 * changes its answer meanwhile (DNS rebinding) gains nothing. Redirects are not followed, and no proxy or cookie takes part.
 */
export function openWebhookSender({
  stayPublic,
  isSandbox = false,
  limitMs = LIMIT_MS,
  resolve = stayPublic ? askNameServers : askSystemToo,
}: {
  stayPublic: boolean;
  /** Nothing is called at all. */
  isSandbox?: boolean;
  limitMs?: number;
  resolve?: AddressLookup;
}): { send: (url: string, sent: Content) => Promise<Sent> } {
  return {
    send: async (url, { headers, content }) => {
      if (isSandbox) return failed('this is a sandbox, which calls no one');
      const target = new URL(url);
      if (stayPublic && target.protocol !== 'https:') return failed('only https addresses are called');
      const host = target.hostname.replace(/^\[|\]$/g, '');
      const signal = AbortSignal.timeout(limitMs);
      let addresses: readonly Address[];
      try {
        addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await until(signal, resolve(host, signal));
      } catch (error) {
        return failed(`${host} can’t be resolved (${signal.aborted ? 'no answer' : reasonOf(error)})`);
      }
      const [first] = addresses;
      if (!first) return failed(`${host} has no address`);
      if (stayPublic && !addresses.every(({ address }) => isPublicAddress(address)))
        return failed(`${host} leads to an address that is not public`);
      return post(target, { headers, content, limitMs, signal, pinned: first });
    },
  };
}

const failed = (problem: string): Sent => ({ status: null, problem, answer: '' });

function post(
  target: URL,
  { headers, content, limitMs, signal, pinned }: Content & { limitMs: number; signal: AbortSignal; pinned: Address },
): Promise<Sent> {
  return new Promise(resolve => {
    const body = Buffer.from(content);
    const request = (target.protocol === 'https:' ? https : http).request(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(body.length) },
      // One connection a call: nothing of one member stays open for another.
      agent: false,
      signal,
      lookup: (_host, options, answer) =>
        options.all
          ? (answer as unknown as (error: null, all: (typeof pinned)[]) => void)(null, [pinned])
          : answer(null, pinned.address, pinned.family),
    });
    request.on('error', error => resolve(failed(problemOf(error, limitMs))));
    request.on('response', response => {
      let text = '';
      const status = response.statusCode ?? 0;
      const end = (): void => {
        response.destroy();
        resolve({ status, problem: problemOfStatus(status), answer: text.slice(0, KEPT).replaceAll('\0', '') });
      };
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        // The status says everything; a body without end is not waited for.
        if (text.length >= KEPT) end();
      });
      response.on('end', end);
      response.on('error', end);
    });
    request.end(body);
  });
}

function problemOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `it answered ${status}, and redirects are not followed` : `it answered ${status}`;
}

const problemOf = (error: Error, limitMs: number): string =>
  error.name === 'TimeoutError' || error.name === 'AbortError' ? `no answer within ${limitMs / 1000} seconds` : reasonOf(error);

const reasonOf = (error: unknown): string => (error as { code?: string }).code ?? (error as Error).message;

/** @throws the reason of the signal, if the promise is not settled by then */
function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', end, { once: true });
  return Promise.race([promise, ended]).finally(() => signal.removeEventListener('abort', end));
}
