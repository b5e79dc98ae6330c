import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Effect, effectsOf } from '@portal/contract/effects';
import type { Endpoint } from '@portal/contract';
import type { Config } from '../../config.ts';
import { derivedKeys } from '../secret-box.ts';

/** Changes that a person confirmed with a second factor: those with these effects, in this session. */
export type Confirmed = {
  loginId: string;
  sid: string;
  effects: readonly Effect[];
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

export function openConfirmations(config: Pick<Config, 'secretKey' | 'secretKeyOld'>): Confirmations {
  const keys = derivedKeys(config, 'confirmation');
  const sign = (key: Buffer, payload: string): Buffer => createHmac('sha256', key).update(payload).digest();
  return {
    write: confirmed => {
      const payload = Buffer.from(JSON.stringify(confirmed)).toString('base64url');
      return `${payload}.${sign(keys[0], payload).toString('base64url')}`;
    },
    read: (confirmation, { loginId, sid }) => {
      const [payload, signature, ...more] = typeof confirmation === 'string' ? confirmation.split('.') : [];
      if (!payload || !signature || more.length > 0) return null;
      const given = Buffer.from(signature, 'base64url');
      const isOurs = keys.some(key => {
        const expected = sign(key, payload);
        return expected.length === given.length && timingSafeEqual(expected, given);
      });
      if (!isOurs) return null;
      const confirmed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Confirmed;
      return confirmed.loginId === loginId && confirmed.sid === sid ? confirmed : null;
    },
  };
}

/** Returns whether a confirmation is of changes of this kind: it names all effects of the endpoint. A read has none, and none is of it. */
export function isConfirmed({ effects }: Pick<Confirmed, 'effects'>, endpoint: Pick<Endpoint, 'effect'>): boolean {
  const needed = effectsOf(endpoint);
  return needed.length > 0 && needed.every(effect => effects.includes(effect));
}

type Ages = Pick<Config, 'stepUpMaxAgeSeconds' | 'staffStepUpMaxAgeSeconds'>;

/** Returns for how many seconds a confirmation counts: for the work of registry staff longer, which no sign-in does. */
export const factorSeconds = ({ access }: Pick<Endpoint, 'access'>, { stepUpMaxAgeSeconds, staffStepUpMaxAgeSeconds }: Ages): number =>
  access.who === 'staff' ? staffStepUpMaxAgeSeconds : stepUpMaxAgeSeconds;
