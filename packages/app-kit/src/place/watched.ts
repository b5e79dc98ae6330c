/** A value that components watch, as `useSyncExternalStore` wants it. */
export type Watched<T> = { get: () => T; set: (value: T) => void; subscribe: (listener: () => void) => () => void };

/** Creates a watched value. Setting it calls every listener, even with an equal value. */
export function createWatched<T>(value: T): Watched<T> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
