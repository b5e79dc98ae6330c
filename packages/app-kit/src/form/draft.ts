import { DAY_MS } from '@portal/contract/days';
import { holdsAuthSecret } from '@portal/contract/whois/auth-secrets';
import { useState } from 'react';
import { type DeviceStorage, deviceStorage } from '../kit/device-storage.ts';
import { useSession } from '../session/session.ts';

/** A draft that was not touched for this long is removed. */
const longestMs = 7 * DAY_MS;
const keyOf = (userId: string, name: string): string => `draft:${userId}:${name}`;

/** Returns the unsent input; null if there is none. */
export const readDraft = <T>(userId: string, name: string, storage: DeviceStorage = deviceStorage()): T | null =>
  readKept<T>(userId, name, storage)?.value ?? null;

function readKept<T>(userId: string, name: string, storage: DeviceStorage): { at: string | null; value: T | null } | null {
  try {
    const text = storage.getItem(keyOf(userId, name));
    if (text === null) return null;
    const { at, value } = JSON.parse(text) as { at?: unknown; value?: T };
    if (isOver(at)) {
      storage.removeItem(keyOf(userId, name));
      return null;
    }
    return { at: typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? at : null, value: value ?? null };
  } catch {
    return null;
  }
}

/** Stores the unsent input. Input with a maintainer's password is not stored, and an earlier draft of it is removed. */
export function writeDraft(userId: string, name: string, value: unknown, storage: DeviceStorage = deviceStorage()): void {
  if (holdsSecret(value)) return dropDraft(userId, name, storage);
  try {
    storage.setItem(keyOf(userId, name), JSON.stringify({ at: new Date().toISOString(), value }));
  } catch {
    // no storage left: the input lasts as long as the page
  }
}

export function dropDraft(userId: string, name: string, storage: DeviceStorage = deviceStorage()): void {
  storage.removeItem(keyOf(userId, name));
}

/** Removes all drafts of a person on this device, at sign-out, and expired ones of anyone. */
export function dropDrafts(userId: string | null, storage: DeviceStorage = deviceStorage()): void {
  for (const key of Object.keys(storage)) {
    if (!key.startsWith('draft:')) continue;
    if ((userId !== null && key.startsWith(`draft:${userId}:`)) || isOver(timeOf(storage.getItem(key)))) storage.removeItem(key);
  }
}

/** One without a time is from an older release and counts as expired. */
const isOver = (at: unknown): boolean => typeof at !== 'string' || !(Date.now() - Date.parse(at) < longestMs);

function timeOf(text: string | null): unknown {
  try {
    return (JSON.parse(text ?? 'null') as { at?: unknown } | null)?.at;
  } catch {
    return null;
  }
}

function holdsSecret(value: unknown): boolean {
  if (typeof value === 'string') return holdsAuthSecret(value);
  return (
    typeof value === 'object' && value !== null && Object.entries(value).some(([name, each]) => holdsSecret(each) || isAuth(name, each))
  );
}

/** A separate field for one value of `auth`. */
const isAuth = (name: string, value: unknown): boolean => name === 'auth' && typeof value === 'string' && holdsAuthSecret(`auth: ${value}`);

export type Draft<T> = {
  value: T;
  set: (value: T) => void;
  /** After sending or discarding: nothing is kept, the form starts again. */
  discard: () => void;
  /** It was restored from an earlier visit. */
  restored: boolean;
  /** When what was found was last typed; null where it was not found, or that is not known. */
  restoredFrom: string | null;
  /** When it was last stored on this visit; null before that. */
  savedAt: string | null;
};

/**
 * Form input that survives a reload, the end of the session and a lost connection. Stored on this device for this person, under the name of the form,
 * with the account if it belongs to one.
 */
export function useDraft<T>(name: string, initial: T): Draft<T> {
  const { userId } = useSession().person;
  const [state, setState] = useState(() => {
    const kept = readKept<T>(userId, name, deviceStorage());
    const found = kept !== null && kept.value !== null;
    return { value: kept?.value ?? initial, restored: found, restoredFrom: found ? kept.at : null, savedAt: null as string | null };
  });
  return {
    ...state,
    set(value) {
      writeDraft(userId, name, value);
      setState(previous => ({ ...previous, value, savedAt: new Date().toISOString() }));
    },
    discard() {
      dropDraft(userId, name);
      setState({ value: initial, restored: false, restoredFrom: null, savedAt: null });
    },
  };
}
