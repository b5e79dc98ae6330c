/** The first reads of the pages of an address, in the order in which it was asked, the newest address first. */
type FirstReads = [address: string, paths: string[]][];

const keyOf = (userId: string): string => `first-reads:${userId}`;
/** Addresses remembered, and reads of each: enough for a day's work, and a few kilobytes. */
const most = { addresses: 40, reads: 12 };

function known(userId: string, storage: Storage): FirstReads {
  try {
    const list = JSON.parse(storage.getItem(keyOf(userId)) ?? '[]') as unknown;
    return Array.isArray(list) ? list.filter((one): one is FirstReads[number] => Array.isArray(one) && Array.isArray(one[1])) : [];
  } catch {
    return [];
  }
}

/** The calls with which this person's last visit to the address began: only paths, and none but those of our API. */
export function firstReadsOf(userId: string, address: string, storage: Storage = localStorage): string[] {
  const [, paths] = known(userId, storage).find(([each]) => each === address) ?? [];
  return (paths ?? []).filter(path => typeof path === 'string' && path.startsWith('/api/'));
}

/** Remembers with which calls a visit to the address began, so that the next one asks them before its code has come. */
export function storeFirstReads(userId: string, address: string, paths: readonly string[], storage: Storage = localStorage): void {
  const others = known(userId, storage).filter(([each]) => each !== address);
  const list: FirstReads = [[address, [...new Set(paths)].slice(0, most.reads)], ...others];
  try {
    storage.setItem(keyOf(userId), JSON.stringify(list.slice(0, most.addresses)));
  } catch {
    // No room on this device: the next visit asks in turn.
  }
}

/** Nothing is remembered of anybody's visits. */
export function dropFirstReads(storage: Storage = localStorage): void {
  try {
    for (const key of Object.keys(storage)) if (key.startsWith(keyOf(''))) storage.removeItem(key);
  } catch {
    // Storage is switched off: nothing was kept.
  }
}
