import { type Effect, effectsOf } from '@portal/contract/effects';
import type { Endpoint } from '@portal/contract';
import type { Config } from '../../config.ts';
import { openSignedValues, type SignedValues } from './signed-value.ts';

/** Changes that a person confirmed with a second factor: those with these effects, for this account, in this session. */
export type Confirmed = {
  loginId: string;
  sid: string;
  effects: readonly Effect[];
  /** The account whose page asked; null for changes of no one account, such as the work of registry staff. */
  account: string | null;
  /** Methods proven by then (RFC 8176). */
  amr: readonly string[];
  /** Seconds since 1970. */
  at: number;
};

/** Writes and reads confirmations: signed, so that each web process knows them without asking. */
export type Confirmations = {
  write: (confirmed: Confirmed) => string;
  /** Returns what was confirmed, if the confirmation is ours and of the session of this caller; null otherwise. */
  read: (confirmation: unknown, caller: { loginId: string; sid: string | null }) => Confirmed | null;
};

type Keys = Pick<Config, 'secretKey' | 'secretKeyOld'>;

export function openConfirmations(config: Keys): Confirmations {
  const signed = openSignedValues<Confirmed>(config, 'confirmation');
  return {
    write: signed.write,
    read: (confirmation, { loginId, sid }) => {
      const confirmed = signed.read(confirmation);
      return confirmed && confirmed.loginId === loginId && confirmed.sid === sid ? confirmed : null;
    },
  };
}

/**
 * A change that was refused until its person confirms it, as the registry read it: what the question says, whichever page hands it on. Signed with the refusal, so that
 * no page names an act other than the one it sent.
 */
export type AskedAct = {
  loginId: string;
  sid: string | null;
  /** The id of its endpoint. */
  endpoint: string;
  account: string | null;
  /** The act, as the person reads it. */
  words: string;
  /** Seconds since 1970. */
  at: number;
};

export const openAskedActs = (config: Keys): SignedValues<AskedAct> => openSignedValues<AskedAct>(config, 'asked act');

/**
 * Returns whether a confirmation is of changes of this kind: it names all effects of the endpoint, and the same account. A read has no effect, and none is of it.
 * @param account the account of the call; null where its path names none
 */
export function isConfirmed(
  { effects, account: confirmedFor }: Pick<Confirmed, 'effects' | 'account'>,
  endpoint: Pick<Endpoint, 'effect'>,
  account: string | null,
): boolean {
  const needed = effectsOf(endpoint);
  return needed.length > 0 && confirmedFor === account && needed.every(effect => effects.includes(effect));
}

type Ages = Pick<Config, 'stepUpMaxAgeSeconds' | 'staffStepUpMaxAgeSeconds'>;

/** Returns for how many seconds a confirmation counts: for the work of registry staff longer, which no sign-in does. */
export const factorSeconds = ({ access }: Pick<Endpoint, 'access'>, { stepUpMaxAgeSeconds, staffStepUpMaxAgeSeconds }: Ages): number =>
  access.who === 'staff' ? staffStepUpMaxAgeSeconds : stepUpMaxAgeSeconds;
