import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { ResourceRequestDetail, TransferPlan } from '@portal/contract/requests/requests';

export type Lane = 'sender' | 'recipient' | 'registry';
/** One step of a hand-over: who has the move, and when it was done or is due. */
export type PartyStep = {
  title: string;
  lane: Lane;
  state: 'done' | 'now' | 'later' | 'ended';
  /** When it was done. */
  at?: string | null;
  /** The last moment, where there is one. */
  by?: string | null;
  /** Its content, or how long it takes. */
  words?: string;
};

/** The course of a case, as far as it is known: of one that isn't started yet, its kind and the rules. */
export type Course = Pick<
  ResourceRequestDetail,
  'kind' | 'state' | 'submittedAt' | 'resolvedAt' | 'expiresAt' | 'events' | 'due' | 'terms' | 'place' | 'accountName' | 'otherParty'
> & {
  form: Pick<ResourceRequestDetail['form'], 'recipient' | 'otherRegistry'>;
  plan: Pick<TransferPlan, 'fee' | 'typicalDays'> | null;
};
type Case = Omit<Course, 'accountName' | 'otherParty'>;

const atStep: Partial<Record<ResourceRequestDetail['state'], string>> = {
  draft: 'Send',
  offered: 'Acknowledge',
  submitted: 'Review',
  'in-review': 'Review',
  'needs-info': 'Review',
  'awaiting-fee': 'Pay the fee',
  'on-hold': 'Complete',
};

/**
 * Returns the steps of a transfer, merger or return, from sending to completion, with who has the move in each. A case with another registry has no recipient here, and a return has none at all.
 * @param now in ms since 1970
 */
export function stepsOfParties(
  { kind, state, form, submittedAt, resolvedAt, expiresAt, events, plan, due, terms, place }: Case,
  now: number,
): PartyStep[] {
  const when = (kinds: string): string | null => events.findLast(event => event.kind === kinds)?.at ?? null;
  const hasRecipient = kind !== 'return' && form.otherRegistry === '';
  const hasFee = due !== null || (plan?.fee ?? null) !== null;
  const paysHere: Lane = hasRecipient ? 'recipient' : 'sender';
  const steps: Omit<PartyStep, 'state'>[] = [
    { title: 'Send', lane: 'sender', at: submittedAt },
    ...(hasRecipient
      ? [
          {
            title: 'Acknowledge',
            lane: 'recipient' as const,
            at: when('acknowledged'),
            by: state === 'offered' ? expiresAt : state === 'draft' ? instantAfter(now, terms.acknowledgeDays * DAY_MS) : null,
            words: `within ${terms.acknowledgeDays} days`,
          },
        ]
      : []),
    {
      title: 'Review',
      lane: 'registry',
      at: when('approved'),
      words: place !== null ? `number ${place} in the queue` : kind === 'return' ? 'two people decide' : 'need and papers',
    },
    ...(hasFee && kind !== 'return'
      ? [{ title: 'Pay the fee', lane: paysHere, at: due?.paidOn ?? null, words: `within ${terms.feeDays} days of the invoice` }]
      : []),
    { title: 'Complete', lane: 'registry', at: state === 'completed' ? resolvedAt : null, words: 'everything in one step' },
  ];
  const current = steps.findIndex(({ title }) => title === atStep[state]);
  const isOver = resolvedAt !== null;
  return steps.map((step, index) => ({
    ...step,
    state:
      state === 'completed' || (!isOver && index < current) || (isOver && step.at)
        ? 'done'
        : isOver
          ? 'ended'
          : index === current
            ? 'now'
            : 'later',
  }));
}

/** Times of a step in ms since 1970. */
export type StepSpan = { from: number; to: number };

/**
 * Returns when each step begins and ends: as it was, and ahead as late as the rules let both parties be. The registry’s review has no length of its own here: it
 * depends on the queue.
 * @param now in ms since 1970
 */
export function spansOf(steps: readonly PartyStep[], { submittedAt, terms }: Pick<Case, 'submittedAt' | 'terms'>, now: number): StepSpan[] {
  let last = submittedAt === null ? now : Date.parse(submittedAt);
  const longest: Partial<Record<string, number>> = { Acknowledge: terms.acknowledgeDays * DAY_MS, 'Pay the fee': terms.feeDays * DAY_MS };
  return steps.map(({ title, state, at, by }) => {
    const from = last;
    if (at) last = Math.max(from, Date.parse(at));
    else if (state !== 'ended' && state !== 'done') last = by ? Date.parse(by) : from + (longest[title] ?? 0);
    if (state === 'now') last = Math.max(last, now);
    return { from, to: last };
  });
}
