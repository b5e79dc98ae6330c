import { ServiceFailure } from '@portal/app-kit';
import { EmptyState, Sheet } from '@portal/ui';
import { Component, type ReactNode } from 'react';

type Props = { at: string; title?: string; words: ReactNode; action: ReactNode; children: ReactNode };
type State = { failure: Error | null; at: string };

/**
 * Replaces a part of the page whose address names space outside the account (an old link, another account chosen since):
 * says so and offers the way back. All other failures are the page's. `at` is the named space: when it changes, it retries.
 */
export class OutsideBoundary extends Component<Props, State> {
  override state: State = { failure: null, at: this.props.at };

  static getDerivedStateFromProps({ at }: Props, state: State): State | null {
    return at === state.at ? null : { failure: null, at };
  }

  static getDerivedStateFromError(failure: Error) {
    return { failure };
  }

  override render() {
    const { failure } = this.state;
    const { title = 'Not in this account', words, action, children } = this.props;
    if (!failure) return children;
    if (!(failure instanceof ServiceFailure) || (failure.status !== 400 && failure.status !== 404)) throw failure;
    return (
      <Sheet aria-label="Not found">
        <EmptyState title={title} action={action}>
          {words}
        </EmptyState>
      </Sheet>
    );
  }
}
