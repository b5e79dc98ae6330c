/**
 * Confirming a change with a second factor in the page that makes it, at the registry's own provider. The refusal of a change until a second factor is given names it
 * and signs it. The page hands that to the provider, which says what is confirmed, checks the factor against the session of the browser and answers a confirmation. The
 * change is sent again with it.
 */

import type { Effect } from '../effects.ts';

/** Header of a call in which a page sends the confirmation of its person. */
export const confirmationHeader = 'confirmation';

/** Addresses at the provider: what a person can confirm with, the options of a passkey, the confirmation, and the password before a factor is added. */
export const confirmationPaths = {
  begin: '/account/confirmation',
  passkey: '/account/confirmation/passkey',
  confirm: '/account/confirmation/factor',
  password: '/account/confirmation/password',
} as const;

/** A second factor: a one-time code, with the password in a session that was opened without it, or the answer of a passkey as JSON. */
export type GivenFactor = { code: string; password?: string | undefined } | { passkey: string };

export type ConfirmationWay = 'passkey' | 'code';

/** The ways in which a person can confirm a change. */
export type ConfirmationBegun = {
  /** The changes in words, in the order in which they were named. */
  acts: readonly string[];
  /** The confirmation will be good for changes with these effects, for this account; null: for no one account. */
  effects: readonly Effect[];
  account: string | null;
  /** The person's name, and how and when (ISO 8601) they signed in. */
  person: string;
  by: 'password' | 'passkey';
  since: string;
  /** The person has a second factor, even if it can't be used here. */
  enrolled: boolean;
  /** Usable ways, the most recently used first. */
  ways: readonly ConfirmationWay[];
  /** The passkey that was used last, and when (ISO 8601). */
  passkey: { name: string; lastUsedAt: string | null } | null;
  /** A code takes the password too: the session was opened without it. */
  needsPassword: boolean;
  /** How long a confirmation of this change holds, in minutes. */
  minutes: number;
  /** The code of a demo person; empty until there is an unused one. Null for all other people. */
  demoCode: string | null;
};

/** A confirmation: sent in the header, and for how many seconds it holds. The clock of the browser may be wrong. */
export type Confirmation = { confirmation: string; seconds: number };

/** The reason for which a factor was not accepted, in words for the person. `session`: this browser has another session than the page, or the change isn’t one that was refused in it. */
export type ConfirmationRefusal = {
  why: 'wrong' | 'wait' | 'closed' | 'session' | 'malformed';
  field: 'code' | 'password' | 'passkey' | null;
  message: string;
};
