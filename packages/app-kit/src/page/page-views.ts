import { type ComponentType, createElement, lazy, type ReactElement } from 'react';
import { retryOrReload, reloadDocument } from '../first/load-code.ts';

export type ViewLoader = () => Promise<{ default: ComponentType }>;
export type PageViews = {
  /** Starts to load the view of a page before it is drawn; a failure shows when the page is opened. Resolves once it has come or failed. */
  load: (name: string) => Promise<void>;
  /** Returns an element of a page's view, of the same component for as long as the document is open; null for a page without a loader. */
  elementOf: (name: string) => ReactElement | null;
};

/**
 * Returns the views of an application's pages. A view whose code has arrived is drawn with its page. One that hasn't suspends, and React keeps a
 * skeleton for at least 300 ms.
 */
export function createPageViews(loaders: Readonly<Record<string, ViewLoader>>): PageViews {
  const loaded = new Map<string, ComponentType>();
  const given = new Map<string, ComponentType>();
  const has = (name: string): boolean => Object.hasOwn(loaders, name);
  const load = async (name: string): Promise<void> => {
    const loader = has(name) ? loaders[name] : undefined;
    if (!loader || loaded.has(name)) return;
    await loader().then(
      module => loaded.set(name, module.default),
      () => undefined,
    );
  };
  /** Chosen when it is drawn, not when its element is made: the code may arrive while the page waits for the session. */
  function View({ name }: { name: string }): ReactElement {
    const view = given.get(name) ?? loaded.get(name) ?? lazy(retryOrReload(loaders[name]!, reloadDocument));
    given.set(name, view);
    return createElement(view);
  }
  const elementOf = (name: string): ReactElement | null => (has(name) ? createElement(View, { name, key: name }) : null);
  return { load, elementOf };
}
