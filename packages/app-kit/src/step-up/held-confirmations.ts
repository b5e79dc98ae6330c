import type { AnyEndpoint } from '@portal/api-client';
import { type Effect, effectsOf } from '@portal/contract/effects';
import { createWatched } from '../place/watched.ts';

/** A confirmation that this document holds: for changes with these effects, until then (ms since 1970). */
export type HeldConfirmation = { confirmation: string; effects: readonly Effect[]; until: number };

/**
 * The confirmations of this document. In memory only: no other tab has them, and none outlives the page. The server judges each; here they are only looked
 * up.
 */
export type HeldConfirmations = {
  get: () => readonly HeldConfirmation[];
  subscribe: (listener: () => void) => () => void;
  /** Returns the confirmation to send with a call. */
  of: (endpoint: Pick<AnyEndpoint, 'effect'>) => HeldConfirmation | undefined;
  hold: (confirmation: HeldConfirmation) => void;
  /** Ends all of them. */
  end: () => void;
};

export function createHeldConfirmations(now: () => number = Date.now): HeldConfirmations {
  const held = createWatched<readonly HeldConfirmation[]>([]);
  const valid = (): HeldConfirmation[] => held.get().filter(({ until }) => until > now());
  return {
    get: held.get,
    subscribe: held.subscribe,
    of(endpoint) {
      const needed = effectsOf(endpoint);
      if (needed.length === 0) return undefined;
      return valid().find(({ effects }) => needed.every(effect => effects.includes(effect)));
    },
    hold: confirmation => held.set([confirmation, ...valid().filter(({ effects }) => String(effects) !== String(confirmation.effects))]),
    end: () => held.get().length > 0 && held.set([]),
  };
}
