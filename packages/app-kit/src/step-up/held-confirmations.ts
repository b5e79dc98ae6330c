import type { AnyEndpoint } from '@portal/api-client';
import { isOfAccount } from '@portal/contract';
import { type Effect, effectsOf } from '@portal/contract/effects';
import { createWatched } from '../place/watched.ts';

/** A confirmation that this document holds: for changes with these effects, for this account (null: for no one account), until then (ms since 1970). */
export type HeldConfirmation = { confirmation: string; effects: readonly Effect[]; account: string | null; until: number };

/** Returns the account that a call is made for; null where its path names none. */
export const accountOf = ({ access }: Pick<AnyEndpoint, 'access'>, input: unknown): string | null => {
  const { account } = (input ?? {}) as { account?: unknown };
  return isOfAccount(access) && typeof account === 'string' ? account : null;
};

/**
 * The confirmations of this document. In memory only: no other tab has them, and none outlives the page. The server judges each; here they are only looked
 * up.
 */
export type HeldConfirmations = {
  get: () => readonly HeldConfirmation[];
  subscribe: (listener: () => void) => () => void;
  /** Returns the confirmation to send with a call. */
  of: (endpoint: Pick<AnyEndpoint, 'access' | 'effect'>, input: unknown) => HeldConfirmation | undefined;
  hold: (confirmation: HeldConfirmation) => void;
  /** Ends one that the registry refused. */
  drop: (confirmation: string) => void;
  /** Ends all of them. */
  end: () => void;
};

const kindOf = ({ effects, account }: HeldConfirmation): string => `${String(effects)} ${account ?? ''}`;

export function createHeldConfirmations(now: () => number = Date.now): HeldConfirmations {
  const held = createWatched<readonly HeldConfirmation[]>([]);
  const valid = (): HeldConfirmation[] => held.get().filter(({ until }) => until > now());
  return {
    get: held.get,
    subscribe: held.subscribe,
    of(endpoint, input) {
      const needed = effectsOf(endpoint);
      if (needed.length === 0) return undefined;
      const named = accountOf(endpoint, input);
      return valid().find(({ effects, account }) => account === named && needed.every(effect => effects.includes(effect)));
    },
    hold: confirmation => held.set([confirmation, ...valid().filter(each => kindOf(each) !== kindOf(confirmation))]),
    drop: confirmation =>
      held.get().some(each => each.confirmation === confirmation) &&
      held.set(held.get().filter(each => each.confirmation !== confirmation)),
    end: () => held.get().length > 0 && held.set([]),
  };
}
