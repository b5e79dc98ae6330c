import type { PlannedEffect } from '@portal/contract/requests/requests';

/** Kinds of objects that a transfer touches. */
export const objectWords: Record<PlannedEffect['what'], string> = {
  delegation: 'Delegation',
  registration: 'Registration',
  roa: 'ROA',
  aspa: 'Provider authorisation (ASPA)',
  whois: 'Whois object',
  reverse: 'Reverse domain',
  contact: 'Contact',
  route: 'Route',
  geofeed: 'Geofeed',
  account: 'Account',
};

/** Marks for the effect of a transfer on an object. */
export const actMarks = {
  moves: { state: 'valid', words: 'Moves' },
  stays: { state: 'info', words: 'Stays' },
  ends: { state: 'warning', words: 'Ends' },
  changes: { state: 'pending', words: 'Changes' },
  holds: { state: 'pending', words: 'Held for a time' },
} as const;

/** Marks for the state of an object that a transfer handed over for a time. */
export const heldMarks = {
  held: { state: 'pending', words: 'Held' },
  kept: { state: 'valid', words: 'Kept' },
  ended: { state: 'closed', words: 'Ended' },
} as const;
