import { MINUTE_MS } from '@portal/contract/days';
import { tabStorage } from '../auth/stored-user.ts';
import type { InterruptedCall } from '../kit/kit.ts';

type Kept = InterruptedCall & { returned?: true };

const key = 'interrupted-call';
/** Lifetime of a sign-in request. */
const patienceMs = 15 * MINUTE_MS;

const holdsFile = (input: unknown): boolean => (input as { body?: unknown } | null)?.body instanceof Blob;

/**
 * Keeps a change until its redirect is back. A file, and a change that is larger than the browser keeps, is asked for again by the
 * person, who signs in all the same.
 */
export function storeInterruptedCall(call: InterruptedCall, storage = tabStorage()): void {
  if (holdsFile(call.input)) dropInterruptedCall(storage);
  else keep(call, storage);
}

/** @returns whether there was one */
export function dropInterruptedCall(storage = tabStorage()): boolean {
  const had = typeof storage?.getItem(key) === 'string';
  storage?.removeItem(key);
  return had;
}

/**
 * Called on the return from the provider. The change is kept for the document that the person returns to if this redirect interrupted it; otherwise
 * it is dropped.
 */
export function markReturned(redirect: string | null, storage = tabStorage()): void {
  const kept = read(storage);
  if (kept && redirect !== null && kept.redirect === redirect) keep({ ...kept, returned: true }, storage);
  else storage?.removeItem(key);
}

/**
 * Returns the change whose redirect led to this address, for a document that was just opened, and clears the storage: a document opened in any other
 * way drops an interrupted change.
 */
export function takeReturnedCall(address: string, storage = tabStorage(), now = Date.now()): InterruptedCall | null {
  const kept = read(storage);
  storage?.removeItem(key);
  if (!kept?.returned || kept.address !== address || now - kept.at > patienceMs) return null;
  const { returned: _, ...call } = kept;
  return call;
}

function keep(call: Kept, storage: Storage | null): void {
  try {
    storage?.setItem(key, JSON.stringify(call));
  } catch {
    storage?.removeItem(key);
  }
}

function read(storage: Storage | null): Kept | null {
  try {
    return JSON.parse(storage?.getItem(key) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}
