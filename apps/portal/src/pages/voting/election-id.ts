import { useKit, usePlace } from '@portal/app-kit';
import { findPage } from '@portal/contract/pages';

/** Returns the number of the election in the address; empty if there is none. */
export function useElectionId(): string {
  const { product } = useKit().environment;
  return findPage(usePlace().path, product).params['electionId'] ?? '';
}
