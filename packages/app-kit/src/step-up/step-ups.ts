import type { Challenge, StoppedCall } from '@portal/api-client';
import { effectsOf } from '@portal/contract/effects';
import { hrefOf, type Router } from '../kit/place.ts';
import { createWatched } from '../place/watched.ts';
import { accountOf, type HeldConfirmation, type HeldConfirmations } from './held-confirmations.ts';

/** A change that was refused until its person confirms it. `isForeign`: a page of another origin made it, whose words no person reads. */
export type AskedAct = { challenge: Challenge; call: StoppedCall; isForeign: boolean };

/** The changes that the dialog asks about: of one kind, usually one. */
export type Asking = { acts: readonly [AskedAct, ...AskedAct[]]; address: string };

/**
 * The changes that wait for their person, over the page that made them. A change is sent by the press that confirms it, or never: what ends the question (Cancel,
 * a step to another address, another session) ends the change.
 */
export type StepUps = {
  get: () => Asking | null;
  subscribe: (listener: () => void) => () => void;
  /** Asks the person. Resolves with the confirmation; null if they gave up. */
  ask: (challenge: Challenge, call: StoppedCall, isForeign?: boolean) => Promise<HeldConfirmation | null>;
  /**
   * The person confirmed what was asked about when they pressed. A change that came afterwards isn't sent by it; and if none of what was asked about waits any
   * more, the confirmation is dropped: it came after Cancel.
   */
  confirm: (pressed: Asking, confirmation: HeldConfirmation) => void;
  /** Gives up everything that waits. */
  cancel: () => void;
  /** Leads to the provider, where a factor is given or added for what was asked about; the person is asked again when they are back. */
  leave: (pressed: Asking) => void;
};

type Waiting = AskedAct & { address: string; end: (confirmation: HeldConfirmation | null) => void };

/** Of a page of another origin only the registry knows the kind: each change has a question of its own. */
const kindOf = ({ challenge, call, isForeign }: AskedAct): string =>
  isForeign
    ? `foreign ${challenge.asked ?? ''}`
    : `${[...effectsOf(call.endpoint)].toSorted().join(' ')} ${accountOf(call.endpoint, call.input) ?? ''}`;

type StepUpsOptions = {
  router: Pick<Router, 'place' | 'subscribe'>;
  confirmations: Pick<HeldConfirmations, 'hold' | 'of'>;
  /** Leads away to the provider; resolves only if the person is back in this document without having been there. */
  leadAway: (challenge: Challenge, call: StoppedCall, isForeign: boolean) => Promise<void>;
};

export function createStepUps({ router, confirmations, leadAway }: StepUpsOptions): StepUps {
  const asking = createWatched<Asking | null>(null);
  let waiting: readonly Waiting[] = [];

  /** Those of the first kind are asked about together, the others afterwards. */
  const asked = (): readonly Waiting[] => waiting.filter(each => kindOf(each) === kindOf(waiting[0]!));
  const stillWaiting = ({ acts }: Asking): readonly Waiting[] => waiting.filter(each => acts.includes(each));
  const show = (): void => {
    const [first, ...others] = asked();
    if (first || asking.get()) asking.set(first ? { acts: [first, ...others], address: first.address } : null);
  };
  const cancel = (): void => {
    const given = waiting;
    waiting = [];
    show();
    for (const { end } of given) end(null);
  };
  router.subscribe(() => {
    const here = hrefOf(router.place());
    if (waiting.some(({ address }) => address !== here)) cancel();
  });
  return {
    get: asking.get,
    subscribe: asking.subscribe,
    ask: (challenge, call, isForeign = false) =>
      new Promise(end => {
        waiting = [...waiting, { challenge, call, isForeign, address: hrefOf(router.place()), end }];
        show();
      }),
    confirm(pressed, confirmation) {
      const done = stillWaiting(pressed);
      if (done.length === 0) return;
      confirmations.hold(confirmation);
      waiting = waiting.filter(each => !done.includes(each));
      show();
      for (const { end } of done) end(confirmation);
    },
    cancel,
    leave(pressed) {
      const [first] = stillWaiting(pressed);
      if (first) void leadAway(first.challenge, first.call, first.isForeign).then(cancel, cancel);
    },
  };
}
