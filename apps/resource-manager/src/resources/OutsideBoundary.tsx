import { ServiceFailure } from '@portal/app-kit';
import { EmptyState, Sheet } from '@portal/ui';
import { Component, type ReactNode } from 'react';

type Props = { at: string; title?: string; words: ReactNode; action: ReactNode; children: ReactNode };
type State = { failure: Error | null; at: string };

/**
 * Stands in for a part of the page whose address names space that is not the account's (an old link, another account chosen since):
 * says so and offers the way back. Every other failure is the page's. `at` is what the address names: when it changes, it is tried again.
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
