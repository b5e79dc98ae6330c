import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { ElectionValues } from '@portal/contract/elections/elections';

/** The instant this many days from now. */
export const inDays = (days: number): string => instantAfter(Date.now(), days * DAY_MS);

/** A council election in which members vote now. @param values what differs */
export const exampleElection = (values: Partial<ElectionValues> = {}): ElectionValues => ({
  kind: 'ec',
  title: 'Council now',
  description: '',
  seats: 3,
  maxSelections: 3,
  timeZone: 'Asia/Manila',
  conference: null,
  registrationCutOff: null,
  candidatesUrl: '',
  resultsUrl: '',
  windows: [{ kind: 'member-vote', opensAt: inDays(-3), closesAt: inDays(7), url: '' }],
  ...values,
});
