import type { Listing } from '@portal/contract/requests/listings';
import type { State } from '@portal/ui';

/** States of a listing, as members read them. */
export const listingStateWords: Record<Listing['state'], { state: State; words: string }> = {
  open: { state: 'valid', words: 'Open' },
  withdrawn: { state: 'closed', words: 'Withdrawn' },
  expired: { state: 'closed', words: 'Expired' },
  removed: { state: 'invalid', words: 'Removed' },
  transferred: { state: 'closed', words: 'Transferred' },
};
