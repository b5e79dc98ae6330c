import { Component, type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { withRetries } from '@portal/ui/code/with-retries';
import { retryOrReload, reloadDocument } from '../place/load-code.ts';
import { useKit } from './kit.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a component with any properties; those of the module's are kept.
type Any = ComponentType<any>;
type NamesOf<M> = { [K in keyof M]: M[K] extends Any ? K : never }[keyof M];

/**
 * Returns a component of a module that is loaded when it is first shown. It is asked for again when the line broke; if it belongs to a release
 * that is gone, the document is loaded anew. Stands within a `Suspense`.
 */
export const later = <M, K extends NamesOf<M> & string>(load: () => Promise<M>, name: K) =>
  lazy(retryOrReload(() => load().then(module => ({ default: module[name] as M[K] & Any })), reloadDocument));

/**
 * Returns a component of a module that the screen can do without: while it is loaded, if it cannot be loaded and if it fails there is nothing in
 * its place, and everything around it stays. With `onLost` the person asked for it: they read that it could not be loaded, and it is tried again
 * when it is shown the next time.
 */
export function optionalPart<M, K extends NamesOf<M> & string>(load: () => Promise<M>, name: K) {
  const open = () => lazy(withRetries(() => load().then(module => ({ default: module[name] as M[K] & Any }))));
  let Part: Any = open();
  function OptionalPart(props: ComponentProps<M[K] & Any> & { onLost?: () => void }): ReactNode {
    const { onLost, ...rest }: { onLost?: () => void } = props;
    const { notify } = useKit();
    const lost = (): void => {
      // React keeps a part that could not be loaded as it is: the next one begins anew.
      Part = open();
      if (!onLost) return;
      notify({ kind: 'error', text: 'This couldn’t be loaded. Check your connection and try again.' });
      onLost();
    };
    return (
      <OptionalPlace onLost={lost}>
        <Suspense>
          <Part {...rest} />
        </Suspense>
      </OptionalPlace>
    );
  }
  /** Has the code on its way before it is shown; a failure shows then. */
  const ahead = (): void => void load().catch(() => undefined);
  return Object.assign(OptionalPart, { ahead });
}

/** A place for what the screen can do without: empty once that failed. */
export class OptionalPlace extends Component<{ onLost?: () => void; children: ReactNode }, { lost: boolean }> {
  override state = { lost: false };

  static getDerivedStateFromError() {
    return { lost: true };
  }

  override componentDidCatch(): void {
    this.props.onLost?.();
  }

  override render() {
    return this.state.lost ? null : this.props.children;
  }
}
