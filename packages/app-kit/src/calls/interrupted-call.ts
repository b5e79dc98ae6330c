/** A change that stopped because the provider has to ask for a second factor first. */
export type InterruptedCall = { endpoint: string; input: unknown; userId: string; path: string; at: number };

const key = 'interrupted-call';
/** Lifetime, in ms, of a sign-in request. */
const patienceMs = 900_000;

/** Keeps a change until its page is back. One that is larger than the browser keeps is asked for again by the person, who signs in all the same. */
export function storeInterruptedCall(call: InterruptedCall, storage: Storage = sessionStorage): void {
  try {
    storage.setItem(key, JSON.stringify(call));
  } catch {
    storage.removeItem(key);
  }
}

export function dropInterruptedCall(storage: Storage = sessionStorage): void {
  storage.removeItem(key);
}

/** The input of the change that was interrupted on this page for this person; null otherwise. It is handed out once. */
export function takeInterruptedCall(
  endpoint: string,
  userId: string,
  path: string,
  storage: Storage = sessionStorage,
  now = Date.now(),
): unknown {
  const text = storage.getItem(key);
  if (!text) return null;
  let call: InterruptedCall;
  try {
    call = JSON.parse(text) as InterruptedCall;
  } catch {
    storage.removeItem(key);
    return null;
  }
  if (call.userId !== userId || now - call.at > patienceMs) {
    storage.removeItem(key);
    return null;
  }
  if (call.endpoint !== endpoint || call.path !== path) return null;
  storage.removeItem(key);
  return call.input;
}
