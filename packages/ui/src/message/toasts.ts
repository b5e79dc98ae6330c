import type { ReactNode } from 'react';

export type Toast = {
  toastId: number;
  kind: 'done' | 'error' | 'info';
  text: ReactNode;
  /** A link to the receipt, the task, the object. */
  action?: ReactNode;
  /** It stays until dismissed, and others don’t push it out. */
  stays?: boolean;
};

/** The list of what happened elsewhere; a `ToastRegion` shows it. */
export type Toasts = {
  /** Adds one at the end and answers its id. A list never holds more than four, and those that stay. */
  show: (toast: Omit<Toast, 'toastId' | 'kind'> & { kind?: Toast['kind'] }) => number;
  dismiss: (toastId: number) => void;
  subscribe: (listener: () => void) => () => void;
  list: () => readonly Toast[];
};

/** An empty list of toasts. One an application. */
export function createToasts(): Toasts {
  let list: readonly Toast[] = [];
  let last = 0;
  const listeners = new Set<() => void>();
  const set = (next: readonly Toast[]) => {
    list = next;
    for (const listener of listeners) listener();
  };
  return {
    show(toast) {
      last += 1;
      set([...list.filter(({ stays }, place) => stays || place > list.length - 4), { kind: 'done', ...toast, toastId: last }]);
      return last;
    },
    dismiss(toastId) {
      set(list.filter(toast => toast.toastId !== toastId));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    list: () => list,
  };
}
