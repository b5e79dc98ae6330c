import { Component, type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { withRetries } from '@portal/ui/code/with-retries';
import { retryOrReload, reloadDocument } from '../first/load-code.ts';
import { useKit } from '../kit/kit.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a component with any properties; those of the module's are kept.
type Any = ComponentType<any>;
type NamesOf<M> = { [K in keyof M]: M[K] extends Any ? K : never }[keyof M];

/**
 * Returns a component of a module that is loaded when it is first shown. It is retried if the connection broke; if it belongs to an old release, the
 * document is reloaded. Must be inside a `Suspense`.
 */
export const later = <M, K extends NamesOf<M> & string>(load: () => Promise<M>, name: K) =>
  lazy(retryOrReload(() => load().then(module => ({ default: module[name] as M[K] & Any })), reloadDocument));

/**
 * Returns an optional component of a module: while it loads, if it can't be loaded or if it fails, its place is empty, and everything around it
 * stays. With `onLost` the person asked for it: they are told that it could not be loaded, and it is retried the next time.
 */
export function optionalPart<M, K extends NamesOf<M> & string>(load: () => Promise<M>, name: K) {
  const open = () => lazy(withRetries(() => load().then(module => ({ default: module[name] as M[K] & Any }))));
  let Part: Any = open();
  function OptionalPart(props: ComponentProps<M[K] & Any> & { onLost?: () => void }): ReactNode {
    const { onLost, ...rest }: { onLost?: () => void } = props;
    const { notify } = useKit();
    const lost = (): void => {
      // React caches a failed lazy component, so create a new one.
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
  /** Starts loading the code before it is shown; a failure appears when it is shown. */
  const ahead = (): void => void load().catch(() => undefined);
  return Object.assign(OptionalPart, { ahead });
}

/** A boundary for optional content: empty once that failed. */
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
