import type { RequestCheck } from '@portal/contract/requests/requests';

/** How a check is shown to staff: `stated` passes the rule by the member's word alone. */
export type ShownCheck = RequestCheck['state'] | 'stated';

/** The mark of a check by how it is shown. */
export const checkMarks = { met: 'valid', stated: 'info', unmet: 'invalid', review: 'warning', open: 'info' } as const;

/** Returns how a check is shown to staff: what was compared with nothing but the member's own answer isn't met, it is stated. */
export const shownAs = ({ state, source }: Pick<RequestCheck, 'state' | 'source'>): ShownCheck =>
  state === 'met' && source === 'Your answer' ? 'stated' : state;

/** The source of what was found, which members read as "Your answer" and "Your request". */
export const sourceForStaff = (source: string): string =>
  source.replace(/^Your answer/, 'The member’s answer').replace(/^Your request/, 'The request');
