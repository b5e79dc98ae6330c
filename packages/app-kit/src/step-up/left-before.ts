import type { Notice } from '../kit/kit.ts';

/** Said when a change is given up because its person left its page before they were asked to confirm it. */
export const leftBefore: Notice = { kind: 'info', text: 'Not saved: you left the page before confirming.' };
