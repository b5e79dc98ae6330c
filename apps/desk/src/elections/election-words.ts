import type { WindowState } from '@portal/contract/elections/election-windows';
import type { ElectionState } from '@portal/contract/elections/elections';
import type { State } from '@portal/ui';

export const stateMarks: Record<ElectionState, { state: State; words: string }> = {
  DRAFT: { state: 'pending', words: 'Draft' },
  PUBLISHED: { state: 'valid', words: 'Published' },
  CLOSED: { state: 'closed', words: 'Closed' },
  CANCELLED: { state: 'invalid', words: 'Cancelled' },
};

export const windowMarks: Record<WindowState, { state: State; words: string }> = {
  NOT_YET_OPEN: { state: 'info', words: 'Not yet open' },
  OPEN: { state: 'valid', words: 'Open' },
  CLOSED: { state: 'closed', words: 'Closed' },
};
