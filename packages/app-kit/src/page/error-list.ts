import type { ErrorItem } from '@portal/contract';
import { createWatched } from '../place/watched.ts';

/** The errors in the banner at the top: newest first, each once. */
export type ErrorList = {
  list: () => readonly ErrorItem[];
  subscribe: (listener: () => void) => () => void;
  show: (errors: readonly ErrorItem[]) => void;
  dismiss: (error: ErrorItem) => void;
};

const most = 5;

export function createErrorList(onShow: () => void): ErrorList {
  const { get, set, subscribe } = createWatched<readonly ErrorItem[]>([]);
  const same = (a: ErrorItem, b: ErrorItem) => a.code === b.code && a.message === b.message && a.field === b.field;
  return {
    list: get,
    subscribe,
    show(errors) {
      // A repeated error moves to the top with its new trace id.
      set([...errors, ...get().filter(known => !errors.some(error => same(error, known)))].slice(0, most));
      onShow();
    },
    dismiss: error => set(get().filter(known => known !== error)),
  };
}
