import type { WindowState } from '@portal/contract/elections/life';
import type { ElectionState } from '@portal/contract/elections/life';
import type { State } from '@portal/ui';

export const stateMarks: Record<ElectionState, { state: State; words: string }> = {
  draft: { state: 'pending', words: 'Draft' },
  published: { state: 'valid', words: 'Published' },
  closed: { state: 'closed', words: 'Closed' },
  cancelled: { state: 'invalid', words: 'Cancelled' },
};

export const windowMarks: Record<WindowState, { state: State; words: string }> = {
  'not-yet-open': { state: 'info', words: 'Not yet open' },
  open: { state: 'valid', words: 'Open' },
  closed: { state: 'closed', words: 'Closed' },
};
