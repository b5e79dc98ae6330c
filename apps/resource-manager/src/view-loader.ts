import type { ComponentType } from 'react';

type View = { default: ComponentType };
export type ViewLoader = () => Promise<View>;

/**
 * Returns a loader that caches its view. React's `lazy` accepts a synchronous answer without suspending, whereas even a
 * settled promise costs a skeleton and the 300 ms for which React then delays the page.
 */
export function rememberView(load: ViewLoader): ViewLoader {
  let view: View | null = null;
  return () => {
    if (view) return atOnce(view);
    return load().then(loaded => (view = loaded));
  };
}

/** A promise whose `then` calls back before it returns. */
function atOnce(view: View): Promise<View> {
  const settled = Promise.resolve(view);
  // oxlint-disable-next-line unicorn/no-thenable -- being one is the point
  return Object.assign(settled, { then: (done?: (view: View) => unknown) => (done ? done(view) : settled) });
}
