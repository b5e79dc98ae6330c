import type { PreferenceChange, Preferences as Kept, TableState } from '@portal/contract/identity/people';
import { type DeviceStorage, deviceStorage } from '../kit/device-storage.ts';
import type { Preferences } from '../kit/kit.ts';

export type PreferencesOptions = {
  userId: string;
  initial: Kept;
  /** Saves changes on the server; several within a second arrive as several calls in order, one per setting. */
  save: (change: PreferenceChange) => Promise<unknown>;
  storage?: DeviceStorage;
  delayMs?: number;
};

const keyOf = (userId: string): string => `preferences:${userId}`;

/** The settings kept on this device; null when there are none. */
export function localPreferences(userId: string, storage: DeviceStorage = deviceStorage()): Kept | null {
  try {
    const kept = JSON.parse(storage.getItem(keyOf(userId)) ?? 'null') as Kept | null;
    return kept && typeof kept === 'object' && typeof kept.tables === 'object' ? kept : null;
  } catch {
    return null;
  }
}

const applied = (kept: Kept, { table, ...settings }: PreferenceChange): Kept => ({
  ...kept,
  ...settings,
  tables: table ? { ...kept.tables, [table.id]: table.state } : kept.tables,
});

export function createPreferences({ userId, initial, save, storage = deviceStorage(), delayMs = 1000 }: PreferencesOptions): Preferences {
  let kept = initial;
  /** By setting or table, so that the last one wins. */
  const unsaved = new Map<string, PreferenceChange>();
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const set = (next: Kept) => {
    kept = next;
    try {
      storage.setItem(keyOf(userId), JSON.stringify(kept));
    } catch {
      // no storage left on this device: the server keeps them
    }
    for (const listener of listeners) listener();
  };
  const flush = async () => {
    const changes = [...unsaved.values()];
    unsaved.clear();
    for (const change of changes) await save(change);
  };
  return {
    get: () => kept,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(change) {
      for (const [name, value] of Object.entries(change) as [keyof PreferenceChange, never][]) {
        if (value !== undefined) unsaved.set(name === 'table' ? `table:${change.table?.id}` : name, { [name]: value });
      }
      set(applied(kept, change));
      clearTimeout(timer);
      timer = setTimeout(() => void flush(), delayMs);
    },
    receive(server) {
      set([...unsaved.values()].reduce(applied, server));
    },
  };
}

export type { Kept, TableState };
