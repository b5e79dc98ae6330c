import type { ErrorItem } from '@portal/contract';

/** The errors in the banner at the top: newest first, each once. */
export type ErrorList = {
  list: () => readonly ErrorItem[];
  subscribe: (listener: () => void) => () => void;
  show: (errors: readonly ErrorItem[]) => void;
  dismiss: (error: ErrorItem) => void;
};

const most = 5;

export function createErrorList(onShow: () => void): ErrorList {
  let list: readonly ErrorItem[] = [];
  const listeners = new Set<() => void>();
  const set = (next: readonly ErrorItem[]) => {
    list = next;
    for (const listener of listeners) listener();
  };
  const same = (a: ErrorItem, b: ErrorItem) => a.code === b.code && a.message === b.message && a.field === b.field;
  return {
    list: () => list,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show(errors) {
      // Said again it moves to the top with its new trace id.
      set([...errors, ...list.filter(known => !errors.some(error => same(error, known)))].slice(0, most));
      onShow();
    },
    dismiss: error => set(list.filter(known => known !== error)),
  };
}
