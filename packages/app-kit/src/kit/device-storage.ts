/** The part of a storage that the apps use. */
export type DeviceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const entries = new Map<string, string>();
const ofDocument: DeviceStorage = {
  getItem: key => entries.get(key) ?? null,
  setItem: (key, value) => void entries.set(key, value),
  removeItem: key => void entries.delete(key),
};

/**
 * Returns the storage of this device. Where the browser denies access to it, as in a framed page of another site while third-party data is blocked, what is
 * stored lasts as long as the document.
 */
export function deviceStorage(): DeviceStorage {
  try {
    return window.localStorage;
  } catch {
    return ofDocument;
  }
}
